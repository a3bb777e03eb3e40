import { z } from 'zod';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { COMPARISONS, DEFAULT_PLAN } from '../../core/detection/record-plan.ts';
import { recordCsv } from '../../core/record/record-csv.ts';
import { FIGURES, type FigureName, type RecordReport } from '../../core/record/record-report.ts';
import {
  component,
  count,
  decimal,
  decimalOrNull,
  listOf,
  moment,
  momentOrNull,
  text,
} from '../schemas/fields.ts';
import { ReadyAnswer } from './ready-answer.ts';

const day = (description: string) => z.iso.date().describe(description);

const MEAN = {
  alerts: count('Counted alerts that have this figure; of rivals, buys.'),
  events: count('Their events.'),
  mean: decimalOrNull('Mean of the events, each the mean of its alerts, in USDC a share; null without any.'),
};

const meanSchema = component('RecordMean', 'A mean without an interval.', MEAN);

const FIGURE = {
  ...MEAN,
  blocks: count('Their blocks: events that share a tag and settle within 24 hours are one.'),
  low: decimalOrNull('Lower end of the 95 % interval of `mean`; null below two blocks.'),
  high: decimalOrNull('Upper end of the 95 % interval of `mean`; null below two blocks.'),
  per_alert: decimalOrNull('Mean of the alerts, each with one vote, in USDC a share; null without any.'),
};

const figureSchema = component('RecordFigure', 'A mean of events with its interval.', FIGURE);

const MEANINGS: Readonly<Record<FigureName, string>> = {
  impact: 'Reference price minus the price before the order: own impact.',
  drift_1h: 'Price 1 hour after the reference minus the reference.',
  drift_24h: 'Price 24 hours after the reference minus the reference.',
  drift_24h_from_entry: 'Price 24 hours after the reference minus the price of the order.',
  controls_drift_1h: '`drift_1h` of the controls.',
  controls_drift_24h: '`drift_24h` of the controls.',
  drift_1h_minus_controls: '`drift_1h` minus that of the controls of the same alert.',
  drift_24h_minus_controls: '`drift_24h` minus that of the controls of the same alert: the primary figure.',
  drift_24h_minus_rivals_1000: '`drift_24h` minus that of all buys of 1,000 USDC or more.',
  won_minus_price: 'Payout minus the price of the order.',
  position_won_minus_price: 'Payout minus the mean price of the position, where it is more than the order.',
  follower_free: 'Payout minus price and fee of a follower with a Free key.',
  follower_pro: 'Payout minus price and fee of a follower with a Pro key.',
  rivals_1000_drift_24h: '`drift_24h` of all buys of 1,000 USDC or more.',
  rivals_1000_won_minus_price: '`won_minus_price` of all buys of 1,000 USDC or more.',
  rivals_5000_drift_24h: '`drift_24h` of all buys of 5,000 USDC or more.',
  rivals_5000_won_minus_price: '`won_minus_price` of all buys of 5,000 USDC or more.',
  rivals_by_usdc_drift_24h: '`drift_24h` of the largest buys, as many as alerts.',
  rivals_by_usdc_won_minus_price: '`won_minus_price` of the largest buys, as many as alerts.',
  rivals_by_profit_at_stake_drift_24h: '`drift_24h` of the buys with the most profit at stake.',
  rivals_by_profit_at_stake_won_minus_price: '`won_minus_price` of the buys with the most profit at stake.',
};

const figuresSchema = component(
  'RecordFigures',
  'All figures of a period, in USDC a share.',
  Object.fromEntries(FIGURES.map((name) => [name, figureSchema.describe(MEANINGS[name])])) as Record<
    FigureName,
    typeof figureSchema
  >,
);

const comparisonSchema = component('RecordComparison', 'A comparison that was planned before the period.', {
  name: z.enum(COMPARISONS).describe('The figure that is compared with 0.'),
  ...FIGURE,
  weight: decimal('Its part of the error that the plan allows.'),
  p: decimalOrNull('Two-sided p; null below 50 blocks.'),
  p_adjusted: decimalOrNull(
    'For all comparisons and verdict days together, to be compared with 0.05; null below 50 blocks.',
  ),
  verdict: z
    .enum(['too_few', 'not_shown', 'above', 'below'])
    .describe('Too few to say, not shown to differ from the price, above it, or below it.'),
  text: text('The verdict as a sentence.'),
});

const verdictSchema = component(
  'RecordVerdict',
  'What was said on a planned day, of what was known at its end.',
  {
    day: day('The day, at whose end in UTC the figures were taken.'),
    text: text('The verdict of the first comparison, as a sentence.'),
    comparisons: listOf(comparisonSchema, 'In the order of the plan.'),
  },
);

const driftCountsSchema = component('RecordDriftCounts', 'Counted alerts by the state of their drift.', {
  measured: count('With a figure.'),
  pending: count('The 24 hours are not over.'),
  stale: count('No order within an hour before the reference or the later moment.'),
  unobserved: count('The minutes were not kept.'),
});

const followerCountsSchema = component(
  'RecordFollowerCounts',
  'Counted alerts by what became of a follower.',
  {
    settled: count('With a result.'),
    settlement: count('Filled; the market is not settled.'),
    waiting: count('The hour is not over.'),
    not_fillable: count('No buy of the outcome within the hour.'),
    fee_unknown: count('Settled, but the market stated no fee rate.'),
    unobserved: count('The minutes were not kept.'),
  },
);

