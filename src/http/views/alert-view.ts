import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import { publishedFacts } from '../../core/alerts/alert-entry.ts';
import { type Bet, betOf } from '../../core/alerts/bet.ts';
import { inventedAlert } from '../../core/alerts/invented-alert.ts';
import { alertType, category, side } from '../schemas/enumerations.ts';
import {
  decimal,
  decimalOrNull,
  flag,
  flagOrNull,
  int64,
  integer,
  orNull,
  score,
  text,
  timestamp,
} from '../schemas/fields.ts';
import { changingDetails, detailsSchema } from './alert-details.ts';
import { ALERT_EXAMPLE } from './examples.ts';
import { logHeadSchema, logHeadView } from './log-view.ts';

const fields = z.object({
  id: int64('Unique alert identifier.'),
  alert_type: alertType.describe('Why the trade was suspicious.'),
  wallet_address: text('Address of the trading wallet.'),
  market_id: text('Market identifier.'),
  event_title: text('Market question text.'),
  event_slug: text('Market slug.'),
  side: side.describe('Direction of the trade.'),
  outcome: text('Outcome traded.'),
  entry_price: decimal(
    'Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.',
  ),
  usdc_value: decimal('Size of the whole order in USDC.'),
  signal_score: score.describe('Signal score, 0 to 100.'),
  category: category.describe('Category of the market.'),
  trade_count: integer(
    'Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`.',
  ),
  created_at: timestamp('When the alert was created'),
  resolved: flag('Whether the market has resolved.'),
  won: flagOrNull('Whether the outcome bought came true; null while unresolved.'),
  profit_usdc: decimalOrNull(
    'Profit of the order if held to the end, in USDC before fees; null while unresolved.',
  ),
  details: detailsSchema,
  log: orNull(
    logHeadSchema,
    'The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert.',
  ),
});

export const alertSchema = fields.meta({
  id: 'Alert',
  description: 'One suspicious trade.',
  examples: [ALERT_EXAMPLE],
});

const SENT_AT = Date.parse(ALERT_EXAMPLE.details.published_at);
export const SAMPLE_EXAMPLE = { ...alertView(inventedAlert(SENT_AT)), test: true };

/** The alert of a webhook test, marked as such. The marks are no literals: generators make enums of text of boolean ones. */
export const sampleAlertSchema = fields
  .extend({ test: flag('Always true. Present only in requests of `POST /webhooks/{webhook_id}/test`.') })
  .meta({
    id: 'SampleAlert',
    description: 'The invented alert that a webhook test sends. Its `id` is 0.',
    examples: [SAMPLE_EXAMPLE],
  });

export const latestAlertSchema = fields
  .omit({ market_id: true })
  .meta({ id: 'LatestAlert', description: 'An alert without its `market_id`.' });

/** What an alert has with `expand=details` only. */
export const IN_DETAILS = {
  event_slug: true,
  trade_count: true,
  resolved: true,
  won: true,
  profit_usdc: true,
  details: true,
  log: true,
} as const;

export const alertItemSchema = fields.partial(IN_DETAILS).meta({
  id: 'AlertItem',
  description:
    'An alert in lists: the short form. The optional fields are present with `expand=details` only.',
});

export function alertItem(alert: Alert): Omit<z.infer<typeof fields>, keyof typeof IN_DETAILS> {
  const { event_slug, trade_count, details, ...item } = publishedFacts(alert);
  return item;
}

/** `bet`: as of another moment than the alert's. */
export function alertView(alert: Alert, bet: Bet = betOf(alert)): z.infer<typeof fields> {
  const { resolution, log } = alert;
  const { details, ...facts } = publishedFacts(alert);
  return {
    ...facts,
    resolved: resolution !== null,
    won: resolution?.won ?? null,
    profit_usdc: resolution?.profitUsdc ?? null,
    details: { ...details, ...changingDetails(alert, bet) },
    log: log.seq === 0 ? null : logHeadView(log),
  };
}

/** `bets`: those of the alerts by their ids, for full alerts; null for short ones. */
export function listView(
  alerts: readonly Alert[],
  bets: ReadonlyMap<number, Bet> | null,
): z.infer<typeof alertItemSchema>[] {
  return alerts.map(bets === null ? alertItem : (alert) => alertView(alert, bets.get(alert.id)));
}

export function alertJson(alert: Alert): string {
  return JSON.stringify(alertView(alert));
}

export function sampleAlertJson(sample: Alert): string {
  return JSON.stringify({ ...alertView(sample), test: true });
}

export function latestAlertJson(alert: Alert, bet: Bet): string {
  const { market_id, ...latest } = alertView(alert, bet);
  return JSON.stringify(latest);
}
