import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { describeResult, describeTrade, resultTone } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { exitWords } from '../../../src/core/alerts/exits/exit-words.ts';
import type { AlertDetails } from '../../../src/core/detection/candidate.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';

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
  const settled = (given: Alert, payout = 1): Alert => ({
    ...given,
    resolution: { payout, won: payout === 1, profitUsdc: given.shares * payout - given.usdc },
  });
  const exit = (heldShares: number) => exitOf({ number: 1, alertIds: [1], heldShares });

  test('is null until the market is settled', () => {
    expect(describeResult(ACCUMULATOR, null)).toBeNull();
    expect(describeResult(ACCUMULATOR, exit(0))).toBeNull();
  });

  test.each<[string, Alert, number, Exit | null, string]>([
    ['one order', FRESH, 1, null, '✅ won $7,000'],
    ['several buys: the position', ACCUMULATOR, 1, null, '✅ won $23,489'],
    ['a loss as plainly as a win', ACCUMULATOR, 0, null, '❌ lost $3,203'],
    ['a cluster: all its buys', CLUSTER, 0, null, '❌ lost $24,078'],
    ['76% sold', ACCUMULATOR, 1, exit(19_200), '✅ sold 76% at 71¢; won $5,637 on the 24% held'],
    ['nearly all sold', ACCUMULATOR, 1, exit(100), '✅ sold 99% at 71¢; won $31 on the 1% held'],
    ['all but one of 80,000 sold', ACCUMULATOR, 1, exit(1), '✅ sold 100% at 71¢; right, nothing was held'],
    ['sold out, and right', ACCUMULATOR, 1, exit(0), '✅ sold 100% at 71¢; right, nothing was held'],
    [
      'trades missed',
      alert(ACCUMULATOR, { ...POSITION, isPositionKnown: false }),
      1,
      null,
      '✅ won $23,489 if held',
    ],
    [
      'a sale: whole, whatever its wallet held',
      alert({ side: 'SELL' }, { heldShare: 0.3 }),
      1,
      null,
      '✅ won $7,000',
    ],
  ])('%s', (_, given, payout, sold, words) => {
    expect(describeResult(settled(given, payout), sold)).toBe(words);
  });

  test.each([19_200, 100, 79_999, 33_333, 20_000.001])(
    'names the share that the words of the exit leave: %d of 80,000',
    (heldShares) => {
      const sold = Number(/(\d+)%/.exec(exitWords(exit(heldShares)))?.[1]);
      const held =
        /the (\d+)% held/.exec(describeResult(settled(ACCUMULATOR), exit(heldShares)) ?? '')?.[1] ?? 100;

      expect(sold + Number(held)).toBe(100);
    },
  );

  test('a bet of which nothing was held has no colour', () => {
    expect(resultTone(settled(ACCUMULATOR), exit(0))).toBeNull();
    expect([resultTone(settled(ACCUMULATOR), exit(100)), resultTone(settled(FRESH, 0), null)]).toEqual([
      'right',
      'wrong',
    ]);
  });
});
