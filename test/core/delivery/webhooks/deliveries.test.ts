import { expect, test } from 'vitest';
import type { Delivery, DeliveryEnd } from '../../../../src/core/delivery/webhooks/delivery.ts';
import { onEachDatabase, onSqlite } from '../../../infra/database/each-database.ts';
import { START } from '../../../support/rows.ts';

function deliveryOf(given: Partial<Delivery> & { id: string }): Delivery {
  return {
    webhookId: 'wh_a',
    alertId: 1,
    state: 'pending',
    createdAt: START,
    finishedAt: null,
    result: null,
    ...given,
  };
}

const OK = { status: 200, error: null, durationMs: 12, retryAfterSeconds: null } as const;

function outcomeOf(id: string, given: Partial<DeliveryEnd> = {}): DeliveryEnd {
  return { id, state: 'delivered', finishedAt: START + 50, result: OK, ...given };
}

const by = (call: string, at = START) => ({ call, at });
const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id);
const numbered = (count: number, given: Partial<Delivery> = {}) =>
  Array.from({ length: count }, (_, index) =>
    deliveryOf({ id: `msg_${String(index).padStart(5, '0')}`, alertId: index, ...given }),
  );

onSqlite('deliveries', (fixture) => {
  test('a delivery is claimed once, also when it is added again; the same call repeated gets the same answer', async () => {
    const { deliveries } = fixture.database;
    await deliveries.add(numbered(3));

    expect(await deliveries.claim(['msg_00000', 'msg_00001', 'msg_9'], by('one'))).toEqual([
      'msg_00000',
      'msg_00001',
    ]);
    expect(await deliveries.claim(['msg_00000', 'msg_00001'], by('one'))).toEqual(['msg_00000', 'msg_00001']);
    expect(await deliveries.claim(['msg_00001', 'msg_00002'], by('two'))).toEqual(['msg_00002']);
    expect(await deliveries.claim(['msg_00000'], by('three'))).toEqual([]);
    expect(await deliveries.claim([], by('four'))).toEqual([]);
    expect(await deliveries.countPending()).toBe(0);
    expect(await deliveries.add([...numbered(2), deliveryOf({ id: 'msg_b' })])).toMatchObject([
      { id: 'msg_b' },
    ]);
    expect(ids(await deliveries.list('wh_a', { limit: 10, state: 'claimed' }))).toHaveLength(3);
    expect(await deliveries.countPending()).toBe(1);
  });

  test('what is claimed ends once; the same call repeated gets the same answer', async () => {
    const { deliveries } = fixture.database;
    await deliveries.add(numbered(3));
    await deliveries.claim(['msg_00000', 'msg_00001'], by('one'));
    const failed = { status: 429, error: 'status', durationMs: 7, retryAfterSeconds: 65 } as const;
    const outcomes = [outcomeOf('msg_00000'), outcomeOf('msg_00001', { state: 'failed', result: failed })];

    expect(await deliveries.finish([...outcomes, outcomeOf('msg_00002')], 'b')).toEqual([
      'msg_00000',
      'msg_00001',
    ]);
    expect(await deliveries.finish(outcomes, 'b')).toEqual(['msg_00000', 'msg_00001']);
    expect(await deliveries.finish([outcomeOf('msg_00000', { state: 'unknown' })], 'c')).toEqual([]);

    expect(await deliveries.list('wh_a', { limit: 10 })).toStrictEqual([
      deliveryOf({ id: 'msg_00002', alertId: 2 }),
      deliveryOf({ id: 'msg_00001', alertId: 1, state: 'failed', finishedAt: START + 50, result: failed }),
      deliveryOf({ id: 'msg_00000', alertId: 0, state: 'delivered', finishedAt: START + 50, result: OK }),
    ]);
  });

  test('what waits is given oldest first, from a moment backwards, page by page', async () => {
    const { deliveries } = fixture.database;
    const ages = { msg_d: 5, msg_c: 1, msg_b: 5, msg_a: 9, msg_e: 5 };
    await deliveries.add(Object.entries(ages).map(([id, age]) => deliveryOf({ id, createdAt: START + age })));
    await deliveries.claim(['msg_e'], by('one'));

    const first = await deliveries.waiting({ createdBefore: START + 9, limit: 2 });
    const rest = await deliveries.waiting({ createdBefore: START + 10, limit: 9, ...after(first) });

    expect([ids(first), ids(rest)]).toEqual([
      ['msg_c', 'msg_b'],
      ['msg_d', 'msg_a'],
    ]);
    expect(first[0]).toStrictEqual(deliveryOf({ id: 'msg_c', createdAt: START + 1 }));
  });

  test('claims from before a moment are given, the oldest deliveries first', async () => {
    const { deliveries } = fixture.database;
    await deliveries.add(numbered(5));
    await deliveries.claim(['msg_00003'], by('a', START + 4));
    await deliveries.claim(['msg_00002'], by('b', START + 3));
    await deliveries.claim(['msg_00001'], by('c', START + 2));
    await deliveries.claim(['msg_00000'], by('d', START + 1));
    await deliveries.finish([outcomeOf('msg_00000')], 'e');

    const claimedBefore = START + 4;
    const claims = await deliveries.claims({ claimedBefore, limit: 3 });

    expect(ids(claims)).toEqual(['msg_00001', 'msg_00002']);
    expect(await deliveries.claims({ claimedBefore, limit: 1 })).toHaveLength(1);
  });

  test('the log is newest first, of one webhook, page by page, of all states or one; old deliveries are removed in pieces', async () => {
    const { deliveries } = fixture.database;
    const states = ['delivered', 'failed', 'delivered', 'expired'] as const;
    const rows = numbered(12).map((row, index) => ({
      ...row,
      createdAt: START + Math.floor(index / 3),
      state: states[index % 4] ?? 'delivered',
    }));
    await deliveries.add([...rows, deliveryOf({ id: 'msg_x', webhookId: 'wh_b', createdAt: START + 2 })]);
    const pages = async (state?: 'failed') => {
      const seen: string[] = [];
      for (let before: string | undefined; ; before = seen.at(-1)) {
        const page = { limit: 5, ...(before && { before }), ...(state && { state }) };
        const got = await deliveries.list('wh_a', page);
        if (got.length === 0) return seen;
        seen.push(...ids(got));
      }
    };

    expect(await pages()).toEqual(ids(rows).toReversed());
    expect(await pages('failed')).toEqual(['msg_00009', 'msg_00005', 'msg_00001']);
    const old = { createdBefore: START + 2, limit: 4 };
    expect([await deliveries.prune(old), await deliveries.prune(old), await deliveries.prune(old)]).toEqual([
      4, 2, 0,
    ]);
    expect(await pages()).toEqual(ids(rows.slice(6)).toReversed());
    expect(await deliveries.list('wh_a', { limit: 5, before: 'msg_x' })).toEqual([]);
    expect(await deliveries.list('wh_a', { limit: 5, before: 'msg_none' })).toEqual([]);
  });

  test('the cursor is kept, never goes back, and may be created by two processes concurrently', async () => {
    const stores = [fixture.database.deliveries, (await fixture.another()).deliveries];
    expect(await stores[0]?.cursor()).toBeNull();

    await Promise.all(stores.map((store, index) => store.advance(5 + index)));
    expect(await stores[0]?.cursor()).toBe(6);
    await stores[0]?.advance(3);
    expect(await stores[1]?.cursor()).toBe(6);
    expect(await stores[0]?.cursor('outcome')).toBeNull();
    await stores[0]?.advance(2, 'outcome');
    expect([await stores[1]?.cursor('outcome'), await stores[1]?.cursor('alert')]).toEqual([2, 6]);
  });
});

onEachDatabase('deliveries of two processes', (fixture) => {
  test('that add and claim concurrently: every delivery is added once and claimed once', async () => {
    const stores = [fixture.database.deliveries, (await fixture.another()).deliveries];
    const rows = numbered(400);
    const pieces = Array.from({ length: 20 }, (_, index) => rows.slice(index * 20, index * 20 + 20));
    const race = async <T>(
      act: (store: (typeof stores)[0], piece: Delivery[], call: string) => Promise<T[]>,
    ) =>
      (
        await Promise.all(
          stores.map(async (store, process) => {
            const order = process === 0 ? pieces : pieces.toReversed();
            return Promise.all(order.map((piece, index) => act(store, piece, `${process}#${index}`)));
          }),
        )
      ).flat(2);

    const added = await race(async (store, piece) => [...(await store.add(piece))]);
    const claimed = await race(async (store, piece, call) => [...(await store.claim(ids(piece), by(call)))]);

    expect(ids(added).toSorted()).toEqual(ids(rows));
    expect(claimed.toSorted()).toEqual(ids(rows));
  });
});

function after(page: readonly Delivery[]) {
  const last = page.at(-1);
  return last === undefined ? {} : { after: last };
}
