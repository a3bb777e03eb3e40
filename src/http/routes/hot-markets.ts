import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { CATEGORIES } from '../../core/category.ts';
import { DAY_MS, HOUR_MS } from '../../core/duration.ts';
import { type Figures, HOT_MARKETS_MAX } from '../../core/figures.ts';
import type { HotMarket } from '../../core/ports/alert-store.ts';
import { queryInteger } from '../query-values.ts';
import { invalidReply, publicReplies } from '../replies.ts';

const PERIODS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };
type Period = keyof typeof PERIODS;

const querySchema = z.object({
  period: z.enum(Object.keys(PERIODS) as [Period, ...Period[]]).default('24h'),
  limit: queryInteger({ min: 1, max: HOT_MARKETS_MAX }).default(10),
  category: z.enum(CATEGORIES).optional(),
});

const itemSchema = z.object({
  market_id: z.string(),
  event_title: z.string(),
  event_slug: z.string(),
  category: z.enum(CATEGORIES),
  alert_count: z.number().int(),
  avg_signal: z.number(),
  total_usdc: z.number(),
  latest_alert: z.string(),
});

const hotMarketsSchema = z.object({
  period: z.string(),
  most_alerts: z.array(itemSchema),
  highest_signal: z.array(itemSchema),
  biggest_trades: z.array(itemSchema),
});

export function registerHotMarkets(
  app: FastifyInstance,
  { figures }: { readonly figures: Pick<Figures, 'hotMarkets'> },
): void {
  app.withTypeProvider<ZodTypeProvider>().get('/hot-markets', {
    schema: {
      summary: 'Markets by alerts, signal and size',
      querystring: querySchema,
      response: { 200: hotMarketsSchema, ...invalidReply, ...publicReplies },
    },
    async handler(request) {
      const { period, limit, category } = request.query;
      const of = { windowMs: PERIODS[period], ...(category !== undefined && { category }) };
      const { mostAlerts, highestSignal, biggestTrades } = await figures.hotMarkets(of);
      return {
        period,
        most_alerts: mostAlerts.slice(0, limit).map(itemView),
        highest_signal: highestSignal.slice(0, limit).map(itemView),
        biggest_trades: biggestTrades.slice(0, limit).map(itemView),
      };
    },
  });
}

function itemView(market: HotMarket): z.infer<typeof itemSchema> {
  return {
    market_id: market.marketId,
    event_title: market.eventTitle,
    event_slug: market.eventSlug,
    category: market.category,
    alert_count: market.alertCount,
    avg_signal: rounded(market.avgScore),
    total_usdc: rounded(market.totalUsdc),
    latest_alert: new Date(market.latestAlertAt).toISOString().slice(0, 19),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
