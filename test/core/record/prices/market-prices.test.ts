import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { MarketPrices } from '../../../../src/core/record/prices/market-prices.ts';
import { publishedTime, type TimeMapping } from '../../../../src/core/trades/source/source.ts';
import { createFakeClock } from '../../../support/clock.ts';
import {
  alertOn,
  type GivenOrder,
  recordMarket,
  type StoredMarket,
  storeOf,
  time,
} from '../record-market-fixture.ts';

const TRADED = time('12:00:00');
const TRADE: GivenOrder = { at: TRADED, price: 0.4 };
const LATER: readonly GivenOrder[] = [
  { at: TRADED + 10 * MINUTE_MS, price: 0.45 },
  { at: TRADED + 15 * MINUTE_MS, price: 0.5, outcome: 1 },
  { at: TRADED + 16 * MINUTE_MS, price: 0.4, outcome: 1 },
];
const ALERT = alertOn(TRADE, TRADED);

const stored = (orders: readonly GivenOrder[]) =>
  recordMarket({ orders: [TRADE, ...orders], watched: [ALERT] });

function pricesOf(orders: readonly GivenOrder[], mapping: TimeMapping | null = null) {
  const clock = createFakeClock(TRADED);
  const reads = { markets: 0, fails: false };
  const store = storeOf(stored(orders));
  const counted: typeof store = {
    ...store,
    async markets(ids) {
      reads.markets += 1;
      if (reads.fails) throw new Error('the database is not available');
      return store.markets(ids);
    },
  };
  return { prices: new MarketPrices(counted, async () => ({ time: 0, mapping }), clock), clock, reads };
}

/** All points of a stored line. */
function pointsOf({ market, days }: StoredMarket) {
  const points = [...days.flatMap((day) => day.points), ...market.points];
  return points.map(([second, price]) => ({ at: second * SECOND_MS, price }));
}

const order: fc.Arbitrary<GivenOrder> = fc.record({
  at: fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 7_200 }))
    .map(([hours, seconds]) => TRADED + hours * HOUR_MS + seconds * SECOND_MS),
  price: fc.integer({ min: 1, max: 99 }).map((inCents) => inCents / 100),
  outcome: fc.constantFrom(0, 1),
});
const orders = fc.uniqueArray(order, { selector: ({ at }) => at, maxLength: 60 });
const moments = fc.integer({ min: TRADED, max: TRADED + 4 * DAY_MS });

describe('the last price of an alert’s outcome', () => {
  test('is that of its own order, then the last of each five minutes that is known at the moment, to the second', async () => {
    const { prices } = pricesOf(LATER);
    const seconds = [-1, 0, 599, 600, 900, 959, 960];
    const found = await Promise.all(seconds.map((s) => prices.lastOf(ALERT, TRADED + s * SECOND_MS)));
    expect(found).toEqual([null, 0.4, 0.4, 0.45, 0.45, 0.45, 0.6]);
    const other = alertOn({ ...TRADE, outcome: 1 }, TRADED);
    expect(await prices.lastOf(other, TRADED + 600_000)).toBe(0.55);
  });

  test('is the newest point of the line that is known by then, however old', async () => {
    await fc.assert(
      fc.asyncProperty(orders, moments, async (given, until) => {
        const last = pointsOf(stored(given)).findLast(({ at }) => at <= until);
        expect(await pricesOf(given).prices.lastOf(ALERT, until)).toBe(last?.price);
      }),
    );
  });

  test('is never older than its order', async () => {
    const { prices } = pricesOf([]);
    const later = alertOn({ at: TRADED + HOUR_MS, price: 0.3 }, TRADED + HOUR_MS);
    expect(await prices.lastOf(later, TRADED + HOUR_MS)).toBe(0.3);
  });

  test('is the payout once the alert has a result; of a market that is not watched there is none', async () => {
    const { prices, reads } = pricesOf([]);
    const settled = { ...ALERT, resolution: { payout: 0.5, won: true, profitUsdc: 1 } };
    expect(await prices.lastOf(settled, TRADED)).toBe(0.5);
    expect(reads.markets).toBe(0);
    expect(await prices.lastOf({ ...ALERT, marketId: '0xm2' }, TRADED)).toBeNull();
  });

  test('is read once in ten seconds; a read that failed is repeated', async () => {
    const { prices, clock, reads } = pricesOf(LATER);
    reads.fails = true;
    await expect(prices.lastOf(ALERT, TRADED)).rejects.toThrow('not available');
    reads.fails = false;
    await Promise.all([prices.lastOf(ALERT, TRADED), prices.lastOf(ALERT, TRADED + 1_000)]);
    await clock.advance(10 * SECOND_MS - 1);
    expect(await prices.lastOf(ALERT, TRADED + 600_000)).toBe(0.45);
    expect(reads.markets).toBe(2);
    await clock.advance(1);
    await prices.lastOf(ALERT, TRADED + 600_000);
    expect(reads.markets).toBe(3);
  });
});

test('what a follower could pay is told once it is known', async () => {
  const { prices } = pricesOf(LATER);
  const at = TRADED + 10 * MINUTE_MS;
  expect(await prices.followerPrice(ALERT, at - 1)).toBeNull();
  expect(await prices.followerPrice(ALERT, at)).toEqual({ at, price: 0.45 });
});

test('the line of a market has the known points from a moment to another, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(orders, moments, moments, async (given, from, until) => {
      const { prices } = pricesOf(given);
      const { market } = (await prices.marketOf(ALERT)) ?? expect.unreachable();
      const shown = pointsOf(stored(given)).filter(({ at }) => at >= from && at <= until);
      expect(await prices.lineOf(market, { from, until, points: 300 })).toEqual(shown);
    }),
  );
});

describe('on a tape that was moved in time', () => {
  const moved = (by: (at: number) => number): Alert => ({ ...ALERT, tradedAt: by(TRADED) });

  test('by a constant, the moment is moved by what the alert’s two times differ by', async () => {
    const { prices } = pricesOf(LATER);
    const alert = moved((at) => at + 3 * DAY_MS);
    const at = (seconds: number) => prices.lastOf(alert, TRADED + 3 * DAY_MS + seconds * SECOND_MS);
    expect([await at(-1), await at(599), await at(600)]).toEqual([null, 0.4, 0.45]);
  });

  test('and is played at a speed, nothing later than the moment’s own place on the tape is known', async () => {
    for (const speed of [0.5, 60]) {
      const mapping = { pivot: TRADED - HOUR_MS, origin: TRADED + DAY_MS, speed, hasHistory: true };
      const { prices } = pricesOf(LATER, mapping);
      const alert = moved((at) => publishedTime(mapping, at));
      const published = publishedTime(mapping, TRADED + 10 * MINUTE_MS);
      expect(await prices.lastOf(alert, published)).toBe(0.45);
      expect(await prices.lastOf(alert, published - 1)).toBe(0.4);
    }
  });
});
