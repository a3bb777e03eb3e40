import { z } from 'zod';
import { DEFAULT_PLAN } from '../../core/detection/record-plan.ts';
import { NOTHING_MEASURED } from '../../core/record/conclusion.ts';
import { RECORD_VERDICTS, type RecordReport } from '../../core/record/record-report.ts';
import { named } from '../schemas/enumerations.ts';
import {
  component,
  count,
  decimal,
  decimalOrNull,
  listOf,
  moment,
  text,
  textOrNull,
} from '../schemas/fields.ts';
import { jsonAnswer, type ReadyAnswer } from './ready-answer.ts';

const capitalSchema = component('RecordCapital', 'Hypothetical capital that began with 1 USDC.', {
  now: decimal('Capital that is free now, in USDC; what is staked counts as lost.'),
  highest: decimal('The highest it ever was, in USDC.'),
});

const figureSchema = component(
  'RecordFigure',
  'A mean, its interval and its verdict, all of the same bets.',
  {
    threshold: decimal(
      'Capital, in USDC, that chance alone reaches with a probability of at most 1 in this number.',
    ),
    bets: count('Bets made.'),
    open: count('Bets whose end is unknown.'),
    mean: decimalOrNull('Mean of the bets with a known end, in USDC per share; null without one.'),
    low: decimalOrNull(
      'Lower end of the interval of the mean, valid at any time if the average is steady, in USDC per share; null if there is none.',
    ),
    high: decimalOrNull('Upper end of the interval; null if there is none.'),
    bought: capitalSchema.describe('Of a bettor who buys what the alert bought.'),
    sold: capitalSchema.describe('Of a bettor who buys the other outcome.'),
    verdict: named('RecordVerdict', RECORD_VERDICTS, 'What the bettors of the record show.').describe(
      '`above`: the first bettor reached the threshold. `below`: the second one did.',
    ),
  },
);

const FIGURE: RecordReport['payout'] = {
  threshold: 200,
  bets: 0,
  open: 0,
  mean: null,
  low: null,
  high: null,
  bought: { now: 1, highest: 1 },
  sold: { now: 1, highest: 1 },
  verdict: 'not_shown',
};

const EXAMPLE: RecordReport = {
  as_of: '2026-12-01T09:55:00.000Z',
  rules: { version: '4', sha256: '9f2c4b1d'.repeat(8) },
  starts_at: DEFAULT_PLAN.startsAt,
  is_rehearsal: true,
  conclusion: NOTHING_MEASURED,
  results: null,
  alerts: 0,
  counted: 0,
  settled: 0,
  right: 0,
  day_later: { ...FIGURE, threshold: 50 },
  payout: FIGURE,
  bankroll: [],
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
    starts_at: z.iso.date().describe('Alerts published from this UTC day on count.'),
    is_rehearsal: z
      .boolean()
      .describe('That day has not come: these are all alerts so far, and the record starts anew with it.'),
    conclusion: text('What can be said, in words.'),
    results: textOrNull(
      'How many settled bets were right, beside what the prices paid needed; null while none is settled.',
    ),
    alerts: count('Published alerts.'),
    counted: count('The first of each wallet, market and outcome; all that follows counts only these.'),
    settled: count('Their market is settled.'),
    right: count('Settled, and their outcome paid the whole dollar.'),
    day_later: figureSchema.describe('Price a day later minus price paid, one bet at a time.'),
    payout: figureSchema.describe('Payout minus price paid, on the first alert of each event.'),
    bankroll: listOf(
      component('RecordCapitalPoint', 'Capital at a moment.', {
        at: moment('When the first bet was opened, or when a bet was closed.'),
        capital: decimal('The capital of the bettor who buys what the alert bought, in USDC.'),
      }),
      'The capital of the bettor on the price a day later, ascending by time; empty without a bet.',
    ),
  })
  .meta({
    id: 'RecordReport',
    description: 'What the alerts were worth: prices after them and payouts, losses included.',
    examples: [EXAMPLE],
  }) satisfies z.ZodType<RecordReport>;

export interface RecordAnswers {
  readonly json: ReadyAnswer;
  readonly keyed: ReadyAnswer;
  readonly report: RecordReport;
}

export function recordAnswers(report: RecordReport): RecordAnswers {
  const body = JSON.stringify(report);
  return {
    report,
    json: jsonAnswer(body, 'public, max-age=300'),
    keyed: jsonAnswer(body, 'private, no-cache', 'authorization'),
  };
}
