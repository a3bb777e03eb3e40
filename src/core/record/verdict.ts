import { capitalised, counted, signedCents } from '../base/text/formats.ts';
import { DAY_MS } from '../base/time/duration.ts';
import type { ComparisonName, RecordPlan } from '../detection/record-plan.ts';
import type { RecordComparison, RecordFigure, RecordPeriod } from './record-report.ts';

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
  switch (verdict) {
    case 'too_few':
      return tooFewText(blocks);
    case 'not_shown':
      return `not shown to differ from the price (${numbersOf(figure)})`;
    case 'above':
      return `above the price (${numbersOf(figure)})`;
    case 'below':
      return `below the price (${numbersOf(figure)})`;
  }
}

/** A block of events that were decided within a day of each other is one night. */
function tooFewText(blocks: number): string {
  if (blocks === 0) return 'too few to say: nothing is measured yet';
  if (blocks === 1) return 'too few to say: one night';
  return `too few to say: ${blocks} blocks, ${FEWEST_BLOCKS} are needed`;
}

function numbersOf({
  mean,
  low,
  high,
  events,
}: Pick<RecordFigure, 'mean' | 'low' | 'high' | 'events'>): string {
  const interval =
    low === null || high === null ? '' : `, 95 % interval ${signedCents(low)} to ${signedCents(high)}`;
  return `${signedCents(mean ?? 0)} a share${interval}, ${counted(events, 'event')}`;
}

function primaryOf({ comparisons }: RecordPlan): ComparisonName {
  return comparisons[0]?.name ?? 'drift_24h_minus_controls';
}
