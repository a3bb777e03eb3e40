import { capitalised, counted, signedCents } from '../base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { ComparisonName, RecordPlan } from '../detection/record-plan.ts';
import { type Blocks, blocksOf } from './blocks.ts';
import { outcomeDrawP, signFlipP } from './chance.ts';
import { blockSums, figureOf, type Observation, toDecimals } from './figure.ts';
import { observationsKnownAt } from './figures.ts';
import type { Period } from './periods.ts';
import type {
  RecordComparison,
  RecordFigure,
  RecordPeriod,
  RecordVerdict,
  Verdict,
} from './record-report.ts';

/** With fewer blocks there is no verdict. */
export const FEWEST_BLOCKS = 50;

const SUBJECTS: Readonly<Record<ComparisonName, string>> = {
  drift_24h_minus_controls: 'the price a day after an alert, against that after comparable buys',
  won_minus_price: 'what the outcome paid, against the price of the order',
  follower_pro: 'the result of a follower with a Pro key, after fees',
  drift_1h_minus_controls: 'the price an hour after an alert, against that after comparable buys',
  drift_24h_minus_rivals_1000:
    'the price a day after an alert, against that after all buys of 1,000 USDC or more',
};

/** What is concluded from one comparison, as a sentence. */
export function comparisonText(comparison: Omit<RecordComparison, 'text' | 'weight'>): string {
  return `${capitalised(SUBJECTS[comparison.name])}: ${wordsOf(comparison)}.`;
}

/**
 * What a reader may conclude from a period. The latest verdict if there is one; until then that there is none, and when the first
 * one is due. Then the figures so far, which are no verdict.
 */
export function periodConclusion(
  period: Pick<RecordPeriod, 'stage' | 'verdicts' | 'next_verdict_at' | 'figures' | 'counts'>,
  plan: RecordPlan,
): string {
  const [latest] = period.verdicts;
  const said =
    latest === undefined ? withoutVerdict(period, plan) : `Verdict of ${latest.day}: ${latest.text}`;
  return [said, nextText(period, plan), figuresText(period)].filter((text) => text !== '').join(' ');
}

/** The conclusion where no alert is measured. */
export const NOTHING_MEASURED = 'Too few to say: nothing is measured yet.';

function withoutVerdict(
  { stage, figures, counts }: Pick<RecordPeriod, 'stage' | 'figures' | 'counts'>,
  plan: RecordPlan,
): string {
  const { blocks: measured } = figures[primaryOf(plan)];
  const blocks = measured === 0 && counts.blocks === 1 ? 1 : measured;
  if (blocks < FEWEST_BLOCKS) return `${capitalised(tooFewText(blocks))}.`;
  const reason =
    stage === 'plan'
      ? 'no verdict day is over'
      : 'these alerts are from before the plan, which fixed what counts';
  return `Not shown to differ from the price: ${reason}.`;
}

function nextText(
  { stage, next_verdict_at: next }: Pick<RecordPeriod, 'stage' | 'next_verdict_at'>,
  { startsAt }: RecordPlan,
): string {
  if (stage === 'before_plan')
    return `The plan begins on ${startsAt}; earlier alerts have figures and no verdict.`;
  if (next === null) return 'There is no further verdict day.';
  const day = new Date(Date.parse(next) - DAY_MS).toISOString().slice(0, 10);
  return `The next verdict is due at the end of ${day}.`;
}

/** The two figures that every period shows. */
function figuresText({ figures }: Pick<RecordPeriod, 'figures'>): string {
  const { drift_24h_minus_controls: drift, won_minus_price: won } = figures;
  const parts = [
    ...(drift.mean === null ? [] : [`a day later ${signedCents(drift.mean)} against comparable buys`]),
    ...(won.mean === null
      ? []
      : [`payout minus price ${signedCents(won.mean)} (per alert ${signedCents(won.per_alert ?? 0)})`]),
  ];
  return parts.length === 0 ? '' : `So far, one vote an event: ${parts.join(', ')}.`;
}

function wordsOf({ verdict, blocks, ...figure }: Omit<RecordComparison, 'text' | 'weight'>): string {
  if (verdict === 'too_few') return tooFewText(blocks);
  const relation = verdict === 'not_shown' ? 'not shown to differ from' : verdict;
  return `${relation} the price (${numbersOf(figure)})`;
}

/** A block of events that were decided within a day of each other is one night. */
function tooFewText(blocks: number): string {
  if (blocks === 0) return 'too few to say: nothing is measured yet';
  if (blocks === 1) return 'too few to say: one night';
  return `too few to say: ${blocks} blocks, ${FEWEST_BLOCKS} are needed`;
}

function numbersOf(figure: Pick<RecordFigure, 'mean' | 'low' | 'high' | 'events'>): string {
  const { mean, low, high, events } = figure;
  const interval =
    low === null || high === null ? '' : `, 95 % interval ${signedCents(low)} to ${signedCents(high)}`;
  return `${signedCents(mean ?? 0)} a share${interval}, ${counted(events, 'event')}`;
}

function primaryOf({ comparisons }: RecordPlan): ComparisonName {
  return comparisons[0]?.name ?? 'drift_24h_minus_controls';
}

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
