import { z } from 'zod';
import { ALERT_TYPES, type Alert } from '../core/alert.ts';
import { CATEGORIES } from '../core/category.ts';

const reasonSchema = z.object({
  factor: z.string(),
  points: z.number(),
  max: z.number(),
  note: z.string(),
});

const detailsSchema = z.object({
  wallet_age_days: z.number().int(),
  is_accumulating: z.boolean(),
  market_buy_count: z.number().int(),
  market_total_bought: z.number(),
  market_avg_price: z.number(),
  wallets: z.array(z.string()).optional(),
  cluster_total: z.number().optional(),
  reasons: z.array(reasonSchema),
  rule_version: z.string(),
  traded_at: z.string(),
  detected_at: z.string(),
  published_at: z.string(),
});

/** The whole alert of the contract; every channel sends a part of it. */
export const alertSchema = z.object({
  id: z.number().int(),
  alert_type: z.enum(ALERT_TYPES),
  wallet_address: z.string(),
  market_id: z.string(),
  event_title: z.string(),
  event_slug: z.string(),
  side: z.enum(['BUY', 'SELL']),
  outcome: z.string(),
  entry_price: z.number(),
  usdc_value: z.number(),
  signal_score: z.number().int().min(0).max(100),
  category: z.enum(CATEGORIES),
  trade_count: z.number().int(),
  created_at: z.string(),
  resolved: z.boolean(),
  won: z.boolean().nullable(),
  profit_usdc: z.number().nullable(),
  details: detailsSchema,
});

export const latestAlertSchema = alertSchema.omit({ market_id: true });

export const alertItemSchema = alertSchema.pick({
  id: true,
  alert_type: true,
  wallet_address: true,
  market_id: true,
  event_title: true,
  side: true,
  outcome: true,
  entry_price: true,
  usdc_value: true,
  signal_score: true,
  category: true,
  created_at: true,
});

export function alertView(alert: Alert): z.infer<typeof alertSchema> {
  return {
    id: alert.id,
    alert_type: alert.type,
    wallet_address: alert.wallet,
    market_id: alert.marketId,
    event_title: alert.eventTitle,
    event_slug: alert.eventSlug,
    side: alert.side,
    outcome: alert.outcome,
    entry_price: alert.entryPrice,
    usdc_value: alert.usdc,
    signal_score: alert.score,
    category: alert.category,
    trade_count: alert.tradeCount,
    created_at: dateTime(alert.createdAt),
    resolved: alert.resolution !== null,
    won: alert.resolution?.won ?? null,
    profit_usdc: alert.resolution?.profitUsdc ?? null,
    details: detailsView(alert),
  };
}

export function alertItem(alert: Alert): z.infer<typeof alertItemSchema> {
  const { event_slug, trade_count, resolved, won, profit_usdc, details, ...item } = alertView(alert);
  return item;
}

/** The text of one alert in `GET /alerts/latest`. */
export function latestAlertJson(alert: Alert): string {
  const { market_id, ...latest } = alertView(alert);
  return JSON.stringify(latest satisfies z.infer<typeof latestAlertSchema>);
}

function detailsView({ details, tradedAt, detectedAt, publishedAt }: Alert): z.infer<typeof detailsSchema> {
  const { wallets, clusterTotal } = details;
  return {
    wallet_age_days: details.walletAgeDays,
    is_accumulating: details.isAccumulating,
    market_buy_count: details.marketBuyCount,
    market_total_bought: details.marketTotalBought,
    market_avg_price: details.marketAvgPrice,
    ...(wallets === undefined ? {} : { wallets: [...wallets] }),
    ...(clusterTotal === undefined ? {} : { cluster_total: clusterTotal }),
    reasons: details.reasons.map(({ factor, points, max, note }) => ({ factor, points, max, note })),
    rule_version: details.ruleVersion,
    traded_at: new Date(tradedAt).toISOString(),
    detected_at: new Date(detectedAt).toISOString(),
    published_at: new Date(publishedAt).toISOString(),
  };
}

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export function dateTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
