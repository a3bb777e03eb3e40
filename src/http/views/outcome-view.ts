import { z } from 'zod';
import { SETTLEMENT_KINDS } from '../../core/alerts/settlement.ts';
import type { SettledAlerts } from '../../core/alerts/settlements/settlement-reader.ts';
import { iso } from '../../core/base/text/date-time.ts';
import { named } from '../schemas/enumerations.ts';
import {
  component,
  decimalOrNull,
  flag,
  flagOrNull,
  int64,
  listOf,
  moment,
  text,
  textOrNull,
} from '../schemas/fields.ts';
import { OUTCOME_EXAMPLE } from './examples.ts';
import { logHeadSchema, logHeadView } from './log-view.ts';

const settledAlertSchema = component('SettledAlert', 'An alert with the result that an outcome gives it.', {
  id: int64('The alert.'),
  won: flagOrNull('Whether these payouts prove it right; null if they do not contain its outcome.'),
  profit_usdc: decimalOrNull('Profit of its order with these payouts, in USDC before fees; null like `won`.'),
});

const fields = z.object({
  number: int64('1, 2, 3 … without a gap: its position among the outcomes and corrections of the log.'),
  kind: named(
    'OutcomeKind',
    SETTLEMENT_KINDS,
    'Whether an outcome is the first of its market or replaces one.',
  ).describe('`outcome` for the first one of a market, `correction` for one that replaces it.'),
  market_id: text('Market identifier.'),
  event_title: textOrNull('Market question text; null if the market has no alerts.'),
  outcomes: listOf(
    z.string(),
    'The outcomes of the market, in the order of `payouts`; empty if it never named them.',
  ),
  payouts: listOf(
    z.number(),
    'What a share of each outcome pays, in USDC: 1 and 0, or parts of 1 for a split (mostly 0.5 each). They add up to 1.',
  ),
  settled_at: moment('When it was entered in the log.'),
  log: logHeadSchema.describe('Its entry in the log.'),
  alerts: listOf(
    settledAlertSchema,
    'Alerts of the market that were published before it, oldest first, at most 100. Later alerts carry their own result.',
  ),
  more_alerts: flag(
    'Whether there are more of them: `GET /outcomes/{number}` returns the next with `after`.',
  ),
});

export const outcomeSchema = fields.meta({
  id: 'Outcome',
  description: 'What a market paid, and the result of its alerts.',
  examples: [OUTCOME_EXAMPLE],
});

export const outcomeEventSchema = fields
  .extend({ type: z.literal('outcome').describe('Distinguishes it from an alert, which has no `type`.') })
  .meta({
    id: 'OutcomeEvent',
    description: 'An outcome as a webhook receives it.',
    examples: [{ ...OUTCOME_EXAMPLE, type: 'outcome' }],
  });

export function outcomeView({ settlement, alerts, hasMore }: SettledAlerts): z.infer<typeof outcomeSchema> {
  const { number, kind, marketId, outcomes, payouts, enteredAt: at, log } = settlement;
  return {
    number,
    kind,
    market_id: marketId,
    event_title: alerts[0]?.eventTitle ?? null,
    outcomes: [...outcomes],
    payouts: [...payouts],
    settled_at: iso(at),
    log: logHeadView(log),
    alerts: alerts.map(({ id, resolution }) => ({
      id,
      won: resolution?.won ?? null,
      profit_usdc: resolution?.profitUsdc ?? null,
    })),
    more_alerts: hasMore,
  };
}

export function outcomeEventJson(settled: SettledAlerts): string {
  return JSON.stringify({ type: 'outcome', ...outcomeView(settled) } satisfies z.infer<
    typeof outcomeEventSchema
  >);
}
