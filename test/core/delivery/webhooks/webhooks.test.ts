import { expect, test } from 'vitest';
import type { Webhook } from '../../../../src/core/delivery/webhooks/webhook.ts';
import { onEachDatabase, onSqlite } from '../../../infra/database/each-database.ts';
import { webhookOf } from '../../../support/webhooks.ts';

const CAP = 20;

const URL_OF_TWO = 'https://example.com/hook';

/** One of which nothing is at its default. */
function choosyWebhook(given: Partial<Webhook> = {}): Webhook {
  return webhookOf({
    id: 'wh_a',
    format: 'slack',
    categories: ['tech', 'crypto'],
    minScore: 70,
    filters: { side: 'BUY', minUsdc: 0.5, search: 'a,"b" ü' },
    events: ['alert', 'outcome'],
    ...given,
  });
}

onSqlite('webhooks', (fixture) => {
  test('a webhook comes back as it was inserted, within the cap, to its key alone, which alone removes it', async () => {
    const { webhooks } = fixture.database;
    const none = { categories: null, minScore: null, filters: null, events: null };
    const plain = choosyWebhook({ id: 'wh_b', ...none, delivered: 3, failed: 2 });

    for (const webhook of [plain, choosyWebhook()])
      expect(await webhooks.insert(webhook, 2)).toEqual({ ok: true });
    expect(await webhooks.insert(choosyWebhook({ id: 'wh_c' }), 2)).toEqual({
      ok: false,
      reason: 'too_many',
    });

    expect(await webhooks.listByKey('key_a')).toStrictEqual([choosyWebhook(), plain]);
    expect(await webhooks.listByKey('key_b')).toEqual([]);
    expect(await webhooks.remove('key_b', 'wh_a')).toBe(false);
    expect([await webhooks.remove('key_a', 'wh_a'), await webhooks.remove('key_a', 'wh_a')]).toEqual([
      true,
      false,
    ]);
    expect(await webhooks.listByKey('key_a')).toStrictEqual([plain]);
  });

  test('a key has one webhook per URL, and a refusal names it, also at the cap; another key may have the URL', async () => {
    const { webhooks } = fixture.database;
    const refusal = { ok: false, reason: 'url_taken', id: 'wh_a' };
    await webhooks.insert(choosyWebhook({ url: URL_OF_TWO }), 1);

    for (const cap of [CAP, 1])
      expect(await webhooks.insert(choosyWebhook({ id: 'wh_b', url: URL_OF_TWO }), cap)).toEqual(refusal);
    const ofAnother = choosyWebhook({ id: 'wh_c', keyId: 'key_b', url: URL_OF_TWO });
    expect(await webhooks.insert(ofAnother, CAP)).toEqual({ ok: true });
    await webhooks.remove('key_a', 'wh_a');
    expect(await webhooks.insert(choosyWebhook({ id: 'wh_d', url: URL_OF_TWO }), CAP)).toEqual({ ok: true });
  });

  test('are summed up for the operator', async () => {
    const { webhooks } = fixture.database;
    expect(await webhooks.totals()).toEqual({ webhooks: 0, paused: 0, delivered: 0, failed: 0 });
    await webhooks.insert(webhookOf({ id: 'wh_a' }), CAP);
    await webhooks.insert(webhookOf({ id: 'wh_b', isPaused: true }), CAP);
    await webhooks.addCounts([
      { id: 'wh_a', delivered: 3, failed: 1, failuresAtEnd: 0 },
      { id: 'wh_b', delivered: 1, failed: 0, failuresAtEnd: 0 },
    ]);
    expect(await webhooks.totals()).toEqual({ webhooks: 2, paused: 1, delivered: 4, failed: 1 });
  });
});

onEachDatabase('webhooks of two processes', (fixture) => {
  test('of concurrent inserts with one URL, by two processes, one succeeds, and each refusal names it', async () => {
    const { webhooks } = fixture.database;
    const stores = [webhooks, (await fixture.another()).webhooks];
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const webhook = choosyWebhook({ id: `wh_${index}`, url: URL_OF_TWO });
        return stores[index % 2]?.insert(webhook, CAP);
      }),
    );

    const stored = await webhooks.listByKey('key_a');
    const refusal = { ok: false, reason: 'url_taken', id: stored[0]?.id };
    expect(stored).toHaveLength(1);
    expect(results.filter((result) => result?.ok === true)).toHaveLength(1);
    expect(results.filter((result) => result?.ok === false)).toEqual(Array(7).fill(refusal));
  });
});
