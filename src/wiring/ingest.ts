import { loadRules } from '../config/detection-rules.ts';
import type { Config } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';
import { Ingest } from '../core/ingest/ingest.ts';
import type { IngestDeps } from '../core/ingest/ingest-deps.ts';
import type { RequestBudget } from '../infra/market/polymarket/client/request-budget.ts';
import { openSource, type SourceSpec, sourceName } from '../infra/market/tapes/open-source.ts';
import type { AppContext } from './app-context.ts';
import { ingestParts } from './ingest-parts.ts';

/** The ingest; null without the role or without a source. `budget`: of requests to the live market. */
export async function wireIngest(context: AppContext, budget: RequestBudget): Promise<Ingest | null> {
  const { config, clock, isClockHeld, logger, metrics, database, feed, pauseFlags } = context;
  const rules = await naming('DETECTION_RULES', loadRules(config.detection.rulesFile));
  if (config.roles !== 'all' || config.source.kind === 'none') return null;
  const source =
    config.source.kind === 'polymarket'
      ? // A fifth of what there is to load at a start.
        (await import('./market-source.ts')).wireMarketSource(context, rules, budget)
      : wireTape(context, config.source);
  return new Ingest({
    ...source,
    ...ingestParts({
      database,
      rules,
      clock,
      logger,
      metrics: metrics.metrics,
      onAppended: (alerts) => {
        for (const { id, type, score, marketId, isHistory } of alerts)
          if (!isHistory) logger.debug({ alert: id, type, score, marketId }, 'alert');
        feed.announce(...alerts);
      },
      onSettled: (settlement) => feed.announceSettlement(settlement),
    }),
    isPaused: () => pauseFlags.isPaused('feed'),
    isClockHeld,
    snapshotEveryMs: config.detection.snapshotEveryMs,
  });
}

function wireTape(context: AppContext, setting: TapeSetting): Pick<IngestDeps, 'sourceName' | 'openSource'> {
  const { config, clock, logger, metrics } = context;
  const spec = specOf(setting, config.replay);
  const deps = { clock, logger, onDrop: metrics.metrics.rowDropped };
  return {
    sourceName: sourceName(spec),
    openSource: (checkpoint, isRebuild) =>
      naming('MARKET_SOURCE', openSource(spec, { checkpoint, isRebuild }, deps)),
  };
}

async function naming<T>(setting: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`${setting}: ${error.message}`) : error;
  });
}

type TapeSetting = Exclude<Config['source'], { kind: 'polymarket' }>;

function specOf(source: TapeSetting, replay: Config['replay']): SourceSpec {
  return source.kind === 'replay' ? { ...source, ...replay } : source;
}
