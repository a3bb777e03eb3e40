import { z } from 'zod';
import type { HotMarket, HotMarkets } from '../../core/alerts/alert-store.ts';
import { HOT_MARKETS_MAX } from '../../core/alerts/figures/figures.ts';
import { alertAgeFor } from '../../core/alerts/free-delay.ts';
import { rounded } from '../../core/base/rounded.ts';
import { dateTimeWithT } from '../../core/base/text/date-time.ts';
import { DAY_MS, HOUR_MS } from '../../core/base/time/duration.ts';
import { inTurn } from '../hooks/read-turn.ts';
import { filterShape } from '../query/alert-query.ts';
import { queryLimit } from '../query/query-values.ts';
import { category } from '../schemas/enumerations.ts';
import { component, decimal, integer, listOf, text } from '../schemas/fields.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { HOT_EXAMPLE, STATS_EXAMPLE } from '../views/examples.ts';
import { jsonAnswer, notModifiedReply } from '../views/ready-answer.ts';

const statsSchema = component('Stats', 'Counts of all alerts. Today begins at UTC midnight.', STATS_EXAMPLE, {
  total_alerts: integer('All-time number of alerts.'),
  alerts_today: integer('Alerts since UTC midnight.'),
  avg_signal_today: decimal('Average signal score of today’s alerts; 0 when there are none.'),
  clusters_today: integer('Times several fresh wallets were caught coordinating buys today.'),
  win_rate: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'Fraction (0 to 1) of alerts on resolved markets whose trade was correct; 0 when there are none.',
    ),
  total_resolved: integer('Alerts whose market has resolved.'),
  total_won: integer('Of those, alerts that were correct.'),
});

export function registerStats(app: Api, deps: ServerDeps): void {
  app.get('/stats', {
    // Contract, GET /stats: "does not count against the rate limit".
    config: { isUnmetered: true },
    schema: {
      operationId: 'getStats',
      tags: ['Markets'],
      summary: 'Counts of all alerts',
      description:
        'Needs a key of any tier and does not count against the rate limit. For a free ' +
        'key they exclude alerts younger than {free_delay}: its counters of today are 0 for the first {free_delay} after ' +
        'UTC midnight, and never include alerts of the last {free_delay} of a day.',
      response: { 200: statsSchema },
    },
    async handler(request) {
      const delayMs = alertAgeFor(request.audience, deps);
      const stats = await inTurn(request, deps, () => deps.figures.stats({ delayMs }));
      return {
        total_alerts: stats.totalAlerts,
        alerts_today: stats.alertsToday,
        avg_signal_today: rounded(stats.avgScoreToday, 2),
        clusters_today: stats.clustersToday,
        win_rate: stats.totalResolved === 0 ? 0 : stats.totalWon / stats.totalResolved,
        total_resolved: stats.totalResolved,
        total_won: stats.totalWon,
      };
    },
  });
}

const PERIODS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };
type Period = keyof typeof PERIODS;

const querySchema = z.object({
  period: z
    .enum(Object.keys(PERIODS) as [Period, ...Period[]])
    .default('24h')
    .meta({
      description: 'Length of the window. It ends now; without a real-time key, {free_delay} ago.',
      examples: ['24h'],
    }),
  limit: queryLimit('Markets per list.', { max: HOT_MARKETS_MAX, usual: 10 }),
  category: filterShape.category,
});

export const hotMarketSchema = component('HotMarket', 'A market with alerts.', {
  market_id: text('Market identifier.'),
  event_title: text('Market question text.'),
  event_slug: text('Market slug.'),
  category: category.describe('Category of the market.'),
  alert_count: integer('Alerts in the window.'),
  avg_signal: decimal('Their average signal score.'),
  total_usdc: decimal('Sum of their trades, in USDC.'),
  latest_alert: z.string().meta({
    description: 'When the newest of them was made: `YYYY-MM-DDTHH:MM:SS`, UTC.',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
  }),
});

const hotMarketsSchema = component('HotMarkets', 'The leaderboards.', HOT_EXAMPLE, {
  period: text('The window used.'),
  most_alerts: listOf(hotMarketSchema, 'By alert count, descending.'),
  highest_signal: listOf(hotMarketSchema, 'By average score, descending.'),
  biggest_trades: listOf(hotMarketSchema, 'By total USDC, descending.'),
});

/** Caches may keep it for a moment. */
const SHARED = 'public, max-age=2';
/** For an answer to a key: a shared cache that ignores `Vary` must not serve current figures to others. */
const PRIVATE = 'private, max-age=2';

export function registerHotMarkets(app: Api, deps: ServerDeps): void {
  app.get('/hot-markets', {
    schema: {
      operationId: 'getHotMarkets',
      tags: ['Markets'],
      summary: 'Markets by alerts, signal and size',
      description:
        'Public: no key is needed. Each list is sorted descending by its own metric. ' +
        'With a tape, the period ends at the newest alert if none followed for a day. ' +
        'Without a key, and for a free key, they are {free_delay} old; a pro or enterprise key gets current ones. A ' +
        'wrong key is not an error: it is treated like no key.',
      security: [{}, { bearerAuth: [] }],
      querystring: querySchema,
      response: { 200: hotMarketsSchema, ...notModifiedReply },
    },
    async handler(request, reply) {
      const { period, limit, category } = request.query;
      const query = {
        windowMs: PERIODS[period],
        delayMs: alertAgeFor(request.audience, deps),
        ...(category !== undefined && { category }),
      };
      const hot = await inTurn(request, deps, () => deps.figures.hotMarkets(query, limit));
      const cacheControl = request.caller === null ? SHARED : PRIVATE;
      const text = JSON.stringify(hotView(hot, period));
      return jsonAnswer(text, cacheControl, 'origin, authorization').send(request, reply);
    },
  });
}

function hotView(hot: HotMarkets, period: Period): z.infer<typeof hotMarketsSchema> {
  return {
    period,
    most_alerts: hot.mostAlerts.map(itemView),
    highest_signal: hot.highestSignal.map(itemView),
    biggest_trades: hot.biggestTrades.map(itemView),
  };
}

function itemView(market: HotMarket): z.infer<typeof hotMarketSchema> {
  return {
    market_id: market.marketId,
    event_title: market.eventTitle,
    event_slug: market.eventSlug,
    category: market.category,
    alert_count: market.alertCount,
    avg_signal: rounded(market.avgScore, 2),
    total_usdc: rounded(market.totalUsdc, 2),
    latest_alert: dateTimeWithT(market.latestAlertAt),
  };
}
