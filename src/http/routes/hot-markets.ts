import { z } from 'zod';
import type { HotMarket, HotMarkets } from '../../core/alerts/alert-store.ts';
import { HOT_MARKETS_MAX } from '../../core/alerts/archive/figures.ts';
import { alertAgeFor } from '../../core/alerts/free-delay.ts';
import { rounded } from '../../core/base/rounded.ts';
import { DAY_MS, HOUR_MS } from '../../core/base/time/duration.ts';
import { CATEGORIES } from '../../core/trades/trade.ts';
import { scheduleOf } from '../hooks/archive-schedule.ts';
import { filterShape } from '../query/alert-query.ts';
import { queryInteger } from '../query/query-values.ts';
import { notModifiedReply } from '../schemas/replies.ts';
import type { Api, ServerDeps } from '../server-deps.ts';
import { dateTimeWithT } from '../views/date-time.ts';
import { HOT_EXAMPLE } from '../views/examples.ts';
import { jsonAnswer, type ReadyAnswer } from '../views/ready-answer.ts';

const PERIODS = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };
type Period = keyof typeof PERIODS;

const querySchema = z.object({
  period: z
    .enum(Object.keys(PERIODS) as [Period, ...Period[]])
    .default('24h')
    .meta({
      description: 'Length of the window. It ends now; without a real-time key, 5 minutes ago.',
      examples: ['24h'],
    }),
  limit: queryInteger({ min: 1, max: HOT_MARKETS_MAX })
    .default(10)
    .meta({ description: 'Markets per list.', examples: [10] }),
  category: filterShape.category,
});

const itemSchema = z
  .object({
    market_id: z.string().describe('Market identifier.'),
    event_title: z.string().describe('Market question text.'),
    event_slug: z.string().describe('Market slug.'),
    category: z.enum(CATEGORIES).describe('Category of the market.'),
    alert_count: z.number().int().describe('Alerts in the window.'),
    avg_signal: z.number().describe('Their average signal score.'),
    total_usdc: z.number().describe('Sum of their trades, in USDC.'),
    latest_alert: z.string().meta({
      description: 'When the newest of them was made: `YYYY-MM-DDTHH:MM:SS`, UTC.',
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
    }),
  })
  .meta({ id: 'HotMarket', description: 'A market with alerts.' });

const hotMarketsSchema = z
  .object({
    period: z.string().describe('The window used.'),
    most_alerts: z.array(itemSchema).describe('By alert count, descending.'),
    highest_signal: z.array(itemSchema).describe('By average score, descending.'),
    biggest_trades: z.array(itemSchema).describe('By total USDC, descending.'),
  })
  .meta({ id: 'HotMarkets', description: 'The leaderboards.', examples: [HOT_EXAMPLE] });

/** Caches may keep it for a moment: the figures are some seconds old anyway. */
const SHARED = 'public, max-age=2';
/** For an answer to a key: a shared cache that ignores `Vary` must not serve current figures to others. */
const PRIVATE = 'private, max-age=2';

export function registerHotMarkets(app: Api, deps: ServerDeps): void {
  // By the figures that they show. Made for each request, they take three times the processor time.
  const answers = new WeakMap<HotMarkets, Map<string, ReadyAnswer>>();
  function answerOf(hot: HotMarkets, period: Period, limit: number, cacheControl: string): ReadyAnswer {
    const ready = answers.get(hot) ?? new Map<string, ReadyAnswer>();
    answers.set(hot, ready);
    const name = `${limit} ${cacheControl}`;
    const answer =
      ready.get(name) ??
      jsonAnswer(JSON.stringify(hotView(hot, period, limit)), cacheControl, 'origin, authorization');
    ready.set(name, answer);
    return answer;
  }
  app.get('/hot-markets', {
    schema: {
      operationId: 'getHotMarkets',
      tags: ['Markets'],
      summary: 'Markets by alerts, signal and size',
      description:
        'Public: no key is needed. Each list is sorted descending by its own metric. Figures may be up to 10 seconds old. ' +
        'Without a key, and for a free key, they are 5 minutes old; a pro or enterprise key gets current ones. A ' +
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
      const hot = await deps.figures.hotMarkets(query, scheduleOf(request, deps).figures);
      const cacheControl = request.caller === null ? SHARED : PRIVATE;
      return answerOf(hot, period, limit, cacheControl).send(request, reply);
    },
  });
}

function hotView(hot: HotMarkets, period: Period, limit: number): z.infer<typeof hotMarketsSchema> {
  const { mostAlerts, highestSignal, biggestTrades } = hot;
  return {
    period,
    most_alerts: mostAlerts.slice(0, limit).map(itemView),
    highest_signal: highestSignal.slice(0, limit).map(itemView),
    biggest_trades: biggestTrades.slice(0, limit).map(itemView),
  };
}

function itemView(market: HotMarket): z.infer<typeof itemSchema> {
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
