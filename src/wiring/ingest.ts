import type { SourceSetting } from '../config/setting-types.ts';
import type { Config } from '../config.ts';
import { categoryOf } from '../core/classification/category-of.ts';
import { createIngest, type Ingest } from '../core/ingest/ingest.ts';
import { createLedger } from '../core/ledger/ledger.ts';
import { UserError } from '../core/user-error.ts';
import { loadRules } from '../infra/detection-rules.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import { openSource, type SourceSpec, sourceName } from '../infra/sources/open-source.ts';
import type { House } from './house.ts';

/** The ingest; null where this process does not have the role, or no source is set. */
export async function wireIngest(house: House): Promise<Ingest | null> {
  const { config, clock, logger, metrics, database, feed, switchboard, owner } = house;
  const rules = await naming('DETECTION_RULES', loadRules(config.rulesFile));
  const { source } = config;
  if (!config.roles.includes('ingest') || source.kind === 'none' || source.kind === 'polymarket') return null;
  const spec = specOf(source, config);
  const counts = metrics.metrics;
  return createIngest({
    openSource: (checkpoint) =>
      naming(
        'MARKET_SOURCE',
        openSource(spec, checkpoint, { clock, logger, categorise: categoryOf, onDrop: counts.rowDropped }),
      ),
    isPaused: () => switchboard.isPaused('feed'),
    sourceName: sourceName(spec),
    rules,
    ledger: createLedger({
      ...database,
      metrics: counts,
      onAppended: (alert) => {
        const { id, type, score, marketId, isHistory } = alert;
        if (!isHistory) logger.debug({ alert: id, type, score, marketId }, 'alert');
        feed.announce(alert);
      },
      onResolved: feed.announceResolution,
    }),
    store: database.ingest,
    clock,
    logger,
    metrics: counts,
    snapshotEveryMs: config.snapshotEveryMs,
    owner,
    isGone: isOwnerGone,
  });
}

/** Says to which setting belongs what the operator has to mend. */
async function naming<T>(setting: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof UserError ? new UserError(`${setting}: ${error.message}`) : error;
  });
}

function specOf(
  source: Exclude<SourceSetting, { kind: 'polymarket' }>,
  { replaySpeed: speed, replayShift: shift }: Config,
): SourceSpec {
  return source.kind === 'replay' ? { ...source, speed, shift } : source;
}
