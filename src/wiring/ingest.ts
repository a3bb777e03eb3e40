import type { Config } from '../config.ts';
import { categoryOf } from '../core/classification/category-of.ts';
import { createIngest, type Ingest } from '../core/ingest/ingest.ts';
import { createLedger } from '../core/ledger/ledger.ts';
import { loadRules } from '../infra/detection-rules.ts';
import { isOwnerGone, processOwner } from '../infra/process-owner.ts';
import { openSource, type SourceSpec, sourceName } from '../infra/sources/open-source.ts';
import type { House } from './house.ts';

/** The ingest; null where this process does not have the role, or no source is set. */
export async function wireIngest(house: House): Promise<Ingest | null> {
  const { config, clock, logger, metrics, database, feed } = house;
  if (!config.roles.includes('ingest') || config.source.kind === 'none') return null;
  const spec = specOf(config);
  const counts = metrics.metrics;
  return createIngest({
    openSource: (checkpoint) =>
      openSource(spec, checkpoint, { clock, logger, categorise: categoryOf, onDrop: counts.rowDropped }),
    sourceName: sourceName(spec),
    rules: await loadRules(config.rulesFile),
    ledger: createLedger({
      ...database,
      metrics: counts,
      onAppended: feed.announce,
      onResolved: feed.announceResolution,
    }),
    store: database.ingest,
    clock,
    logger,
    metrics: counts,
    snapshotEveryMs: config.snapshotEveryMs,
    owner: processOwner(),
    isGone: isOwnerGone,
  });
}

function specOf({ source, replaySpeed: speed, replayShift: shift }: Config): SourceSpec {
  return source.kind === 'replay' ? { ...source, speed, shift } : source;
}
