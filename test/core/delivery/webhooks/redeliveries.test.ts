import { describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { Redeliveries } from '../../../../src/core/delivery/webhooks/redeliveries.ts';
import { WebhookService } from '../../../../src/core/delivery/webhooks/webhook-service.ts';
import { MemoryRateLimiter } from '../../../../src/infra/database/memory-rate-limiter.ts';
import { secureRandom } from '../../../../src/infra/secrets/key-crypto.ts';
import { BROKEN, DELIVERED, fakeSender } from '../../../support/fake-sender.ts';
import { START } from '../../../support/rows.ts';
import { openWithWebhook } from './delivery-fixture.ts';

const FIRST = 'msg_1_a';

async function openEnded(given: Partial<Delivery> = {}) {
  const fixture = await openWithWebhook();
  const { database, clock } = fixture;
  await fixture.publish({ id: 1 });
  const row = { id: FIRST, webhookId: 'wh_a', alertId: 1, createdAt: START, finishedAt: START } as const;
  await database.deliveries.add([{ ...row, state: 'failed', result: BROKEN, ...given }]);
  const webhooks = new WebhookService({
    ...database,
    secretOf: async () => 'secret',
    random: secureRandom,
    clock,
  });
  const rateLimiter = new MemoryRateLimiter({ capacity: 10, clock });
  const redeliveries = new Redeliveries({ webhooks, deliveries: database.deliveries, rateLimiter, clock });
  return { ...fixture, request: (id = FIRST, key = 'key_a') => redeliveries.request(key, 'wh_a', id) };
}

describe('a delivery is repeated at the request of its owner', () => {
  test.each(['delivered', 'failed', 'unknown', 'expired', 'cancelled'] as const)(
    '%s, it is sent once, with the id and the body of the first',
    async (state) => {
      const { request, engine, pass, log } = await openEnded({ state });
      const sender = fakeSender();
      await engine(sender);

      const answer = await request();
      await pass(2_000);

      expect(answer).toMatchObject({
        ok: true,
        delivery: { id: `${FIRST}.1`, state: 'requested', repeats: FIRST },
      });
      await vi.waitFor(async () =>
        expect(await log('wh_a')).toMatchObject([
          { id: `${FIRST}.1`, state: 'delivered' },
          { id: FIRST, state },
        ]),
      );
      expect(sender.sent).toMatchObject([
        { id: FIRST, body: '{"id":1,"event_title":"Will the measure pass?"}' },
      ]);
    },
  );

  test('five times, one after the other, also by the id of a repetition; then it is refused', async () => {
    const { request, engine, pass, log } = await openEnded();
    const sender = fakeSender(() => (sender.sent.length % 2 === 0 ? DELIVERED : BROKEN));
    await engine(sender);

    for (let n = 1; n <= 5; n += 1) {
      const asked = n === 1 ? FIRST : `${FIRST}.${n - 1}`;
      expect(await request(asked)).toMatchObject({
        ok: true,
        delivery: { id: `${FIRST}.${n}`, repeats: FIRST },
      });
      await pass(1_000);
      await vi.waitFor(async () =>
        expect((await log('wh_a'))[0]).toMatchObject({
          id: `${FIRST}.${n}`,
          state: n % 2 === 0 ? 'delivered' : 'failed',
        }),
      );
    }

    expect(await request()).toEqual({ ok: false, reason: 'used_up' });
    expect(sender.sent.map(({ id }) => id)).toEqual(Array(5).fill(FIRST));
  });

  test('of concurrent requests one is carried out', async () => {
    const { request, log } = await openEnded();
    const answers = await Promise.all(Array.from({ length: 8 }, () => request()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await log('wh_a')).toHaveLength(2);
  });

  test('it expires when it was not sent within ten minutes, and is cancelled while the webhook is paused', async () => {
    const { request, database, engine, clock, pass, log } = await openEnded();
    await request();
    await clock.advance(11 * 60_000);
    const sender = fakeSender();
    await engine(sender);
    await pass(1_000);
    await vi.waitFor(async () => expect((await log('wh_a'))[0]?.state).toBe('expired'));

    await request();
    await database.webhooks.update('key_a', 'wh_a', { isPaused: true });
    await pass(1_000);
    await vi.waitFor(async () => expect((await log('wh_a'))[0]?.state).toBe('cancelled'));
    expect(sender.sent).toEqual([]);
  });
});

describe('a request is refused', () => {
  test.each([
    ['while the delivery has not ended', { state: 'claimed' }, 'not_ended'],
    ['for a test', { alertId: null, state: 'delivered' }, 'test'],
    ['for the delivery of another webhook', { webhookId: 'wh_b' }, 'no_delivery'],
  ] as const)('%s', async (_, given, reason) => {
    const { request } = await openEnded(given);
    expect(await request()).toEqual({ ok: false, reason });
  });

  test('for what does not exist, of another key, while the webhook is paused, and above sixty a minute', async () => {
    const { request, database } = await openEnded();
    expect(await request('msg_2_a')).toEqual({ ok: false, reason: 'no_delivery' });
    expect(await request(`${FIRST}.1`)).toEqual({ ok: false, reason: 'no_delivery' });
    expect(await request(FIRST, 'key_b')).toEqual({ ok: false, reason: 'no_webhook' });
    await database.webhooks.update('key_a', 'wh_a', { isPaused: true });
    expect(await request()).toEqual({ ok: false, reason: 'paused' });
    for (let count = 3; count < 60; count += 1) await request('msg_2_a');
    expect(await request()).toMatchObject({ ok: false, reason: 'limited', resetMs: expect.any(Number) });
  });
});
