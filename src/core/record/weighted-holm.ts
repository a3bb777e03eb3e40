/** One test of a family: its p, and its weight above 0; the weights of a family add up to 1. */
export interface WeightedTest {
  readonly p: number;
  readonly weight: number;
}

/**
 * The adjusted p of each test, in the given order (weighted Holm): taken by p / weight, a p is multiplied by the weights
 * that are left and divided by its own; no later one is smaller. Rejecting what is at most α errs in at most α of families,
 * however the tests depend on each other.
 */
export function weightedHolm(tests: readonly WeightedTest[]): readonly number[] {
  const order = tests
    .map(({ p, weight }, index) => ({ index, ratio: p / weight }))
    .sort((a, b) => a.ratio - b.ratio || a.index - b.index);
  const adjusted = tests.map(() => 1);
  let left = tests.reduce((sum, { weight }) => sum + weight, 0);
  let largest = 0;
  for (const { index, ratio } of order) {
    largest = Math.max(largest, Math.min(1, left * ratio));
    adjusted[index] = largest;
    left -= tests[index]?.weight ?? 0;
  }
  return adjusted;
}
