import { z } from 'zod';
import type { Alert } from '../../core/alerts/alert.ts';
import type { JsonObject } from '../../core/alerts/log/log-entry.ts';
import { ALERT_TYPES } from '../../core/detection/candidate.ts';
import { CATEGORIES, SIDES } from '../../core/trades/trade.ts';
import { decimal, int64, integer, score } from '../schemas/fields.ts';
import { detailsSchema, detailsView } from './alert-details.ts';
import { dateTime } from './date-time.ts';
import { ALERT_EXAMPLE, SAMPLE_EXAMPLE } from './examples.ts';
import { logHeadSchema, logHeadView } from './log-view.ts';

const fields = z.object({
  id: int64('Unique alert identifier.'),
  alert_type: z.enum(ALERT_TYPES).describe('Why the trade was suspicious.'),
  wallet_address: z.string().describe('Address of the trading wallet.'),
  market_id: z.string().describe('Market identifier.'),
  event_title: z.string().describe('Market question text.'),
  event_slug: z.string().describe('Market slug.'),
  side: z.enum(SIDES).describe('Direction of the trade.'),
  outcome: z.string().describe('Outcome traded.'),
  entry_price: decimal(
    'Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.',
  ),
  usdc_value: decimal('Size of the whole order in USDC.'),
  signal_score: score.describe('Signal score, 0 to 100.'),
  category: z.enum(CATEGORIES).describe('Category of the market.'),
  trade_count: integer(
    'Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`.',
  ),
  created_at: z.string().meta({
    description: 'When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC.',
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
  }),
  resolved: z.boolean().describe('Whether the market has resolved.'),
  won: z.boolean().nullable().describe('Whether the outcome bought came true; null while unresolved.'),
  profit_usdc: z
    .number()
    .nullable()
    .describe('Profit of the order if held to the end, in USDC before fees; null while unresolved.'),
  details: detailsSchema,
  log: logHeadSchema
    .nullable()
    .describe(
      'The entry of the log that holds this alert: the head of the log when the alert was published. Null for alerts published before the log began.',
    ),
});

/** The whole alert of the contract. */
export const alertSchema = fields.meta({
  id: 'Alert',
  description: 'One suspicious trade.',
  examples: [ALERT_EXAMPLE],
});

/** The alert of a webhook test, marked as such. The marks are no literals: generators make enums of text of boolean ones. */
export const sampleAlertSchema = fields
  .extend({
    test: z
      .boolean()
      .describe('Always true. Present only in requests of `POST /webhooks/{webhook_id}/test`.'),
  })
  .meta({
    id: 'SampleAlert',
    description: 'The invented alert that a webhook test sends. Its `id` is 0.',
    examples: [SAMPLE_EXAMPLE],
  });

/** A real alert of a past day, marked as a sample. */
export const sandboxAlertSchema = fields
  .extend({ sample: z.boolean().describe('Always true. Present only in `GET /sandbox/alerts.json`.') })
  .meta({ id: 'SandboxAlert', description: 'An alert of the sample day.' });

/** The JSON of an alert of the sample day. The logs of services differ: it names none. */
export function sandboxAlertJson(alert: Alert): string {
  const view = { ...alertView(alert), log: null, sample: true };
  return JSON.stringify(view satisfies z.infer<typeof sandboxAlertSchema>);
}

export const latestAlertSchema = fields.omit({ market_id: true }).meta({
  id: 'LatestAlert',
  description: 'An alert without its `market_id`.',
});

export const alertItemSchema = fields
  .partial({
    event_slug: true,
    trade_count: true,
    resolved: true,
    won: true,
    profit_usdc: true,
    details: true,
    log: true,
  })
  .meta({
    id: 'AlertItem',
    description:
      'An alert in lists: the short form. The optional fields are present with `expand=details` only.',
  });
/** Its fields that are always present. */
type ShortAlert = Omit<
  z.infer<typeof alertSchema>,
  'event_slug' | 'trade_count' | 'resolved' | 'won' | 'profit_usdc' | 'details' | 'log'
>;
type AlertItem = z.infer<typeof alertItemSchema>;

export function alertView(alert: Alert): z.infer<typeof alertSchema> {
  return {
    ...alertItem(alert),
    event_slug: alert.eventSlug,
    trade_count: alert.tradeCount,
    resolved: alert.resolution !== null,
    won: alert.resolution?.won ?? null,
    profit_usdc: alert.resolution?.profitUsdc ?? null,
    details: detailsView(alert),
    log: alert.log === undefined ? null : logHeadView(alert.log),
  };
}

/** Alerts of a list, in the form that the query asks for. */
export function listView(
  alerts: readonly Alert[],
  { expand }: { readonly expand?: 'details' | undefined },
): AlertItem[] {
  return alerts.map(expand === 'details' ? alertView : alertItem);
}

/** The short form of lists. */
export function alertItem(alert: Alert): ShortAlert {
  return {
    id: alert.id,
    alert_type: alert.type,
    wallet_address: alert.wallet,
    market_id: alert.marketId,
    event_title: alert.eventTitle,
    side: alert.side,
    outcome: alert.outcome,
    entry_price: alert.entryPrice,
    usdc_value: alert.usdc,
    signal_score: alert.score,
    category: alert.category,
    created_at: dateTime(alert.createdAt),
  };
}

/** The JSON of a whole alert, for the stream and webhooks. */
export function alertJson(alert: Alert): string {
  return JSON.stringify(alertView(alert));
}

/** The JSON of a webhook test. */
export function sampleAlertJson(sample: Alert): string {
  return JSON.stringify({ ...alertView(sample), test: true } satisfies z.infer<typeof sampleAlertSchema>);
}

/** The JSON of one alert of `GET /alerts/latest`. */
export function latestAlertJson(alert: Alert): string {
  const { market_id, ...latest } = alertView(alert);
  return JSON.stringify(latest satisfies z.infer<typeof latestAlertSchema>);
}

/** The body of an alert's entry in the log: the fields of the API, except its log entry and fields that change later. */
export function alertBody(alert: Alert): JsonObject {
  const { resolved, won, profit_usdc, log, details, ...fields } = alertView(alert);
  const { position_profit_usdc, ...unchanging } = details;
  return { ...fields, details: unchanging } as JsonObject;
}
