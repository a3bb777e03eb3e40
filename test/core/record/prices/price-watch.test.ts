import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Lease, LeaseLost } from '../../../../src/core/base/lease/lease.ts';
import { DAY_MS, MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import type { Database } from '../../../../src/core/database.ts';
import type { Candidate } from '../../../../src/core/detection/candidate.ts';
import { PriceWatch } from '../../../../src/core/record/prices/price-watch.ts';
import type { PriceBatch } from '../../../../src/core/record/prices/watched-market.ts';
import { openDatabase } from '../../../../src/infra/database/database.ts';
import { takeLease } from '../../../support/lease.ts';
import { marketRow, START } from '../../../support/rows.ts';
import { withMethods } from '../../../support/with-methods.ts';
import { quickClock } from '../../ingest/rebuild-fixture.ts';
import { orderOf } from '../record-market-fixture.ts';

let database: Database;
let lease: Lease;
let batches: (readonly [days: number, markets: number])[];

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
  lease = await takeLease(database, 'one');
  batches = [];
});
afterEach(() => database.close());

function begin(held: Lease = lease) {
  const prices = withMethods(database.prices, {
    write(given: Lease, batch: PriceBatch) {
      batches.push([batch.days.length, batch.markets.length]);
      return database.prices.write(given, batch);
    },
  });
  const watch = new PriceWatch({ prices, clock: quickClock(() => START) }, held);
  const alert = (n: number, { at = START, isSettled = false } = {}) => {
    const key = `w:0xw:11:BUY:${at / 1_000}`;
    const candidate = { key, marketId: `0xm${n}`, tradedAt: at, entryPrice: 0.4 } as Candidate;
    return watch.alert(candidate, { closedAt: at, detectedAt: at }, { endsAt: START + DAY_MS, isSettled });
  };
  const order = (n: number, at: number) => {
    const given = orderOf({ at, price: 0.5 });
    watch.order({ ...given, fill: { ...given.fill, marketId: `0xm${n}` } });
  };
  const settle = (n: number, at: number) => {
    const row = marketRow({ id: `0xm${n}`, payouts: [1, 0] });
    if (row.kind === 'market') watch.market(row.market, at);
  };
  return { watch, alert, order, settle };
}

const stored = async (n: number) => (await database.prices.markets([`0xm${n}`]))[0];

test('a market begins with the order of its first alert, and only markets with alerts are kept', async () => {
  const { watch, alert, order } = begin();
  await alert(1);
  order(1, START + 2 * MINUTE_MS);
  order(2, START + 2 * MINUTE_MS);
  await watch.flush();
  const bought = { at: START + 2 * MINUTE_MS, price: 0.5 };
  expect(await stored(1)).toEqual({
    marketId: '0xm1',
    baseAsset: '11',
    endsAt: START + DAY_MS,
    settledAt: null,
    alerts: [{ key: expect.any(String), tradedAt: START, detectedAt: START, bought, later: null }],
    points: [
      [START / 1_000, 0.4],
      [START / 1_000 + 120, 0.5],
    ],
  });
  expect(await stored(2)).toBeUndefined();
});

test('only what changed is written, at most 200 documents at a time, days before markets', async () => {
  const { watch, alert, order } = begin();
  for (let n = 0; n < 450; n++) {
    await alert(n);
    order(n, START + DAY_MS);
  }
  await watch.flush();
  expect(batches).toEqual([
    [200, 0],
    [200, 0],
    [50, 0],
    [0, 200],
    [0, 200],
    [0, 50],
  ]);
  await watch.flush();
  order(1, START + DAY_MS + MINUTE_MS);
  await watch.flush();
  expect(batches.slice(6)).toEqual([[0, 1]]);
});

test('it is due when 1,000 documents wait', async () => {
  const { watch, alert, order } = begin();
  for (let n = 0; n < 500; n++) await alert(n);
  for (let n = 0; n < 499; n++) order(n, START + DAY_MS);
  expect(watch.isDue).toBe(false);
  order(499, START + DAY_MS);
  expect(watch.isDue).toBe(true);
  await watch.flush();
  expect(watch.isDue).toBe(false);
});

test('a run continues with the unsettled markets, also with more than are read at a time', async () => {
  const first = begin();
  for (let n = 0; n < 401; n++) await first.alert(n);
  first.settle(400, START);
  await first.watch.flush();
  const { watch, order } = begin();
  await watch.open();
  expect([0, 399, 400].map((n) => watch.isWatched(`0xm${n}`))).toEqual([true, true, false]);
  order(399, START + 2 * MINUTE_MS);
  await watch.flush();
  expect((await stored(399))?.alerts[0]?.bought).toMatchObject({ price: 0.5 });
});

test('a settled market is forgotten once it is written, and a further alert is added to it', async () => {
  const { watch, alert, order, settle } = begin();
  await alert(1);
  settle(1, START + MINUTE_MS);
  await watch.flush();
  expect(watch.isWatched('0xm1')).toBe(false);
  await alert(1);
  expect(watch.isWatched('0xm1')).toBe(false);
  await alert(1, { at: START + DAY_MS });
  order(1, START + DAY_MS + 2 * MINUTE_MS);
  await watch.flush();
  expect(await stored(1)).toMatchObject({ settledAt: START + MINUTE_MS, alerts: [{}, { bought: null }] });
});

test('of a market that was settled before its first alert, the settlement is that of the alert at the latest', async () => {
  const { watch, alert } = begin();
  await alert(1, { isSettled: true });
  await watch.flush();
  expect(await stored(1)).toMatchObject({ settledAt: START });
});

test('a write that is refused ends the run', async () => {
  const { watch, alert } = begin();
  await alert(1);
  await takeLease(database, 'two', 2_000);
  await expect(watch.flush()).rejects.toThrow(LeaseLost);
});
