import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { rounded } from '../../../src/core/base/rounded.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import { freeFollower } from '../../../src/core/record/follower-result.ts';
import type { MeasuredMarket, PriceMove, RecordMarket } from '../../../src/core/record/measured-market.ts';
import { alertOn, type GivenOrder, measured, recordMarket, time } from './record-market-fixture.ts';

const START = time('00:00:00');

interface RandomMarket {
  readonly orders: readonly Required<GivenOrder>[];
  readonly alerted: readonly { readonly order: Required<GivenOrder>; readonly delay: number }[];
  readonly settledAt: number | null;
  readonly feeRate: number | null;
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
  ageClass: fc.constantFrom('fresh' as const, 'not_fresh' as const, 'not_fresh' as const),
  isSale: fc.boolean(),
});

const randomMarket: fc.Arbitrary<RandomMarket> = fc
  .record({
    orders: fc.uniqueArray(order, { selector: ({ at }) => at, minLength: 5, maxLength: 60 }),
    delays: fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 4 }),
    settledAt: fc.option(fc.integer({ min: START, max: START + 3 * DAY_MS })),
    feeRate: fc.constantFrom(null, 0, 0.04),
  })
  .map(({ orders, delays, ...rest }) => {
    const sorted = orders.toSorted((a, b) => a.at - b.at);
    const buys = sorted.filter(({ isSale }) => !isSale);
    const alerted = buys
      .slice(0, delays.length)
      .map((each, index) => ({ order: each, delay: delays[index] as number }));
    return { orders: sorted, alerted, ...rest };
  });

/** As the stores have it. `until`: what came later is not in them yet. */
function storedMarket(
  { orders, alerted, settledAt, feeRate }: RandomMarket,
  until = Number.POSITIVE_INFINITY,
): RecordMarket {
  const alerts = alerted.map(({ order: own, delay }, index) =>
    alertOn(own, own.at + delay, { id: index + 1 }),
  );
  const isSettled = settledAt !== null && settledAt <= until;
  return recordMarket({
    orders: orders.filter(({ at }) => at <= until),
    alerts: alerts.filter(({ detectedAt }) => detectedAt <= until),
    ...(feeRate !== null && { feeRate }),
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

function slowMove(market: RandomMarket, own: RandomOrder, publishedAt: number): Partial<PriceMove> {
  const bought = slowFirst(market, own, publishedAt + MINUTE_MS, publishedAt + HOUR_MS);
  if (bought === null || bought.at >= (market.settledAt ?? Number.POSITIVE_INFINITY))
    return { state: 'no_price', openedAt: null, price: null, afterHour: null, value: null };
  const [hour, day] = [HOUR_MS, DAY_MS].map((time) => slowLater(market, own, bought.at + time));
  return {
    state: day == null ? 'pending' : 'measured',
    openedAt: bought.at,
    price: bought.price,
    afterHour: hour?.price ?? null,
    closedAt: day?.at ?? null,
    value: day?.price ?? null,
  };
}

/** The price that a follower paid; null: not fillable. */
function slowFill({ orders, settledAt }: RandomMarket, own: RandomOrder, publishedAt: number): number | null {
  const fill = orders.find(({ at, outcome, isSale }) => {
    const minute = at - (at % MINUTE_MS);
    const isInTime = minute >= publishedAt + 60_000 && minute < publishedAt + HOUR_MS;
    return isInTime && !isSale && outcome === own.outcome;
  });
  return fill === undefined || (settledAt !== null && fill.at >= settledAt) ? null : fill.price;
}

/** Names and values of all figures that are known. States, and counts that may grow, are left out. */
function knownFigures({ alerts, buys }: MeasuredMarket): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  const add = (name: string, figures: object) => {
    for (const [figure, value] of Object.entries(figures))
      if (value !== null && figure !== 'state') known.set(`${name} ${figure}`, value);
  };
  for (const { id, move, pro, free } of alerts)
    for (const [name, own] of Object.entries({ move, pro, free })) add(`${id} ${name}`, own);
  for (const { at, move } of buys) add(`${at}`, move);
  return known;
}

describe('measureMarket, for any orders', () => {
  it('gives the prices of a slow model that reads orders instead of quotes', () => {
    fc.assert(
      fc.property(randomMarket, (market) => {
        const { alerts, buys } = measured(storedMarket(market));
        for (const [index, { order, delay }] of market.alerted.entries()) {
          const { move, pro, free, publishedAt } = alerts[index] as (typeof alerts)[number];
          expect(publishedAt).toBe(order.at + delay);
          expect(move).toMatchObject(slowMove(market, order, publishedAt));
          expect(pro.price).toBe(slowFill(market, order, publishedAt));
          expect(free.price).toBe(slowFill(market, order, publishedAt + 300_000));
        }
        for (const buy of buys) {
          const order = market.orders.find(({ at }) => at === buy.at) as RandomOrder;
          expect(buy.move).toMatchObject(slowMove(market, order, buy.at));
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

it('what a reader without a key would have made of an alert is what the record measures', () => {
  const states = new Set<string>();
  fc.assert(
    fc.property(randomMarket, asOfs, (given, asOf) => {
      const stored = storedMarket(given, asOf);
      const expected = measured(stored, { asOf }).alerts.map(({ id, free }) => [
        id,
        { ...free, publicAt: expect.any(Number) },
      ]);
      const { settlement } = stored;
      const alerts = stored.alerts.map((alert) => ({
        ...alert,
        resolution: settlement && resolutionOf(alert, settlement),
      }));
      const found = alerts.map((alert) => [
        alert.id,
        freeFollower(alert, stored, { asOf, freeDelayMs: 300_000 }),
      ]);
      expect(found).toEqual(expected);
      for (const [, { state }] of expected as unknown as [number, { state: string }][]) states.add(state);
    }),
    { numRuns: 200 },
  );
  expect(states.size).toBeGreaterThan(3);
});
