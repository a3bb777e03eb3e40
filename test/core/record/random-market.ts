import fc from 'fast-check';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
import type { RecordMarket } from '../../../src/core/record/measured-market.ts';
import { alertOn, type GivenOrder, recordMarket, time } from './record-market-fixture.ts';

const START = time('00:00:00');

export interface RandomMarket {
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

export const randomMarket: fc.Arbitrary<RandomMarket> = fc
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
export function storedMarket(
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

export const asOfs = fc.integer({ min: START, max: START + 2 * DAY_MS + 4 * HOUR_MS });
