import { rulesIdentity } from '../core/alerts/ledger/log-drafts.ts';
import { DAY_MS, type EpochMs } from '../core/base/time/duration.ts';
import type { Database } from '../core/database.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import type { IngestDeps, IngestMetrics } from '../core/ingest/ingest-deps.ts';
import { IngestRun } from '../core/ingest/ingest-run.ts';
import { makeRecord } from '../core/record/make-record.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import type { DropReason } from '../core/trades/source/source.ts';
import { openDatabase } from '../infra/database/database.ts';
import { openReplay } from '../infra/market/tapes/replay.ts';
import { tapeSourceName } from '../infra/market/tapes/source-deps.ts';
import { processOwner } from '../infra/process/process-owner.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { sha256 } from '../infra/secrets/key-crypto.ts';
import { MetricsExport } from '../infra/telemetry/metrics.ts';
import { noLogger } from '../infra/telemetry/no-logger.ts';
import { type IngestPartsOptions, ingestParts } from './ingest-parts.ts';

interface TapeRecordOptions {
  readonly rules: DetectionRules;
  readonly onProgress?: (part: number) => void;
}

/** Plays a tape into a database in memory, and makes the record as the service does. Throws a `UserError` when the file is no tape. */
export async function recordOfTape(
  file: string,
  { rules, onProgress = () => {} }: TapeRecordOptions,
): Promise<PlayedTape & { readonly report: RecordReport }> {
  await using database = await openDatabase('sqlite::memory:');
  const played = await runTape({ database, file, rules, onProgress });
  return { ...played, report: await recordAt(played.until, database, rules) };
}

export async function recordAt(
  asOf: EpochMs,
  { alerts, prices }: Database,
  rules: DetectionRules,
): Promise<RecordReport> {
  const request = {
    asOf,
    mapping: null,
    publishedUntil: Number.POSITIVE_INFINITY,
    rules: rulesIdentity(rules, sha256),
    plan: rules.record,
  };
  return makeRecord({ alerts, prices }, request);
}

interface PlayedTape {
  readonly trades: number;
  readonly alerts: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
  readonly until: EpochMs;
}

/** The moments of a tape at which something is published, in its own time, ascending. */
export interface TapeMoments {
  readonly alerts: readonly EpochMs[];
  /** Settlements of markets with alerts. */
  readonly results: readonly EpochMs[];
}

/** Plays a tape into a database in memory. */
export async function momentsOfTape(file: string, rules: DetectionRules): Promise<TapeMoments> {
  await using database = await openDatabase('sqlite::memory:');
  const alerts: EpochMs[] = [];
  const results: EpochMs[] = [];
  const markets = new Set<string>();
  await runTape({
    database,
    file,
    rules,
    onAppended: (appended) => {
      alerts.push(...appended.map(({ createdAt }) => createdAt));
      for (const { marketId } of appended) markets.add(marketId);
    },
    onSettled: ({ marketId, at }) => void (markets.has(marketId) && results.push(at)),
  });
  return { alerts, results };
}

interface TapeRunOptions extends Partial<Pick<IngestPartsOptions, 'onAppended' | 'onSettled'>> {
  readonly database: Database;
  readonly file: string;
  readonly rules: DetectionRules;
  readonly onProgress?: (part: number) => void;
}

/** Plays a tape at full speed into an empty database, through the parts of a replaying service. */
export async function runTape(options: TapeRunOptions): Promise<PlayedTape> {
  const {
    database,
    file,
    rules,
    onProgress = () => {},
    onAppended = () => {},
    onSettled = () => {},
  } = options;
  const dropped = new Map<DropReason, number>();
  let trades = 0;
  const metrics: IngestMetrics = {
    ...new MetricsExport().metrics,
    rowDropped: (reason) => void dropped.set(reason, (dropped.get(reason) ?? 0) + 1),
    tradesJudged(count) {
      trades += count;
    },
  };
  const tools = { clock: systemClock, logger: noLogger };
  const tape = { file, speed: 0, shift: null };
  const deps: IngestDeps = {
    ...ingestParts({ ...tools, database, rules, metrics, onAppended, onSettled }),
    sourceName: tapeSourceName('replay', file),
    openSource: (checkpoint) => openReplay({ ...tape, checkpoint }, { ...tools, onDrop: metrics.rowDropped }),
    isPaused: () => false,
    snapshotEveryMs: Number.POSITIVE_INFINITY,
  };
  // Nobody else has this database: the lease need not be renewed.
  const claim = {
    owner: processOwner(),
    now: systemClock.now(),
    ttlMs: DAY_MS,
    isGone: () => true,
  };
  const lease = await database.lease.acquire(claim);
  if (lease === null) throw new Error('the lease of an own database was refused');
  const run = await IngestRun.open(deps, lease);
  const { source, detector } = run;
  const { signal } = new AbortController();
  for await (const batch of source.batches(signal, { lease, knowledge: detector })) {
    await run.take(batch, signal);
    onProgress(source.status().progress ?? 0);
  }
  await run.end();
  return { trades, dropped, alerts: deps.ledger.appended, until: detector.time };
}
