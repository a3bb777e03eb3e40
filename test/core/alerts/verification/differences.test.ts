import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/alerts/log/log-entry.ts';
import { resolutionOf } from '../../../../src/core/alerts/settlement.ts';
import { settlementDifference } from '../../../../src/core/alerts/verification/differences.ts';
import { rounded } from '../../../../src/core/base/rounded.ts';
import { alertView } from '../../../../src/http/views/alert-view.ts';
import { alertOf } from '../../../support/alerts.ts';

/** An order as the detector states it: whole shares and money are known in millionths, published rounded. */
const orders = fc.record({
  microShares: fc.integer({ min: 1_000_000, max: 2 ** 45 }),
  microPrice: fc.integer({ min: 10_001, max: 949_999 }),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  outcome: fc.constantFrom('Yes', 'No'),
  payouts: fc.constantFrom([1, 0], [0, 1], [0.5, 0.5]),
});

/** Orders that earned about half a cent in a split market, where the rounding decides who made money. */
const closeOrders = fc
  .record({
    millionths: fc.integer({ min: 2, max: 9 }),
    offset: fc.integer({ min: -9_000, max: 9_000 }),
  })
  .map(({ millionths, offset }) => ({
    microShares: Math.round(5_000_000_000 / millionths) + offset,
    microPrice: 500_000 - millionths,
    side: 'BUY' as const,
    outcome: 'Yes' as const,
    payouts: [0.5, 0.5],
  }));

function alertFor({
  microShares,
  microPrice,
  side,
  outcome,
}: Omit<typeof orders extends fc.Arbitrary<infer Order> ? Order : never, 'payouts'>) {
  const microUsdc = Math.floor((microShares * microPrice) / 1e6);
  const [shares, usdc] = [microShares / 1e6, rounded(microUsdc / 1e6, 2)];
  const plain = alertOf({
    id: 1,
    side,
    outcome,
    shares,
    usdc,
    entryPrice: rounded(microUsdc / microShares, 6),
  });
  const toWinUsdc = rounded((microShares - microUsdc) / 1e6, 2);
  const position = { positionShares: shares, toWinUsdc, marketTotalBought: usdc };
  return { ...plain, details: { ...plain.details, ...position } };
}

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;

describe('settlementDifference', () => {
  test('finds nothing in what the API answers of any order, whatever was rounded', () => {
    fc.assert(
      fc.property(fc.oneof(orders, closeOrders), ({ payouts, ...order }) => {
        const settlement = { outcomes: ['Yes', 'No'], payouts };
        const alert = alertFor(order);
        const answer = asJson(alertView({ ...alert, resolution: resolutionOf(alert, settlement) }));
        expect(settlementDifference(asJson(alertView(alert)), settlement, answer)).toBeNull();
      }),
    );
  });

  test('finds a profit that is a thousandth too large in any order of 1,000 USDC or more, and a wrong winner', () => {
    fc.assert(
      fc.property(orders, ({ payouts, ...order }) => {
        const settlement = { outcomes: ['Yes', 'No'], payouts };
        const alert = alertFor(order);
        const answer = asJson(alertView({ ...alert, resolution: resolutionOf(alert, settlement) }));
        const profit = answer['profit_usdc'] as number;
        fc.pre(alert.usdc >= 1_000 && Math.abs(profit) >= 1_000);
        const body = asJson(alertView(alert));
        const more = { ...answer, profit_usdc: profit * 1.001 };
        expect(settlementDifference(body, settlement, more)).toMatchObject({ field: 'profit_usdc' });
        const flipped = { ...answer, won: answer['won'] !== true };
        expect(settlementDifference(body, settlement, flipped)).toMatchObject({ field: 'won' });
      }),
    );
  });
});
