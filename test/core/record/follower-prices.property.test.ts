import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounded } from '../../../src/core/base/rounded.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { type FollowerPrices, followerPricesOf } from '../../../src/core/record/follower-prices.ts';
import { alertOn, type GivenOrder, recordMarket, time } from './record-market-fixture.ts';

const START = time('00:00:00');
const END = time('9 00:00:00');

interface RandomMarket {
  readonly orders: readonly Required<GivenOrder>[];
  readonly alerted: readonly { readonly order: Required<GivenOrder>; readonly delay: number }[];
  readonly settledAt: number | null;
}

const order = fc.record({
  // Two hours, and the same a day later, when the 24 h prices are due.
  at: fc
    .tuple(fc.constantFrom(0, DAY_MS), fc.integer({ min: 0, max: 7_200 }))
    .map(([day, second]) => START + day + second * SECOND_MS),
  price: fc.integer({ min: 5, max: 95 }).map((cents) => cents / 100),
  outcome: fc.constantFrom(0 as const, 1 as const),
  usdc: fc.constantFrom(100, 300, 1_200, 6_000),
  wallet: fc.constantFrom('0xa', '0xb', '0xc', '0xd', '0xe', '0xf'),
});

const randomMarket: fc.Arbitrary<RandomMarket> = fc
  .record({
    orders: fc.uniqueArray(order, { selector: ({ at }) => at, minLength: 5, maxLength: 60 }),
    delays: fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 4 }),
    settledAt: fc.option(fc.integer({ min: START, max: START + 3 * DAY_MS })),
  })
  .map(({ orders, delays, ...rest }) => {
    const sorted = orders.toSorted((a, b) => a.at - b.at);
    const alerted = sorted
      .slice(0, delays.length)
      .map((each, index) => ({ order: each, delay: delays[index] as number }));
    return { orders: sorted, alerted, ...rest };
  });

/** The prices of all alerts. `until`: what came later is not stored yet. */
function pricesIn(market: RandomMarket, { until = END, asOf = until }: { until?: number; asOf?: number }) {
  const { orders, alerted, settledAt } = market;
  const alerts = alerted.map(({ order: own, delay }, index) =>
    alertOn(own, own.at + delay, { id: index + 1 }),
  );
  const { market: stored } = recordMarket({
    orders: orders.filter(({ at }) => at <= until),
    watched: alerts.filter(({ detectedAt }) => detectedAt <= until),
    settledAt: settledAt !== null && settledAt <= until ? settledAt : null,
  });
  return alerts.map((alert) => followerPricesOf(alert, stored, asOf));
}

const asOfs = fc.integer({ min: START, max: START + 2 * DAY_MS + 4 * HOUR_MS });

type RandomOrder = RandomMarket['orders'][number];

/** The first order in a time, by all orders, on the scale of another; null: none. */
function slowFirst(market: RandomMarket, own: RandomOrder, from: number, until = Number.POSITIVE_INFINITY) {
  const found = market.orders.find(({ at }) => at >= from && at < until);
  if (found === undefined) return null;
  const { at, outcome, price } = found;
  return { at, price: outcome === own.outcome ? price : rounded(1 - price, 6) };
}

/** The prices of one alert, by all orders. */
function slowPrices(market: RandomMarket, own: RandomOrder, publishedAt: number): FollowerPrices {
  const { settledAt } = market;
  const inTime = (point: ReturnType<typeof slowFirst>) =>
    point !== null && point.at < (settledAt ?? Number.POSITIVE_INFINITY) ? point : null;
  const bought = inTime(slowFirst(market, own, publishedAt + MINUTE_MS, publishedAt + HOUR_MS));
  const later = bought === null ? null : inTime(slowFirst(market, own, bought.at + DAY_MS));
  return { publishedAt, settledAt, bought, later };
}

describe('the prices of a follower, for any orders', () => {
  it('are those of a slow model that reads all orders', () => {
    fc.assert(
      fc.property(randomMarket, (market) => {
        const prices = pricesIn(market, {});
        const slow = market.alerted.map(({ order, delay }) => slowPrices(market, order, order.at + delay));
        expect(prices).toEqual(slow);
      }),
      { numRuns: 100 },
    );
  });

  it('use nothing later than asOf: the same as when it has not happened yet', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, (market, asOf) => {
        expect(pricesIn(market, { asOf, until: END })).toEqual(pricesIn(market, { until: asOf }));
      }),
      { numRuns: 100 },
    );
  });

  it('stay as they are once they are known', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, asOfs, (market, one, other) => {
        const at = (asOf: number) => pricesIn(market, { asOf, until: END });
        const [before, after] = [at(Math.min(one, other)), at(Math.max(one, other))];
        for (const [index, prices] of before.entries())
          for (const [name, value] of Object.entries(prices))
            if (value !== null) expect(after[index]).toMatchObject({ [name]: value });
      }),
      { numRuns: 100 },
    );
  });
});
