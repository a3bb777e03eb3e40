import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { ComparisonName, RecordPlan } from '../detection/record-plan.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { outcomeDrawP, signFlipP } from './chance.ts';
import { blockSums, figureOf, type Observation, toDecimals } from './figure.ts';
import { observationsKnownAt } from './figures.ts';
import type { Period } from './periods.ts';
import type { RecordComparison, RecordVerdict, Verdict } from './record-report.ts';
import { comparisonText, FEWEST_BLOCKS } from './verdict.ts';

/** The error allowed to all verdicts of a plan together. */
const ERROR = 0.05;

/** Results: what was paid, against what the outcome paid. The others are moves of a price. */
const RESULTS: ReadonlySet<ComparisonName> = new Set(['won_minus_price', 'follower_pro']);

/**
 * The verdicts of a period, newest first: one for each verdict day of the plan that is over at `asOf`, from what was known at
 * its end. None for alerts from before the plan.
 */
export function verdictsOf(period: Period, plan: RecordPlan, asOf: EpochMs): readonly RecordVerdict[] {
  if (period.stage !== 'plan') return [];
  return plan.verdictDays
    .filter((day) => endOf(day) <= asOf)
    .toReversed()
    .map((day) => verdictOf(period, plan, day));
}

/** The end of the next verdict day; null after the last one and for alerts from before the plan. */
export function nextVerdictAt({ stage }: Period, plan: RecordPlan, asOf: EpochMs): EpochMs | null {
  const next = plan.verdictDays.find((day) => endOf(day) > asOf);
  return stage !== 'plan' || next === undefined ? null : endOf(next);
}

/** The end of a day, UTC. */
function endOf(day: string): EpochMs {
  return Date.parse(day) + DAY_MS;
}

function verdictOf(period: Period, plan: RecordPlan, day: string): RecordVerdict {
  const blocks = blocksOf(period.markets, endOf(day));
  const tests = plan.comparisons.map(({ name, weight }) => {
    const observations = observationsKnownAt(name, period, endOf(day));
    const figure = figureOf(observations, blocks);
    return {
      name,
      weight,
      figure,
      p: figure.blocks < FEWEST_BLOCKS ? null : pOf(name, observations, blocks),
    };
  });
  // One without a p stays in the family: what it would have taken of the error is not given to the others.
  const adjusted = weightedHolm(tests.map(({ weight, p }) => ({ weight, p: p ?? 1 })));
  const comparisons = tests.map(({ p, figure, ...test }, index): RecordComparison => {
    // Each verdict day gets an equal part of the error.
    const shared = Math.min(1, (adjusted[index] as number) * plan.verdictDays.length);
    const verdict = verdictBy(p === null ? null : shared, figure.mean);
    const stated = {
      ...test,
      ...figure,
      p: toDecimals(p),
      p_adjusted: p === null ? null : toDecimals(shared),
    };
    return { ...stated, verdict, text: comparisonText({ ...stated, verdict }) };
  });
  return { day, text: comparisons[0]?.text ?? '', comparisons };
}

function pOf(name: ComparisonName, observations: readonly Observation[], blocks: Blocks): number {
  const sums = blockSums(observations, blocks);
  return RESULTS.has(name) ? outcomeDrawP(sums) : signFlipP(sums);
}

function verdictBy(p: number | null, mean: number | null): Verdict {
  if (p === null || mean === null) return 'too_few';
  if (p > ERROR) return 'not_shown';
  return mean > 0 ? 'above' : 'below';
}

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
