import { describe, expect, test } from 'vitest';
import { profitIfHeld } from '../../../src/core/alerts/bet.ts';
import { resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { alertOf } from '../../support/alerts.ts';

const outcomes = ['Yes', 'No'];
const buy = alertOf({ id: 1, side: 'BUY', entryPrice: 0.4, shares: 1_000 });
const sell = alertOf({ id: 2, side: 'SELL', entryPrice: 0.4, shares: 1_000 });

describe('resolution', () => {
  test.each([
    ['a BUY of the outcome that pays', buy, [1, 0], { payout: 1, won: true, profitUsdc: 600 }],
    ['a BUY of one that does not', buy, [0, 1], { payout: 0, won: false, profitUsdc: -400 }],
    ['a SELL of the outcome that pays', sell, [1, 0], { payout: 1, won: false, profitUsdc: -600 }],
    ['a SELL of one that does not', sell, [0, 1], { payout: 0, won: true, profitUsdc: 400 }],
    ['a BUY below 0.5 in a split market', buy, [0.5, 0.5], { payout: 0.5, won: true, profitUsdc: 100 }],
    ['a SELL below 0.5 in a split market', sell, [0.5, 0.5], { payout: 0.5, won: false, profitUsdc: -100 }],
    [
      'a BUY at 0.5 in a split market, which made nothing',
      { ...buy, entryPrice: 0.5 },
      [0.5, 0.5],
      { payout: 0.5, won: false, profitUsdc: 0 },
    ],
    [
      'a BUY of so many shares that the cents do not come out even',
      { ...buy, entryPrice: 0.333, shares: 10.01 },
      [1, 0],
      { payout: 1, won: true, profitUsdc: 6.68 },
    ],
  ])('%s', (_name, alert, payouts, expected) => {
    expect(resolutionOf(alert, { outcomes, payouts })).toEqual(expected);
  });

  test('the outcome is found by name, and by index where the market names none', () => {
    const no = alertOf({ id: 3, outcome: 'No', outcomeIndex: 999, entryPrice: 0.4, shares: 1_000 });
    expect(resolutionOf(no, { outcomes, payouts: [0, 1] })?.won).toBe(true);
    expect(resolutionOf({ ...no, outcomeIndex: 1 }, { outcomes: [], payouts: [0, 1] })?.won).toBe(true);
  });

  test('a name that two outcomes have, or that is empty, names neither: the index counts', () => {
    for (const outcome of ['Yes', '']) {
      const second = alertOf({ id: 5, outcome, outcomeIndex: 1, entryPrice: 0.4, shares: 1_000 });
      const same = [outcome, outcome];
      expect(resolutionOf(second, { outcomes: same, payouts: [0, 1] })).toMatchObject({
        payout: 1,
        won: true,
      });
      expect(resolutionOf({ ...second, outcomeIndex: 999 }, { outcomes: same, payouts: [0, 1] })).toBeNull();
    }
    const unnamed = alertOf({ id: 6, outcome: '', outcomeIndex: 999 });
    expect(resolutionOf(unnamed, { outcomes: ['', 'No'], payouts: [0, 1] })).toBeNull();
  });

  test('an outcome the market does not know stays open', () => {
    const odd = alertOf({ id: 4, outcome: 'Maybe', outcomeIndex: 999 });
    expect(resolutionOf(odd, { outcomes, payouts: [0, 1] })).toBeNull();
  });
});

describe('the profit of a position', () => {
  const details = { ...buy.details, marketBuyCount: 3, marketTotalBought: 600, positionShares: 2_000 };
  const held = { ...buy, details };
  const settled = (payout: number) => ({ payout, won: payout > 0, profitUsdc: 0 });
  const members = { wallets: ['0xa', '0xb', '0xc'], clusterTotal: 6_000, clusterAvgPrice: 0.3 };
  const cluster = {
    ...held,
    type: 'cluster',
    details: { ...details, ...members, clusterShares: 20_000 },
  } as const;

  test.each([
    ['whose outcome pays', held, 1, 1_400],
    ['whose outcome does not pay', held, 0, -600],
    ['in a split market', held, 0.5, 400],
    ['of a cluster counts all its wallets', cluster, 1, 14_000],
    ['of a cluster that lost', cluster, 0, -6_000],
  ])('%s', (_name, alert, payout, profit) => {
    expect(profitIfHeld({ ...alert, resolution: settled(payout) })).toBe(profit);
  });

  test('of a cluster at a low price is exact to the cent, which its mean price of 4 decimals is not', () => {
    const bought = { clusterTotal: 24_078, clusterShares: 1_951_215.559157, clusterAvgPrice: 0.0123 };
    const cheap = { ...cluster, details: { ...details, ...members, ...bought } };
    expect(profitIfHeld({ ...cheap, resolution: settled(1) })).toBe(1_927_137.56);
  });

  test('is not known before the market is settled', () => {
    expect(profitIfHeld(held)).toBeNull();
  });
});
