import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { MarketWatch } from '../../../../src/core/record/prices/market-watch.ts';
import type { WatchedMarket } from '../../../../src/core/record/prices/watched-market.ts';
import { alertOn, type GivenOrder, orderOf, recordMarket, time } from '../record-market-fixture.ts';

const TRADED = time('12:00:00');
const FOUND = TRADED + 10 * SECOND_MS;
const ALERT = alertOn({ at: TRADED, price: 0.4 }, FOUND);

function watchOf(given: Partial<WatchedMarket> = {}): MarketWatch {
  const { market } = recordMarket({ orders: [{ at: TRADED, price: 0.4 }], watched: [ALERT] });
  return new MarketWatch({ ...market, ...given });
}

/** What the watch has fixed for the alert, milliseconds after it was found, when it has seen the orders in this sequence. */
function fixedBy(...orders: readonly (readonly [after: number, price: number])[]) {
  const watch = watchOf();
  for (const [after, price] of orders) watch.order(orderOf({ at: FOUND + after, price }));
  const [{ bought, later } = {}] = watch.market.alerts;
  return [bought, later].map((point) => point && [point.at - FOUND, point.price]);
}

const lineOf = ({ market: { points } }: MarketWatch) =>
  points.map(([second, price]) => [second - TRADED / SECOND_MS, price]);

describe('what a follower could pay', () => {
  test('is the price of the first order from a minute to before an hour after the publication', () => {
    expect(fixedBy([59_000, 0.5], [60_000, 0.6], [61_000, 0.7])).toEqual([[60_000, 0.6], null]);
    expect(fixedBy([HOUR_MS - 1_000, 0.6])).toEqual([[HOUR_MS - 1_000, 0.6], null]);
    expect(fixedBy([HOUR_MS, 0.6])).toEqual([null, null]);
  });

  test('is above 0 and below 1', () => {
    expect(fixedBy([60_000, 1], [70_000, 0.999])).toEqual([[70_000, 0.999], null]);
  });

  test('stays as it was seen, whatever comes late', () => {
    expect(fixedBy([90_000, 0.6], [70_000, 0.7])).toEqual([[90_000, 0.6], null]);
    expect(fixedBy([HOUR_MS, 0.6], [70_000, 0.7])).toEqual([null, null]);
    expect(fixedBy([60_000, 0.6], [DAY_MS + 90_000, 0.7], [DAY_MS + 80_000, 0.8])[1]).toEqual([
      DAY_MS + 90_000,
      0.7,
    ]);
  });
});

test('a day later is the first order from 24 hours after that price on, however late and at any price', () => {
  const early = [DAY_MS + 59_000, 0.7] as const;
  expect(fixedBy([60_000, 0.6], early, [DAY_MS + 60_000, 1])[1]).toEqual([DAY_MS + 60_000, 1]);
  expect(fixedBy([60_000, 0.6], early, [9 * DAY_MS, 0.1])[1]).toEqual([9 * DAY_MS, 0.1]);
  expect(fixedBy(early)[1]).toBeNull();
});

describe('the line of a market', () => {
  test('has the first order, then the last of each five minutes, on the scale of the base outcome', () => {
    const watch = watchOf();
    const orders: readonly (readonly [number, number, (0 | 1)?])[] = [
      [60, 0.41],
      [200, 0.42],
      [299, 0.57, 1],
      [300, 0.44],
      [900, 0.45],
    ];
    for (const [after, price, outcome = 0] of orders)
      watch.order(orderOf({ at: TRADED + after * SECOND_MS, price, outcome }));
    expect(lineOf(watch)).toEqual([
      [0, 0.4],
      [299, 0.43],
      [300, 0.44],
      [900, 0.45],
    ]);
  });

  test('leaves out orders that come late, of the maker, and of less than a millionth of a share', () => {
    const watch = watchOf();
    const order = orderOf({ at: TRADED + MINUTE_MS, price: 0.5 });
    watch.order({ ...order, role: 'maker' });
    watch.order({ ...order, usdc: 0, shares: 0 });
    watch.order(orderOf({ at: TRADED - MINUTE_MS, price: 0.6 }));
    watch.order(orderOf({ at: TRADED, price: 0.7 }));
    expect(lineOf(watch)).toEqual([[0, 0.4]]);
  });

  test('ends a day with the first order of the next', () => {
    const watch = watchOf();
    expect(watch.order(orderOf({ at: TRADED + 11 * HOUR_MS, price: 0.5 }))).toBeNull();
    const ended = watch.order(orderOf({ at: TRADED + 30 * HOUR_MS, price: 0.6 }));
    const second = TRADED / SECOND_MS;
    expect(ended).toEqual({
      marketId: '0xm1',
      day: Math.floor(TRADED / DAY_MS),
      points: [
        [second, 0.4],
        [second + 11 * 3_600, 0.5],
      ],
    });
    expect(lineOf(watch)).toEqual([[30 * 3_600, 0.6]]);
  });
});

test('from the settlement on nothing is seen, and a later row does not date it anew', () => {
  const watch = watchOf();
  expect(watch.learn({ endsAt: 7, payouts: null }, FOUND)).toBe(true);
  expect(watch.learn({ endsAt: null, payouts: [1, 0] }, FOUND + 1)).toBe(true);
  const before = watch.market;
  expect(before).toMatchObject({ endsAt: 7, settledAt: FOUND + 1 });
  expect(watch.learn({ endsAt: 7, payouts: [0, 1] }, FOUND + 2)).toBe(false);
  watch.order(orderOf({ at: FOUND + 2 * MINUTE_MS, price: 0.5 }));
  expect(watch.market).toEqual(before);
});

const order: fc.Arbitrary<GivenOrder> = fc.record({
  at: fc
    .tuple(fc.constantFrom(0, DAY_MS, 2 * DAY_MS), fc.integer({ min: -60, max: 900 }))
    .map(([day, second]) => TRADED + day + second * SECOND_MS),
  price: fc.integer({ min: 5, max: 95 }).map((inCents) => inCents / 100),
  outcome: fc.constantFrom(0, 1),
});

test('the same orders again, from any earlier one on, lead to the same documents', () => {
  const ordered = fc.array(order, { maxLength: 40 });
  fc.assert(
    fc.property(ordered, fc.nat(), fc.nat(), (orders, one, other) => {
      const [from, stored] = [one, other].map((n) => n % (orders.length + 1)).toSorted((a, b) => a - b);
      const undisturbed = watchOf();
      const days = new Map<number, unknown>();
      const take = (watch: MarketWatch, given: readonly GivenOrder[], to: Map<number, unknown>) => {
        for (const each of given) {
          const ended = watch.order(orderOf(each));
          if (ended !== null) to.set(ended.day, ended.points);
        }
      };
      take(undisturbed, orders, days);
      const first = watchOf();
      const kept = new Map<number, unknown>();
      take(first, orders.slice(0, stored), kept);
      const second = new MarketWatch(JSON.parse(JSON.stringify(first.market)));
      take(second, orders.slice(from), kept);
      expect(second.market).toEqual(undisturbed.market);
      expect(kept).toEqual(days);
    }),
    { numRuns: 300 },
  );
});
