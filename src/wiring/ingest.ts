import type { Config } from '../config.ts';
import { categoryOf } from '../core/classification/category-of.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import { Ingest } from '../core/ingest/ingest.ts';
import type { IngestDeps } from '../core/ingest/ingest-deps.ts';
import { createJournalledSource } from '../core/ingest/journalled-source.ts';
import { UserError } from '../core/user-error.ts';
import { loadRules } from '../infra/detection-rules.ts';
import type { RequestBudget } from '../infra/polymarket/client/request-budget.ts';
import { POLYMARKET, PolymarketFeed } from '../infra/polymarket/polymarket-feed.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import { openSource, type SourceSpec, sourceName } from '../infra/sources/open-source.ts';
import { createRowParser } from '../infra/sources/row-schema.ts';
import type { AppContext } from './app-context.ts';
import { ingestParts } from './ingest-parts.ts';

/** The ingest; null without the role or without a source. `budget`: of requests to the live market. */
export async function wireIngest(context: AppContext, budget: RequestBudget): Promise<Ingest | null> {
  const { config, clock, trustedClock, logger, metrics, database, feed, pauseFlags, owner } = context;
  const rules = await naming('DETECTION_RULES', loadRules(config.detection.rulesFile));
  if (!config.roles.includes('ingest') || config.source.kind === 'none') return null;
  return new Ingest({
    ...(config.source.kind === 'polymarket'
      ? wireMarket(context, rules, budget)
      : wireTape(context, config.source)),
    ...ingestParts({
      database,
      rules,
      clock,
      logger,
      metrics: metrics.metrics,
      onAppended: (alert) => {
        const { id, type, score, marketId, isHistory } = alert;
        if (!isHistory) logger.debug({ alert: id, type, score, marketId }, 'alert');
        feed.announce(alert);
      },
      onResolved: (resolution) => feed.announceResolution(resolution),
    }),
    isPaused: () => pauseFlags.isPaused('feed'),
    isClockUncertain: () => trustedClock?.isUncertain ?? false,
    snapshotEveryMs: config.detection.snapshotEveryMs,
    owner,
    isGone: isOwnerGone,
  });
}

type SourcePart = Pick<IngestDeps, 'sourceName' | 'openSource'>;

function wireMarket(context: AppContext, rules: DetectionRules, budget: RequestBudget): SourcePart {
  const { config, clock, trustedClock, logger, metrics, database } = context;
  const { market } = config;
  const parseRow = createRowParser(categoryOf);
  const parse = (line: string, acceptedAt: number) => {
    const row = parseRow(line, acceptedAt);
    return row.kind === 'bad' ? null : row;
  };
  const feed = new PolymarketFeed({
    ...sourceDeps(context),
    market,
    alerts: database.alerts,
    resolutions: database.resolutions,
    feedHealth: database.feedHealth,
    ages: database.walletAges,
    budget,
    metrics: metrics.metrics,
    random: Math.random,
    maxAgeDays: rules.fresh.maxAgeDays,
    onMarketTime: (time) => trustedClock?.observe('market', time),
  });
  const journal = { journal: database.journal, keepMs: market.journalMs };
  return {
    sourceName: POLYMARKET,
    openSource: async (checkpoint, isRebuild) =>
      createJournalledSource({ feed, ...journal, parse, checkpoint, isRebuild, clock, logger }),
  };
}

function wireTape(context: AppContext, setting: TapeSetting): SourcePart {
  const spec = specOf(setting, context.config.replay);
  return {
    sourceName: sourceName(spec),
    openSource: (checkpoint, isRebuild) =>
      naming('MARKET_SOURCE', openSource(spec, { checkpoint, isRebuild }, sourceDeps(context))),
  };
}

function sourceDeps({ clock, logger, metrics }: AppContext) {
  return { clock, logger, categorise: categoryOf, onDrop: metrics.metrics.rowDropped };
}

/** Adds the name of the setting to an error that the operator can fix. */
async function naming<T>(setting: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`${setting}: ${error.message}`) : error;
  });
}

type TapeSetting = Exclude<Config['source'], { kind: 'polymarket' }>;

function specOf(source: TapeSetting, replay: Config['replay']): SourceSpec {
  return source.kind === 'replay' ? { ...source, ...replay } : source;
}
