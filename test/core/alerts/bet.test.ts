import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { betOf, isRight } from '../../../src/core/alerts/bet.ts';
import { alertOf } from '../../support/alerts.ts';

const ORDER = alertOf({ id: 1 });
/** 10,000 shares in 4 buys for $4,500; the last order has 1,000 of them for $500. */
const POSITION = alertOf({
  id: 2,
  type: 'fresh_accumulator',
  usdc: 500,
  shares: 1_000,
  entryPrice: 0.5,
  details: {
    ...ORDER.details,
    marketBuyCount: 4,
    marketTotalBought: 4_500,
    marketAvgPrice: 0.45,
    positionShares: 10_000,
    toWinUsdc: 5_500,
  },
});
const CLUSTER = alertOf({
  id: 3,
  type: 'cluster',
  details: {
    ...ORDER.details,
    wallets: ['0xaa', '0xbb', '0xcc'],
    clusterTotal: 24_078,
    clusterShares: 35_937,
    clusterAvgPrice: 0.67,
    toWinUsdc: 11_859,
  },
});
const settled = (alert: Alert, payout: number): Alert => ({
  ...alert,
  resolution: { payout, won: payout === 1, profitUsdc: 0 },
});
/** Sold 76% of 10,000 shares after alert 2. */
const EXIT = { alertIds: [1, 2], heldShares: 2_400, peakShares: 10_000 };

describe('bet', () => {
  test('of one order is the order, of several buys the position at its mean price, of a cluster the sum of its members', () => {
    expect(betOf(ORDER)).toMatchObject({ putInUsdc: 2_000, meanPrice: 0.4, toWinUsdc: 3_000 });
    expect(betOf(POSITION)).toMatchObject({ putInUsdc: 4_500, meanPrice: 0.45, toWinUsdc: 5_500 });
    expect(betOf(CLUSTER)).toMatchObject({ putInUsdc: 24_078, meanPrice: 0.67, toWinUsdc: 11_859 });
  });

  test('a second large order of a new wallet is part of its bet, though its alert names the order alone', () => {
    const details = { ...POSITION.details, marketBuyCount: 2, toWinUsdc: 500 };

    expect(betOf({ ...POSITION, type: 'fresh', details })).toMatchObject({
      putInUsdc: 4_500,
      meanPrice: 0.45,
      toWinUsdc: 5_500,
    });
  });

  test('is held as a whole until an exit, of which the rest is held', () => {
    expect(betOf(POSITION).heldShare).toBe(1);
    expect(betOf(POSITION, EXIT).heldShare).toBe(0.24);
    expect(betOf(POSITION, { ...EXIT, heldShares: 0 }).heldShare).toBe(0);
  });

  test('an exit before the alert is already part of what the alert holds', () => {
    const bought = { ...POSITION, details: { ...POSITION.details, heldShare: 0.62 } };

    expect(betOf(bought, { ...EXIT, alertIds: [1] }).heldShare).toBe(0.62);
    expect(betOf(bought, EXIT).heldShare).toBe(0.1488);
  });

  test('does not say how much is held where trades may have been missed, until an exit is seen', () => {
    const unknown = { ...POSITION, details: { ...POSITION.details, isPositionKnown: false } };

    expect(betOf(unknown).heldShare).toBeNull();
    expect(betOf(settled(unknown, 1)).resultUsdc).toBe(5_500);
    expect(betOf(unknown, EXIT).heldShare).toBe(0.24);
  });

  test.each([
    ['won as a whole', 1, null, 5_500],
    ['lost as a whole', 0, null, -4_500],
    ['won with what was held', 1, EXIT, 1_320],
    ['lost with what was held', 0, EXIT, -1_080],
    ['nothing held', 1, { ...EXIT, heldShares: 0 }, 0],
    ['split in the middle', 0.5, null, 500],
  ])('result: %s', (_name, payout, exit, expected) => {
    expect(betOf(settled(POSITION, payout), exit).resultUsdc).toBe(expected);
  });

  test('has no result before the settlement', () => {
    expect(betOf(POSITION, EXIT).resultUsdc).toBeNull();
    expect(isRight(POSITION)).toBeNull();
  });

  test('is right if the outcome happened, whatever was sold; in a split market if it had a profit', () => {
    expect(isRight(settled(POSITION, 1))).toBe(true);
    expect(isRight(settled(POSITION, 0))).toBe(false);
    expect(isRight(settled(POSITION, 0.5))).toBe(true);
    expect(isRight(settled(CLUSTER, 0.5))).toBe(false);
  });
});
