import { holdLease } from '../core/base/lease/lease.ts';
import type { Lease } from '../core/base/lease/lease-store.ts';
import type { EpochMs } from '../core/base/time/duration.ts';
import type { Database } from '../core/database.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import type { IngestDeps } from '../core/ingest/ingest-deps.ts';
import type { IngestMetrics } from '../core/ingest/ingest-metrics.ts';
import { IngestRun } from '../core/ingest/ingest-run.ts';
import { categoryOf } from '../core/trades/classification/category-of.ts';
import type { DropReason } from '../core/trades/source/source.ts';
import { openReplay } from '../infra/market/tapes/replay.ts';
import { tapeSourceName } from '../infra/market/tapes/source-deps.ts';
import { isOwnerGone, processOwner } from '../infra/process/process-owner.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';
import { ingestParts } from './ingest-parts.ts';

type RowCounts = Pick<IngestMetrics, 'rowDropped' | 'tradesJudged'>;

/** What was read of a tape. */
export interface PlayedTape {
  /** Rows of trades, those dropped as repeated or late included. */
  readonly trades: number;
  readonly alerts: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
  /** The largest row time of the tape. */
  readonly until: EpochMs;
}

interface TapeRunOptions {
  readonly database: Database;
  readonly file: string;
  readonly rules: DetectionRules;
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/**
 * Plays a tape from its start into an empty database, at full speed and at its own times, through the parts that a service
 * with `MARKET_SOURCE=replay:FILE` runs. Ends at the end of the tape or with the signal. Throws a `UserError` when the file
 * is no tape.
 */
export async function runTape(
  { database, file, rules, onProgress }: TapeRunOptions,
  signal: AbortSignal,
): Promise<PlayedTape> {
  const dropped = new Map<DropReason, number>();
  let trades = 0;
  const deps = depsOf(
    { database, file, rules },
    {
      rowDropped: (reason) => void dropped.set(reason, (dropped.get(reason) ?? 0) + 1),
      tradesJudged: (count) => {
        trades += count;
      },
    },
  );
  let result = null as PlayedTape | null;
  const play = async (lease: Lease, held: AbortSignal) => {
    const run = await IngestRun.open(deps, lease);
    const { source, detector } = run;
    for await (const batch of source.batches(held, { lease, knowledge: detector })) {
      await run.take(batch, held);
      onProgress(source.status().progress ?? 0);
    }
    await run.end();
    result = { trades, dropped, alerts: deps.ledger.appended, until: detector.time };
  };
  const outcome = await holdLease(deps, signal, play);
  if (result === null) throw new Error(`the ingest lease of an own database was ${outcome}`);
  return result;
}

function depsOf(
  { database, file, rules }: Omit<TapeRunOptions, 'onProgress'>,
  counts: RowCounts,
): IngestDeps {
  const tools = { clock: systemClock, logger: noLogger };
  const sourceDeps = { ...tools, categorise: categoryOf, onDrop: counts.rowDropped };
  const ignored = { onAppended: () => {}, onResolved: () => {} };
  return {
    ...ingestParts({ ...tools, ...ignored, database, rules, metrics: { ...NO_METRICS, ...counts } }),
    sourceName: tapeSourceName('replay', file),
    openSource: (checkpoint) => openReplay({ file, speed: 0, shift: null, checkpoint }, sourceDeps),
    isPaused: () => false,
    snapshotEveryMs: Number.POSITIVE_INFINITY,
    owner: processOwner(),
    isGone: isOwnerGone,
  };
}

const NO_METRICS: Omit<IngestMetrics, keyof RowCounts> = {
  alertAppended() {},
  marketResolved() {},
  hoursObserved() {},
  ordersForgotten() {},
  snapshotWritten() {},
  detectorEvicted() {},
  feedTrades() {},
  tradesWaiting() {},
  factsAsked() {},
};
