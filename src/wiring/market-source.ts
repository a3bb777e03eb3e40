import type { DetectionRules } from '../core/detection/rules.ts';
import type { IngestDeps } from '../core/ingest/ingest-deps.ts';
import { createJournalledSource } from '../core/ingest/journalled-source.ts';
import type { RequestBudget } from '../infra/market/polymarket/client/request-budget.ts';
import { POLYMARKET, PolymarketFeed } from '../infra/market/polymarket/polymarket-feed.ts';
import { parseLine } from '../infra/market/tapes/row-schema.ts';
import type { AppContext } from './app-context.ts';

export function wireMarketSource(
  context: AppContext,
  rules: DetectionRules,
  budget: RequestBudget,
): Pick<IngestDeps, 'sourceName' | 'openSource'> {
  const { config, clock, logger, metrics, database } = context;
  const market = { ...config.market, proxies: config.proxy };
  const parse = (line: string, acceptedAt: number) => {
    const row = parseLine(line, acceptedAt);
    return row.kind === 'bad' ? null : row;
  };
  const feedOptions = {
    clock,
    logger,
    onDrop: metrics.metrics.rowDropped,
    market,
    alerts: database.alerts,
    settlements: database.settlements,
    coverage: database.coverage,
    ages: database.walletAges,
    budget,
    metrics: metrics.metrics,
    random: Math.random,
    maxAgeDays: rules.fresh.maxAgeDays,
  };
  const journal = { journal: database.journal, keepMs: market.journalMs };
  return {
    sourceName: POLYMARKET,
    openSource: async (checkpoint, isRebuild) => {
      const feed = new PolymarketFeed(feedOptions);
      return createJournalledSource({ feed, ...journal, parse, checkpoint, isRebuild, clock, logger });
    },
  };
}
