import { z } from 'zod';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { DEFAULT_PLAN } from '../../core/detection/record-plan.ts';
import { NOTHING_MEASURED } from '../../core/record/conclusion.ts';
import {
  FIGURES,
  type FigureName,
  RECORD_VERDICTS,
  type RecordReport,
  recordCsv,
  STAGES,
} from '../../core/record/record-report.ts';
import {
  component,
  count,
  decimal,
  decimalOrNull,
  listOf,
  moment,
  momentOrNull,
  text,
  textOrNull,
} from '../schemas/fields.ts';
import { ReadyAnswer } from './ready-answer.ts';

const meanSchema = component('RecordMean', 'A mean over alerts, without a verdict.', {
  alerts: count('Number of counted alerts that have this figure; for rivals, of buys.'),
  events: count('Their events.'),
  mean: decimalOrNull(
    'Mean of the events, each the mean of its alerts, in USDC per share; null if there are none.',
  ),
  per_alert: decimalOrNull(
    'Mean of the alerts, each with one vote, in USDC per share; null if there are none.',
  ),
});

const MEANINGS: Readonly<Record<FigureName, string>> = {
  impact: "The price that a reader could pay minus the last price before the alert's order.",
  move_1h: 'Price 1 hour later minus the price that a reader could pay.',
  move_24h: 'Price 24 hours later minus the price that a reader could pay: the primary figure.',
  move_24h_from_entry: 'Price 24 hours later minus the price of the order.',
  controls_move_24h: '`move_24h` of the controls.',
  move_24h_minus_controls: '`move_24h` minus that of the controls of the same alert.',
  won_minus_price: 'Payout minus the price of the order.',
  position_won_minus_price: 'Payout minus the mean price of the position, where it is more than the order.',
  follower_free: 'Payout minus price and fee of a follower with a Free key.',
  follower_pro: 'Payout minus price and fee of a follower with a Pro key.',
  rivals_1000_move_24h: '`move_24h` of all buys of 1,000 USDC or more.',
  rivals_1000_won_minus_price: '`won_minus_price` of all buys of 1,000 USDC or more.',
  rivals_5000_move_24h: '`move_24h` of all buys of 5,000 USDC or more.',
  rivals_5000_won_minus_price: '`won_minus_price` of all buys of 5,000 USDC or more.',
  rivals_by_usdc_move_24h: '`move_24h` of the largest buys, as many as alerts.',
  rivals_by_usdc_won_minus_price: '`won_minus_price` of the largest buys, as many as alerts.',
  rivals_by_to_win_move_24h: '`move_24h` of the buys with the most to win, as many as alerts.',
  rivals_by_to_win_won_minus_price: '`won_minus_price` of the buys with the most to win, as many as alerts.',
};

export const figuresSchema = z
  .object(
    Object.fromEntries(FIGURES.map((name) => [name, meanSchema.describe(MEANINGS[name])])) as Record<
      FigureName,
      typeof meanSchema
    >,
  )
  .meta({ id: 'RecordFigures', description: 'All figures of a stage, in USDC per share.' });

const capitalSchema = component('RecordCapital', 'Hypothetical capital that began with 1 USDC.', {
  now: decimal('Capital that is free now, in USDC; what is staked counts as lost.'),
  highest: decimal('The highest it ever was, in USDC.'),
  reached_at: momentOrNull('When it first reached the threshold; null if never.'),
});

const BETTOR = {
  threshold: decimal(
    'Capital, in USDC, that chance alone reaches with a probability of at most 1 in this number.',
  ),
  bets: count('Bets made.'),
  open: count('Bets whose end is unknown.'),
  bought: capitalSchema.describe('Of a bettor who buys what the alert bought.'),
  sold: capitalSchema.describe('Of a bettor who buys the other outcome.'),
  verdict: z
    .enum(RECORD_VERDICTS)
    .describe('`above`: the first bettor reached the threshold. `below`: the second one did.'),
};

export const bettorSchema = component(
  'RecordBettor',
  'Two bettors who show whether prices were fair.',
  BETTOR,
);

const coursePointSchema = component('RecordCoursePoint', 'The capital of both bettors at a moment.', {
  at: moment('The first bet, a bet that was closed, or the last bet that is open.'),
  bought: decimal('Of the bettor who buys what the alert bought, in USDC.'),
  sold: decimal('Of the bettor who buys the other outcome, in USDC.'),
});

export const moveBettorSchema = component(
  'RecordMoveBettor',
  'The bettors of the primary figure, and an interval.',
  {
    ...BETTOR,
    mean: decimalOrNull('Mean move of the bets with a known end, in USDC per share; null without one.'),
    low: decimalOrNull(
      'Lower end of the 96 % interval of the mean move, in USDC per share; null if there is none.',
    ),
    high: decimalOrNull(
      'Upper end of the 96 % interval of the mean move, in USDC per share; null if there is none.',
    ),
    course: listOf(
      coursePointSchema,
      'The capital over time, ascending. At most about 150 points, evenly chosen; the highest is among them.',
    ),
  },
);

const moveCountsSchema = component('RecordMoveCounts', 'Counted alerts by the state of their move.', {
  measured: count('With a price 24 hours later.'),
  pending: count('The price is not known yet.'),
  no_price: count('No order came in the hour in which a reader could buy.'),
  unobserved: count('The minutes of that hour were not all kept.'),
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
    unobserved: count('The minutes were not all kept.'),
  },
);

