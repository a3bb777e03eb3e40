import { describe, expect, it } from 'vitest';
import { entryOf, ratesOf } from '../../../src/core/record/win-rates.ts';

describe('ratesOf', () => {
  it('is the share that won, the mean entry, and what the first has over the second', () => {
    const { winRate, averageEntry, edge } = ratesOf({ resolved: 4, won: 1, entrySum: 2 });
    expect([winRate, averageEntry, edge]).toEqual([0.25, 0.5, -0.25]);
  });

  it('is null where nothing is resolved', () => {
    expect(ratesOf({ resolved: 0, won: 0, entrySum: 0 })).toEqual({
      winRate: null,
      averageEntry: null,
      edge: null,
    });
  });
});

describe('entryOf', () => {
  it.each([
    ['BUY', 0.25],
    ['SELL', 0.75],
  ] as const)('is the price of the outcome that a %s hopes for', (side, entry) => {
    expect(entryOf({ side, entryPrice: 0.25 })).toBe(entry);
  });
});
