import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import { type ScoreInput, scoreOf } from '../../../src/core/detection/score.ts';

const rules = DEFAULT_RULES.score;
const plain: ScoreInput = {
  type: 'fresh',
  ageDays: 1,
  markets: 1,
  sizeUsdc: 2_100,
  price: 0.42,
  hoursToEnd: null,
  volume24h: null,
  clusterWallets: 0,
};

describe('score', () => {
  test('the first published sample scores 80: accumulator of 2 days, 1 market, 4,500 in 3 buys at 0.19', () => {
    const { score } = scoreOf(rules, {
      ...plain,
      type: 'fresh_accumulator',
      ageDays: 2,
      sizeUsdc: 4_500,
      price: 0.19,
    });
    expect(score).toBe(80);
  });

  test('the second published sample scores 72: fresh of 1 day, 1 market, 2,100 at 0.42, with timing', () => {
    expect(scoreOf(rules, { ...plain, hoursToEnd: 3 }).score).toBe(72);
  });

  test('the reasons are the parts that gave points, and add up to the score', () => {
    const { score, reasons } = scoreOf(rules, { ...plain, hoursToEnd: 3 });
    expect(reasons.map(({ factor, points }) => [factor, points])).toEqual([
      ['wallet_age', 30],
      ['markets', 20],
      ['size', 8],
      ['odds', 4],
      ['timing', 10],
    ]);
    expect(score).toBe(72);
  });

  test('the price is that of the buy, and of the last order where there were several', () => {
    const noteOf = (type: ScoreInput['type']) =>
      scoreOf(rules, { ...plain, type, price: 0.19 }).reasons.find(({ factor }) => factor === 'odds')?.note;
    const notes = (['fresh', 'fresh_accumulator', 'cluster'] as const).map(noteOf);
    expect(notes[0]).toMatch(/^bought at 19/);
    for (const note of notes.slice(1)) expect(note).toMatch(/^last order at 19/);
  });

  test.each([
    ['24 hours before the end', { hoursToEnd: 24 }, 10],
    ['more than 24 hours before the end', { hoursToEnd: 24.1 }, 0],
    ['at the end', { hoursToEnd: 0 }, 10],
    ['after the end', { hoursToEnd: -1 }, 0],
    ['20 % of the day volume', { sizeUsdc: 8_000, volume24h: 40_000 }, 10],
    ['less than 20 % of the day volume', { sizeUsdc: 8_000, volume24h: 40_100 }, 0],
    ['all of a small day volume, below 5,000 USDC', { sizeUsdc: 4_999, volume24h: 4_999 }, 0],
    ['5,000 USDC of a volume that is not known', { sizeUsdc: 5_000, volume24h: null }, 0],
  ])('timing: %s', (_name, given, points) => {
    const { reasons } = scoreOf(rules, { ...plain, ...given });
    expect(reasons.find(({ factor }) => factor === 'timing')?.points ?? 0).toBe(points);
  });

  test('a cluster gives 10 points and one more for each wallet beyond 3, at most 15', () => {
    const pointsOf = (clusterWallets: number) =>
      scoreOf(rules, { ...plain, type: 'cluster', clusterWallets }).reasons.at(-1)?.points;
    expect([3, 4, 8, 20].map(pointsOf)).toEqual([10, 11, 15, 15]);
  });

  test('a cheaper price never scores lower: the price of the outcome bought is never mirrored', () => {
    const price = fc.double({ min: 0.01, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(price, price, (a, b) => {
        const [cheap, dear] = a < b ? [a, b] : [b, a];
        expect(scoreOf(rules, { ...plain, price: cheap }).score).toBeGreaterThanOrEqual(
          scoreOf(rules, { ...plain, price: dear }).score,
        );
      }),
    );
  });

  const anyInput = fc.record({
    type: fc.constantFrom('fresh' as const, 'fresh_accumulator' as const, 'cluster' as const),
    ageDays: fc.double({ min: 0, max: 4_000, noNaN: true }),
    markets: fc.integer({ min: 0, max: 5_000 }),
    sizeUsdc: fc.oneof(
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      fc.integer({ min: 500, max: 50_000 }),
    ),
    price: fc.double({ min: 0, max: 1, noNaN: true }),
    hoursToEnd: fc.option(fc.double({ min: -1e5, max: 1e5, noNaN: true })),
    volume24h: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
    clusterWallets: fc.integer({ min: 0, max: 500 }),
  });

  test('a score is a whole number from 0 to 100 for any input', () => {
    fc.assert(
      fc.property(anyInput, (given) => {
        const { score } = scoreOf(rules, given);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  test.each([
    ['the default rules', rules],
    [
      'rules with fractional points',
      {
        ...rules,
        ageSteps: [[14, 12.4]],
        oddsSteps: [[1, 7.5]],
        timing: { ...rules.timing, points: 0.4 },
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