export const countsSchema = component(
  'RecordCounts',
  'How many alerts a stage has, and what is known of them.',
  {
    alerts: count('Published alerts.'),
    counted: count('The first of each wallet, market and outcome; all that follows counts only these.'),
    events: count('Their events.'),
    settled: count('Their market is settled.'),
    right: count('Settled, and their outcome paid the whole dollar.'),
    wrong: count('Settled, and their outcome paid nothing.'),
    move_24h: moveCountsSchema.describe('By the state of their move.'),
    follower_free: followerCountsSchema.describe('A follower with a Free key.'),
    follower_pro: followerCountsSchema.describe('A follower with a Pro key.'),
  },
);

const coverageSchema = component('RecordCoverage', 'Whether the measured alerts are like the others.', {
  measured: meanSchema.describe('`won_minus_price` of the alerts with a measured move.'),
  rest: meanSchema.describe('`won_minus_price` of the others.'),
});

const controlsSchema = component('RecordControls', 'Buys that the alerts are compared with.', {
  eligible: count('Buys of the same outcome by older wallets, around the time and the price of an alert.'),
  measured: count('Of these, with a price 24 hours later.'),
  mean_usdc: decimalOrNull('Their mean size, in USDC; null if there are none.'),
  alerts_mean_usdc: decimalOrNull('Mean size of the orders of the counted alerts, in USDC.'),
});

const exitsSchema = component(
  'RecordExits',
  'Positions that wallets sold before the market was settled, compared with the same shares held. No verdict is given for it.',
  {
    positions: count('Positions with an exit that holds, of settled markets.'),
    realized_usdc: decimal('Proceeds of their sales minus the cost of the shares, in USDC before fees.'),
    held_usdc: decimal('What the same shares would have brought at the settlement, in USDC before fees.'),
  },
);

const groupSchema = component('RecordGroup', 'A part of a stage. No verdict is given for it.', {
  name: text('Month (`2027-03`), alert type, band of the score, category, or version of the rules.'),
  alerts: count('Counted alerts.'),
  events: count('Their events.'),
  move_24h: meanSchema.describe('As in the figures of the stage.'),
  won_minus_price: meanSchema.describe('As in the figures of the stage.'),
});

const groupsSchema = component('RecordGroups', 'The stage in parts.', {
  months: listOf(groupSchema, 'By the UTC month of publication.'),
  types: listOf(groupSchema, 'By alert type.'),
  bands: listOf(groupSchema, 'By band of the signal score.'),
  categories: listOf(groupSchema, 'By category.'),
  rules: listOf(groupSchema, 'By version of the rules.'),
});

const STAGE = z
  .enum(STAGES)
  .describe('`plan`: alerts published since the start of the plan. `rehearsal`: those before it.');

export const stageSchema = component('RecordStage', 'The alerts before or since the start of the plan.', {
  stage: STAGE,
  first_alert_at: moment('Publication of its first alert.'),
  last_alert_at: moment('Publication of its last alert.'),
  conclusion: text('What can be said, in words.'),
  bettor: moveBettorSchema.describe('One bet at a time, on the price a day later.'),
  holder: bettorSchema.describe('A bet on every counted alert, held to its payout.'),
  counts: countsSchema.describe('How many alerts it has, and what is known of them.'),
  coverage: coverageSchema.describe('Whether the measured alerts are like the others.'),
  figures: figuresSchema.describe('Its figures.'),
  controls: controlsSchema.describe('What the alerts are compared with.'),
  exits: exitsSchema.describe('What was sold before the end, compared with the same shares held to the end.'),
  groups: groupsSchema.describe('The stage in parts, without verdicts.'),
});

export const withdrawnSchema = component(
  'RecordWithdrawnVerdict',
  'A verdict that was withdrawn because data was corrected.',
  {
    stage: STAGE,
    bettor: z.enum(['bettor', 'holder']).describe('Which bettor.'),
    verdict: z.enum(['above', 'below']).describe('What was said.'),
    reached_at: moment('When the threshold was said to be reached.'),
    withdrawn_at: moment('`as_of` of the first record without it.'),
  },
);

const EXAMPLE: RecordReport = {
  as_of: '2026-12-01T09:55:00.000Z',
  rules: { version: '4', sha256: '9f2c4b1d'.repeat(8) },
  plan: { starts_at: DEFAULT_PLAN.startsAt },
  conclusion: NOTHING_MEASURED,
  results: null,
  stages: [],
  withdrawn: [],
};

export const recordSchema = z
  .object({
    as_of: moment('Nothing later was used. Of a replay, like all its dates, moved as its alerts are.'),
    rules: z
      .object({
        version: text('Version of the running rules.', '4'),
        sha256: text('SHA-256 of their canonical JSON, as in the log.'),
      })
      .describe('The running rules.'),
    plan: z
      .object({
        starts_at: z.iso.date().describe('Alerts published from this UTC day on belong to the plan.'),
      })
      .meta({ id: 'RecordPlan', description: 'What was fixed in the rules before the alerts.' }),
    conclusion: text('What can be said about the newest stage, in words.'),
    results: textOrNull(
      'How many of its settled bets were right, beside what the prices paid needed; null while none is settled.',
    ),
    stages: listOf(stageSchema, 'Newest first; empty before the first alert.'),
    withdrawn: listOf(
      withdrawnSchema,
      'Verdicts that were withdrawn because data was corrected, oldest first.',
    ),
  })
  .meta({
    id: 'RecordReport',
    description:
      'What the alerts were worth: prices after them, payouts, and results of followers, losses included.',
    examples: [EXAMPLE],
  }) satisfies z.ZodType<RecordReport>;

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
