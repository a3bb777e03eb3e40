import { z } from 'zod';
import { visibleUntil } from '../../core/alerts/free-delay.ts';
import { dateTimeWithT } from '../../core/base/text/date-time.ts';
import { inTurn } from '../../http/hooks/read-turn.ts';
import { filterOf, filterShape } from '../../http/query/alert-query.ts';
import { cursorFilter } from '../../http/query/cursor.ts';
import { hotMarketSchema } from '../../http/routes/figures.ts';
import { marketParams, readMarket, readWallet, walletParams } from '../../http/routes/reports.ts';
import { marketOutcomeSchema, marketSchema, marketWalletSchema } from '../../http/views/market-view.ts';
import { clusterSchema, walletSchema } from '../../http/views/wallet-view.ts';
import { defineTool, MAX_ROWS, nextCursor, pageInput, rowSchema } from '../tool.ts';

/** Alerts that a search of markets reads: those of one market follow each other. */
const READ = 100;
const WALLETS = 10;
const CLUSTERS = 5;

export const getWallet = defineTool({
  name: 'get_wallet',
  title: 'One wallet',
  description:
    'What the alerts say about a wallet: its alerts, newest first, how its positions ended, and the clusters of wallets that it was part of.',
  input: { ...walletParams.shape, ...pageInput },
  output: walletSchema
    .pick({
      wallet_address: true,
      first_seen: true,
      age_days_at_first_alert: true,
      total: true,
      record: true,
    })
    .extend({
      clusters: z.object({
        total: z.number().int().describe('Clusters that it was part of.'),
        newest: z.array(clusterSchema.pick({ id: true, event_title: true, members: true, total_usdc: true })),
      }),
      alerts: z.array(rowSchema.omit({ wallet_address: true })),
      next_cursor: nextCursor,
    }),
  async run({ address, limit, cursor }, { request, deps }) {
    const { view, next } = await readWallet(address, { limit, before_id: cursor }, request, deps);
    const { total, newest } = view.clusters;
    return {
      ...view,
      clusters: { total, newest: newest.slice(0, CLUSTERS) },
      next_cursor: next?.before_id ?? null,
    };
  },
});

export const getMarket = defineTool({
  name: 'get_market',
  title: 'One market',
  description:
    'What the alerts say about a market: the money on each outcome, the largest wallets, its end and its result, and the alerts, newest first.',
  input: {
    market: marketParams.shape.market_id,
    ...pageInput,
  },
  output: marketSchema
    .pick({
      market_id: true,
      event_title: true,
      event_slug: true,
      market_url: true,
      category: true,
      end_date: true,
      resolved: true,
      settled_at: true,
      total: true,
    })
    .extend({
      outcomes: z.array(marketOutcomeSchema.omit({ thread_count: true })),
      wallets: z.object({
        total: z.number().int().describe('Wallets in the alerts.'),
        largest: z.array(marketWalletSchema),
      }),
      alerts: z.array(rowSchema.omit({ market_id: true, event_title: true, category: true })),
      next_cursor: nextCursor,
    }),
  async run({ market, limit, cursor }, { request, deps }) {
    const { view, next } = await readMarket(market, { limit, before_id: cursor }, request, deps);
    return {
      ...view,
      outcomes: view.outcomes.slice(0, MAX_ROWS),
      wallets: { total: view.wallets.total, largest: view.wallets.largest.slice(0, WALLETS) },
      next_cursor: next?.before_id ?? null,
    };
  },
});

export const searchMarkets = defineTool({
  name: 'search_markets',
  title: 'Search markets',
  description:
    'Markets with alerts whose question or slug contains all words of a text, the one with the newest alert first. A later page may repeat a market.',
  input: { search: filterShape.search, category: filterShape.category, ...pageInput },
  output: z.object({
    markets: z.array(
      hotMarketSchema.pick({
        market_id: true,
        event_title: true,
        event_slug: true,
        category: true,
        latest_alert: true,
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run({ limit, cursor, ...query }, { request, deps }) {
    const filter = {
      ...filterOf(query, visibleUntil(request.audience, deps)),
      ...cursorFilter({ before_id: cursor }),
    };
    const page = { page: 1, pageSize: READ };
    const { alerts, total } = await inTurn(request, deps, () => deps.alerts.search(filter, page));
    const shown = new Map<string, (typeof alerts)[number]>();
    let read = 0;
    for (const alert of alerts) {
      if (!shown.has(alert.marketId)) {
        if (shown.size === limit) break;
        shown.set(alert.marketId, alert);
      }
      read += 1;
    }
    return {
      markets: [...shown.values()].map(({ marketId, eventTitle, eventSlug, category, createdAt }) => ({
        market_id: marketId,
        event_title: eventTitle,
        event_slug: eventSlug,
        category,
        latest_alert: dateTimeWithT(createdAt),
      })),
      next_cursor: read < total ? (alerts[read - 1]?.id ?? null) : null,
    };
  },
});
