import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { AlertDetails } from '../../../src/core/detection/candidate.ts';
import { alertOf } from '../../support/alerts.ts';

const ORDER = alertOf({ id: 1, entryPrice: 0.3, usdc: 3_000, shares: 10_000 });
const FRESH = { ...ORDER, details: { ...ORDER.details, toWinUsdc: 7_000 } };

function alert(given: Partial<Alert>, details: Partial<AlertDetails> = {}): Alert {
  return { ...FRESH, ...given, details: { ...FRESH.details, ...details } };
}

const POSITION = {
  marketBuyCount: 6,
  marketTotalBought: 3_203,
  marketAvgPrice: 0.12,
  positionShares: 26_691.666667,
};
const ACCUMULATOR = alert({ type: 'fresh_accumulator', entryPrice: 0.1, usdc: 50, shares: 500 }, POSITION);
const MEMBERS = { wallets: ['0xa', '0xb', '0xc'], clusterTotal: 24_078.27 };
const CLUSTER = alert(
  { type: 'cluster', usdc: 4_000 },
  { ...MEMBERS, clusterShares: 35_937.716418, clusterAvgPrice: 0.67, toWinUsdc: 11_859.45 },
);

describe('describeTrade', () => {
  test.each([
    ['a fresh wallet: the order', FRESH, '$3,000 on Yes at 30¢ to win $7,000'],
    [
      'an accumulator: the position first, then its last order',
      ...([ACCUMULATOR, '$3,203 on Yes in 6 buys at 12¢ on average, the last $50, to win $23,489'] as const),
    ],
    [
      'a cluster: its wallets, their sum and its mean price',
      ...([CLUSTER, '3 wallets, $24,078 on Yes at 67¢ to win $11,859'] as const),
    ],
    ['a SELL: the order alone', alert({ side: 'SELL' }, POSITION), 'sold Yes at 30¢ for $3,000'],
  ])('%s', (_, given, words) => {
    expect(describeTrade(given)).toBe(words);
  });

  test('a resting order says so when it is described alone', () => {
    const maker = { role: 'maker' } as const;
    expect(describeTrade(alert({}, maker))).toBe('$3,000 on Yes at 30¢ to win $7,000 with a resting order');
    expect(describeTrade(alert({ side: 'SELL' }, maker))).toBe(
      'sold Yes at 30¢ for $3,000 with a resting order',
    );
    for (const role of ['taker', null] as const)
      expect(describeTrade(alert({}, { role }))).toBe(describeTrade(FRESH));
    const position = { ...ACCUMULATOR, details: { ...ACCUMULATOR.details, ...maker } };
    expect(describeTrade(position)).toBe(describeTrade(ACCUMULATOR));
  });
});

describe('describeResult', () => {
  const won = { payout: 1, won: true, profitUsdc: 1_234.4 };
  const lost = { payout: 0, won: false, profitUsdc: -50 };

  test('is null until the market is settled', () => {
    expect(describeResult(ACCUMULATOR)).toBeNull();
  });

  test('of one order is one figure', () => {
    expect(describeResult(alert({ resolution: won }))).toBe('✅ won $1,234');
    const single = { marketTotalBought: 3_000.4, marketAvgPrice: 0.3, positionShares: 10_000.9 };
    expect(describeResult(alert({ resolution: won }, single))).toBe('✅ won $1,234');
  });

  test('of an accumulator is that of its position, a loss as plainly as a win', () => {
    expect(describeResult({ ...ACCUMULATOR, resolution: { ...won, profitUsdc: 450 } })).toBe(
      '✅ won $23,489',
    );
    expect(describeResult({ ...ACCUMULATOR, resolution: lost })).toBe('❌ lost $3,203');
  });

  test('of a cluster is that of all its buys', () => {
    const resolution = { ...lost, profitUsdc: -4_000 };

    expect(describeResult({ ...CLUSTER, resolution })).toBe('❌ lost $24,078');
  });
});
