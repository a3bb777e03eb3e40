import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounded } from '../../../src/core/base/rounded.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { MeasuredMarket, PriceMove, RecordMarket } from '../../../src/core/record/measured-market.ts';
import { alertOn, type GivenOrder, measured, recordMarket, time } from './record-market-fixture.ts';

const START = time('00:00:00');

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

/** As the stores have it. `until`: what came later is not in them yet. */
function storedMarket(
  { orders, alerted, settledAt }: RandomMarket,
  until = Number.POSITIVE_INFINITY,
): RecordMarket {
  const alerts = alerted.map(({ order: own, delay }, index) =>
    alertOn(own, own.at + delay, { id: index + 1 }),
  );
  const isSettled = settledAt !== null && settledAt <= until;
  return recordMarket({
    orders: orders.filter(({ at }) => at <= until),
    alerts: alerts.filter(({ detectedAt }) => detectedAt <= until),
    settledAt: isSettled ? settledAt : null,
    ...(isSettled && { payouts: [1, 0] }),
  });
}

const asOfs = fc.integer({ min: START, max: START + 2 * DAY_MS + 4 * HOUR_MS });

type RandomOrder = RandomMarket['orders'][number];

/** The first order of a minute that begins in a time, by all orders, on the scale of another; null: none. */
function slowFirst(market: RandomMarket, own: RandomOrder, from: number, until = Number.POSITIVE_INFINITY) {
  const found = market.orders.find(({ at }) => {
    const minute = at - (at % MINUTE_MS);
    return minute >= from && minute < until;
  });
  if (found === undefined) return null;
  const { at, outcome, price } = found;
  return { at, price: outcome === own.outcome ? price : rounded(1 - price, 6) };
}

/** The price at a later moment: the payout if it was known by then, else whichever comes first. */
function slowLater(market: RandomMarket, own: RandomOrder, moment: number) {
  const { settledAt } = market;
  const payout = settledAt === null ? null : { at: settledAt, price: own.outcome === 0 ? 1 : 0 };
  if (payout !== null && payout.at <= moment) return payout;
  const order = slowFirst(market, own, moment);
  return order !== null && order.at < (payout?.at ?? Number.POSITIVE_INFINITY) ? order : payout;
}

function slowMove(market: RandomMarket, own: RandomOrder, publishedAt: number): PriceMove {
  const bought = slowFirst(market, own, publishedAt + MINUTE_MS, publishedAt + HOUR_MS);
  if (bought === null || bought.at >= (market.settledAt ?? Number.POSITIVE_INFINITY))
    return { openedAt: null, price: null, closedAt: null, value: null };
  const day = slowLater(market, own, bought.at + DAY_MS);
  return {
    openedAt: bought.at,
    price: bought.price,
    closedAt: day?.at ?? null,
    value: day?.price ?? null,
  };
}

/** Names and values of all figures that are known. */
function knownFigures({ alerts }: MeasuredMarket): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  for (const { id, move, payout } of alerts)
    for (const [figure, value] of Object.entries({ ...move, payout }))
      if (value !== null) known.set(`${id} ${figure}`, value);
  return known;
}

describe('measureMarket, for any orders', () => {
  it('gives the prices of a slow model that reads orders instead of quotes', () => {
    fc.assert(
      fc.property(randomMarket, (market) => {
        const { alerts } = measured(storedMarket(market));
        for (const [index, { order, delay }] of market.alerted.entries()) {
          const { move, publishedAt } = alerts[index] as (typeof alerts)[number];
          expect(publishedAt).toBe(order.at + delay);
          expect(move).toEqual(slowMove(market, order, publishedAt));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('uses nothing later than asOf: the same as when it has not happened yet', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, (market, asOf) => {
        const known = measured(storedMarket(market), { asOf });
        expect(known).toEqual(measured(storedMarket(market, asOf), { asOf }));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every figure that was known before', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, asOfs, (market, one, other) => {
        const at = (asOf: number) => knownFigures(measured(storedMarket(market), { asOf }));
        const later = at(Math.max(one, other));
        for (const [name, value] of at(Math.min(one, other)))
          expect([name, later.get(name)]).toEqual([name, value]);
      }),
      { numRuns: 100 },
    );
  });
});
