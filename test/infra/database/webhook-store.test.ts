import { expect, test } from 'vitest';
import type { Webhook } from '../../../src/core/webhooks/webhook.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const CAP = 20;

function webhookOf(given: Partial<Webhook> = {}): Webhook {
  return {
    id: 'wh_a',
    keyId: 'key_a',
    url: 'https://example.com/hook',
    categories: ['tech', 'crypto'],
    minScore: 70,
    secretVersion: 1,
    rotatedAt: null,
    isPaused: false,
    createdAt: START,
    delivered: 0,
    failed: 0,
    failuresInRow: 0,
    ...given,
  };
}

onEachDatabase('webhook store', (fixture) => {
  test('a webhook comes back as it was inserted, to its key alone', async () => {
    const { webhooks } = fixture.database;
    const plain = webhookOf({ id: 'wh_b', categories: null, minScore: null, delivered: 3, failed: 2 });

    expect(await webhooks.insert(webhookOf(), CAP)).toBe(true);
    expect(await webhooks.insert(plain, CAP)).toBe(true);

    expect(await webhooks.listByKey('key_a')).toStrictEqual([webhookOf(), plain]);
    expect(await webhooks.listByKey('key_b')).toEqual([]);
  });

  test('the list is oldest first, ties by id', async () => {
    const { webhooks } = fixture.database;
    const ages = { d: 5, c: 1, b: 5, a: 9 };
    for (const [id, age] of Object.entries(ages)) {
      await webhooks.insert(webhookOf({ id, createdAt: START + age }), CAP);
    }

    expect((await webhooks.listByKey('key_a')).map(({ id }) => id)).toEqual(['c', 'b', 'd', 'a']);
  });

  test('only its own key removes a webhook, and once', async () => {
    const { webhooks } = fixture.database;
    await webhooks.insert(webhookOf(), CAP);

    expect(await webhooks.remove('key_b', 'wh_a')).toBe(false);
    expect(await webhooks.remove('key_a', 'wh_a')).toBe(true);
    expect(await webhooks.remove('key_a', 'wh_a')).toBe(false);

    expect(await webhooks.listByKey('key_a')).toEqual([]);
  });

  test('two processes that insert at once fill a key to its cap and not above', async () => {
    const stores = [fixture.database.webhooks, (await fixture.another()).webhooks];
    const inserted = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        stores[index % 2]?.insert(webhookOf({ id: `wh_${index}` }), 5),
      ),
    );

    expect(inserted.filter((isInserted) => isInserted === true)).toHaveLength(5);
    expect(await fixture.database.webhooks.listByKey('key_a')).toHaveLength(5);
  });
});

onEachDatabase('secret store', (fixture) => {
  test('the first secret of a name is kept; another name has its own', async () => {
    const { secrets } = fixture.database;

    expect(await secrets.getOrCreate('a', 'first')).toBe('first');
    expect(await secrets.getOrCreate('a', 'second')).toBe('first');
    expect(await secrets.getOrCreate('b', 'second')).toBe('second');

    expect(await (await fixture.another()).secrets.getOrCreate('a', 'third')).toBe('first');
  });

  test('processes that start at once agree', async () => {
    const databases = [fixture.database, ...(await Promise.all([1, 2, 3].map(() => fixture.another())))];
    for (let round = 0; round < 10; round += 1) {
      const got = await Promise.all(
        databases.map(({ secrets }, index) => secrets.getOrCreate(`name ${round}`, `candidate ${index}`)),
      );

      expect(new Set(got).size).toBe(1);
    }
  });
});
