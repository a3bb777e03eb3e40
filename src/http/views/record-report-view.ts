import { z } from 'zod';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { DEFAULT_PLAN } from '../../core/detection/record-plan.ts';
import { NOTHING_MEASURED } from '../../core/record/conclusion.ts';
import { RECORD_VERDICTS, type RecordReport, STAGES } from '../../core/record/record-report.ts';
import { named } from '../schemas/enumerations.ts';
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
  alerts: count('Number of counted alerts that have this figure.'),
  events: count('Their events.'),
  mean: decimalOrNull(
    'Mean of the events, each the mean of its alerts, in USDC per share; null if there are none.',
  ),
  per_alert: decimalOrNull(
    'Mean of the alerts, each with one vote, in USDC per share; null if there are none.',
  ),
});

export const figuresSchema = component('RecordFigures', 'The figures of a stage, in USDC per share.', {
  move_24h: meanSchema.describe(
    'Price 24 hours later minus the price that a reader could pay: the primary figure.',
  ),
  won_minus_price: meanSchema.describe('Payout minus the price of the order.'),
});

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
  verdict: named('RecordVerdict', RECORD_VERDICTS, 'What the bettors of the record show.').describe(
    '`above`: the first bettor reached the threshold. `below`: the second one did.',
  ),
};

export const bettorSchema = component(
  'RecordBettor',
  'Two bettors who show whether prices were fair.',
  BETTOR,
);

export const moveBettorSchema = component(
  'RecordMoveBettor',
  'The bettors of the primary figure, and an interval.',
  {
    ...BETTOR,
    course: listOf(
      component('RecordCapitalPoint', 'Capital after a closed bet.', {
        at: moment('When the bet was closed.'),
        capital: decimal('The capital of the bettor who buys what the alert bought, in USDC.'),
      }),
      'The capital after each closed bet, ascending by time.',
    ),
    mean: decimalOrNull('Mean move of the bets with a known end, in USDC per share; null without one.'),
    low: decimalOrNull(
      'Lower end of the 96 % interval of the mean move, in USDC per share; null if there is none.',
    ),
    high: decimalOrNull(
      'Upper end of the 96 % interval of the mean move, in USDC per share; null if there is none.',
    ),
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
  },
);

const STAGE = named(
  'RecordStageName',
  STAGES,
  'Whether alerts count for the plan of the record or came before it.',
).describe('`plan`: alerts published since the start of the plan. `rehearsal`: those before it.');

export const stageSchema = component('RecordStage', 'The alerts before or since the start of the plan.', {
  stage: STAGE,
  first_alert_at: moment('Publication of its first alert.'),
  last_alert_at: moment('Publication of its last alert.'),
  conclusion: text('What can be said, in words.'),
  bettor: moveBettorSchema.describe('One bet at a time, on the price a day later.'),
  holder: bettorSchema.describe('A bet on every counted alert, held to its payout.'),
  counts: countsSchema.describe('How many alerts it has, and what is known of them.'),
  figures: figuresSchema.describe('Its figures.'),
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
    description: 'What the alerts were worth: prices after them and payouts, losses included.',
    examples: [EXAMPLE],
  }) satisfies z.ZodType<RecordReport>;

const JSON_TYPE = 'application/json; charset=utf-8';

export interface RecordAnswers {
  readonly json: ReadyAnswer;
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
    keyed: new ReadyAnswer(text, { ...keyed, contentType: JSON_TYPE }),
  };
}
