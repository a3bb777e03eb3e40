import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type WeightedTest, weightedHolm } from '../../../src/core/record/verdict.ts';

const equally = (...all: readonly number[]) => all.map((p) => ({ p, weight: 1 / all.length }));

describe('weightedHolm', () => {
  test('with equal weights it is Holm’s procedure (textbook: .01, .04, .03, .005 give .03, .06, .06, .02)', () => {
    const adjusted = weightedHolm(equally(0.01, 0.04, 0.03, 0.005));
    for (const [index, expected] of [0.03, 0.06, 0.06, 0.02].entries())
      expect(adjusted[index]).toBeCloseTo(expected, 12);
  });

  test('a p is multiplied by the weights that are left and divided by its own', () => {
    // By p / weight: .01/.5 = .02 of 1; then .02/.3 of .5; then .06/.2 of .2.
    const family = [
      { p: 0.06, weight: 0.2 },
      { p: 0.01, weight: 0.5 },
      { p: 0.02, weight: 0.3 },
    ];
    const adjusted = weightedHolm(family);
    for (const [index, expected] of [0.06, 0.02, 0.1 / 3].entries())
      expect(adjusted[index]).toBeCloseTo(expected, 12);
  });

  const family = fc
    .array(
      fc.record({ p: fc.double({ min: 0, max: 1, noNaN: true }), parts: fc.integer({ min: 1, max: 16 }) }),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((tests) => {
      const whole = tests.reduce((sum, { parts }) => sum + parts, 0);
      return tests.map(({ p, parts }) => ({ p, weight: parts / whole }));
    });

  test('it is the closed test of all weighted Bonferroni tests', () => {
    fc.assert(
      fc.property(family, (tests) => {
        const adjusted = weightedHolm(tests);
        for (const [index, expected] of closedTest(tests).entries())
          expect(adjusted[index]).toBeCloseTo(expected, 9);
      }),
    );
  });
});

/** By definition: the largest p of the intersections that a test is part of, each by weighted Bonferroni. */
function closedTest(tests: readonly WeightedTest[]): readonly number[] {
  const subsets = Array.from({ length: 2 ** tests.length }, (_, bits) =>
    tests.flatMap((each, index) => (bits & (1 << index) ? [{ ...each, index }] : [])),
  );
  return tests.map((_, index) =>
    Math.max(
      ...subsets
        .filter((subset) => subset.some((each) => each.index === index))
        .map((subset) => {
          const whole = subset.reduce((sum, { weight }) => sum + weight, 0);
          return Math.min(1, ...subset.map(({ p, weight }) => (p * whole) / weight));
        }),
    ),
  );
}
