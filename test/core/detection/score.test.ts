import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { type ScoreInput, scoreOf } from '../../../src/core/detection/score.ts';

const rules = DEFAULT_RULES.score;
const toWin = (usdc: number, price: number) => (usdc * (1 - price)) / price;
const plain: ScoreInput = {
  type: 'fresh',
  ageDays: 1,
  markets: 1,
  measureUsdc: 2_100,
  toWinUsdc: toWin(2_100, 0.42),
  hoursToEnd: null,
  volume24h: null,
  clusterWallets: 0,
};
const partOf = (given: Partial<ScoreInput>, factor: string) =>
  scoreOf(rules, { ...plain, ...given }).reasons.find((part) => part.factor === factor);

describe('score', () => {
  test('the reasons are the parts that gave points, and add up to the score', () => {
    const { score, reasons } = scoreOf(rules, { ...plain, hoursToEnd: 3 });
    expect(reasons.map(({ factor, points }) => [factor, points])).toEqual([
      ['wallet_age', 15],
      ['markets', 10],
      ['to_win', 16],
      ['timing', 15],
    ]);
    expect(score).toBe(56);
  });

  test.each([
    [{ markets: 1, ageDays: 0.9 }, 'first market', 'wallet under a day old'],
    [{ markets: 2, ageDays: 1.9 }, '2 markets so far', 'wallet 1 day old'],
    [{ markets: 2, ageDays: 2, type: 'cluster' }, 'last wallet: 2 markets so far', 'last wallet 2 days old'],
  ] as const)('says how new the wallet is: %o', (given, markets, age) => {
    expect(partOf(given, 'markets')?.note).toBe(markets);
    expect(partOf(given, 'wallet_age')?.note).toBe(age);
  });

  test('says what wins: the order alone, or all that the alert is about', () => {
    const noteOf = (type: ScoreInput['type']) => partOf({ type }, 'to_win')?.note;
    expect(noteOf('fresh')).toBe('$2,900 to win with one order');
    for (const type of ['fresh_accumulator', 'cluster'] as const)
      expect(noteOf(type)).toBe('$2,900 to win in all');
  });

  test.each([
    ['at the end', { hoursToEnd: 0 }, 15, '1 h before close'],
    ['24 hours before the end', { hoursToEnd: 24 }, 15, '24 h before close'],
    ['3 days before the end', { hoursToEnd: 72 }, 11, '3 days before close'],
    ['7 days before the end', { hoursToEnd: 168 }, 7, '7 days before close'],
    ['30 days before the end', { hoursToEnd: 720 }, 4, '30 days before close'],
    ['earlier', { hoursToEnd: 720.1 }, 0, undefined],
    ['after the end', { hoursToEnd: -0.001 }, 0, undefined],
    [
      '20% of the day volume',
      { measureUsdc: 8_000, volume24h: 40_000 },
      11,
      "20% of the market's day volume",
    ],
    ['less than 20% of the day volume', { measureUsdc: 8_000, volume24h: 40_100 }, 0, undefined],
    ['all of a small day volume, below 5,000 USDC', { measureUsdc: 4_999, volume24h: 4_999 }, 0, undefined],
    ['5,000 USDC of a volume that is not known', { measureUsdc: 5_000, volume24h: null }, 0, undefined],
    [
      'much of the volume after the end',
      { measureUsdc: 5_000, volume24h: 4_000, hoursToEnd: -9 },
      11,
      "more than the market's day volume",
    ],
    [
      'much of the volume 7 days before the end',
      { measureUsdc: 5_000, volume24h: 9_000, hoursToEnd: 168 },
      11,
      "56% of the market's day volume",
    ],
    [
      'much of the volume on the last day',
      { measureUsdc: 5_000, volume24h: 9_000, hoursToEnd: 20 },
      15,
      '20 h before close',
    ],
  ])('timing: %s', (_name, given, points, note) => {
    const part = partOf(given, 'timing');
    expect(part?.points ?? 0).toBe(points);
    expect(part?.note).toBe(note);
  });

  const anyInput = fc.record({
    type: fc.constantFrom('fresh' as const, 'fresh_accumulator' as const, 'cluster' as const),
    ageDays: fc.double({ min: 0, max: 4_000, noNaN: true }),
    markets: fc.integer({ min: 0, max: 5_000 }),
    measureUsdc: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    toWinUsdc: fc.oneof(
      fc.double({ min: -1, max: 1e9, noNaN: true }),
      fc.integer({ min: 500, max: 300_000 }),
    ),
    hoursToEnd: fc.option(fc.double({ min: -1e5, max: 1e5, noNaN: true })),
    volume24h: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    clusterWallets: fc.integer({ min: 0, max: 500 }),
  });

  test.each([
    ['the default rules', rules],
    [
      'rules with fractional points',
      {
        ...rules,
        ageSteps: [[14, 12.4]],
        toWin: { ...rules.toWin, points: 54.5 },
        timing: { ...rules.timing, endSteps: [[9, 7.5]], volumePoints: 0.4 },
        accumulatorPoints: 9.6,
      } satisfies typeof rules,
    ],
  ])(
    'the points shown are whole and add up to exactly the score, up to the cap of 100: %s',
    (_name, given) => {
      fc.assert(
        fc.property(anyInput, (input) => {
          const { score, reasons } = scoreOf(given, input);
          for (const { points, max } of reasons) {
            expect(Number.isInteger(points) && points > 0 && points <= max).toBe(true);
          }
          expect(score).toBe(Math.min(100, sumOf(reasons)));
        }),
        { numRuns: 1_000 },
      );
    },
  );
});

function sumOf(reasons: readonly { readonly points: number }[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0);
}