const countsSchema = component('RecordCounts', 'How many alerts a period has, and what is known of them.', {
  alerts: count('Published alerts.'),
  counted: count('The first of each wallet, market and outcome; all that follows counts only these.'),
  events: count('Their events.'),
  blocks: count('Their blocks.'),
  settled: count('Their market is settled.'),
  drift_24h: driftCountsSchema.describe('By the state of their drift.'),
  few_controls: count('Fewer than two measured controls: no figure minus controls.'),
  follower_free: followerCountsSchema.describe('A follower with a Free key.'),
  follower_pro: followerCountsSchema.describe('A follower with a Pro key.'),
});

const controlsSchema = component(
  'RecordControls',
  'Buys of older wallets that the alerts are compared with.',
  {
    drawn: count('Controls drawn, at most 5 an alert.'),
    measured: count('Of these, with a drift of 24 hours.'),
    mean_usdc: decimalOrNull('Their mean size, in USDC; null without any.'),
    alerts_mean_usdc: decimalOrNull('Mean size of the orders of the counted alerts, in USDC.'),
    same_outcome: decimalOrNull('Share that bought the outcome of their alert, 0 to 1; null without any.'),
  },
);

const groupSchema = component('RecordGroup', 'A part of a period. No verdict is given for it.', {
  name: text('Month (`2027-03`), alert type, band of the score, or category.'),
  alerts: count('Counted alerts.'),
  events: count('Their events.'),
  drift_24h_minus_controls: meanSchema.describe('As in the figures of the period.'),
  won_minus_price: meanSchema.describe('As in the figures of the period.'),
});

const groupsSchema = component('RecordGroups', 'The period in parts.', {
  months: listOf(groupSchema, 'By the UTC month of publication.'),
  types: listOf(groupSchema, 'By alert type.'),
  bands: listOf(groupSchema, 'By band of the signal score.'),
  categories: listOf(groupSchema, 'By category.'),
});

const periodSchema = component('RecordPeriod', 'The alerts of one version of the rules.', {
  rule_version: text('Version of the rules of its alerts.', '3'),
  stage: z
    .enum(['before_plan', 'plan'])
    .describe('Before the start of the plan, without verdicts, or since.'),
  first_alert_at: moment('Publication of its first alert.'),
  last_alert_at: moment('Publication of its last alert.'),
  conclusion: text('What can be said, as a sentence.'),
  counts: countsSchema.describe('How many alerts it has, and what is known of them.'),
  figures: figuresSchema.describe('Its figures.'),
  controls: controlsSchema.describe('What the alerts are compared with.'),
  verdicts: listOf(verdictSchema, 'Newest first.'),
  next_verdict_at: momentOrNull('End of the next planned day; null if there is none.'),
  groups: groupsSchema.describe('The period in parts, without verdicts.'),
});

const planSchema = component('RecordPlan', 'What was fixed in the rules before the period.', {
  starts_at: day('Alerts published from this UTC day on count for verdicts.'),
  verdict_days: z.array(z.iso.date()).describe('The only days with verdicts.'),
  comparisons: z
    .array(
      z.object({
        name: z.enum(COMPARISONS).describe('The figure that is compared with 0.'),
        weight: decimal('Its part of the error; all add up to 1.'),
      }),
    )
    .describe('The only comparisons with verdicts, the primary one first.'),
});

const EXAMPLE: RecordReport = {
  as_of: '2026-12-01T09:55:00.000Z',
  rules: { version: '3', sha256: '9f2c4b1d'.repeat(8) },
  plan: {
    starts_at: DEFAULT_PLAN.startsAt,
    verdict_days: DEFAULT_PLAN.verdictDays,
    comparisons: DEFAULT_PLAN.comparisons,
  },
  conclusion: 'Too few to say: nothing is measured yet.',
  periods: [],
};

export const recordSchema = component(
  'RecordReport',
  'What the alerts were worth: prices after them, payouts, and results of followers, losses included.',
  EXAMPLE,
  {
    as_of: moment('Nothing later was used. On the clock of the source, behind it by the free delay.'),
    rules: z
      .object({
        version: text('Version of the running rules.', '3'),
        sha256: text('SHA-256 of their canonical JSON, as in the log.'),
      })
      .describe('The running rules.'),
    plan: planSchema.describe('The plan of the running rules.'),
    conclusion: text('What can be said of the newest period, as a sentence.'),
    periods: listOf(periodSchema, 'Newest first; empty before the first alert.'),
  },
) satisfies z.ZodType<RecordReport>;

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface RecordAnswers {
  readonly json: ReadyAnswer;
  readonly csv: ReadyAnswer;
  readonly keyed: ReadyAnswer;
  readonly report: RecordReport;
}

/** `text`: JSON of the `RecordReport`. `madeAt`: null when it only says that nothing is measured yet. */
export function recordAnswers(text: string, madeAt: EpochMs | null): RecordAnswers {
  const headers: Record<string, string> =
    madeAt === null ? {} : { 'last-modified': new Date(madeAt).toUTCString() };
  const open = { cacheControl: 'public, max-age=300', vary: 'origin', headers };
  const keyed = { cacheControl: 'private, no-cache', vary: 'authorization', headers };
  const report = JSON.parse(text) as RecordReport;
  return {
    report,
    json: new ReadyAnswer(text, { ...open, contentType: JSON_TYPE }),
    csv: new ReadyAnswer(recordCsv(report), { ...open, contentType: CSV_TYPE }),
    keyed: new ReadyAnswer(text, { ...keyed, contentType: JSON_TYPE }),
  };
}
