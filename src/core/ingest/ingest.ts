import { createDetector, type Detector } from '../detection/detector.ts';
import type { DetectionRules } from '../detection/rules.ts';
import { holdLease, type LeaseDeps } from '../lease.ts';
import { LedgerConflict } from '../ledger/ledger.ts';
import type { IngestStore } from '../ports/ingest-store.ts';
import type { Lease } from '../ports/lease-store.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Checkpoint, Source } from '../ports/source.ts';
import { untilAborted } from '../until-aborted.ts';
import { UserError } from '../user-error.ts';
import { type JudgeDeps, judgeBatch } from './judge-batch.ts';
import { createSnapshotWriter, LeaseLost, type SnapshotDeps } from './snapshot-writer.ts';

const RETRY_MS = 1_000;
const PAUSE_LOOK_MS = 250;

/** Where the ingest stands, for readiness and the terminal. */
export interface IngestStatus {
  /** `standby`: another process holds the lease. `paused`: it would run, but the operator paused the feed. */
  readonly state: 'starting' | 'standby' | 'running' | 'paused' | 'failing' | 'stopped';
  readonly source: Source | null;
  readonly detector: Detector | null;
}

/** The one writer of the ledger. */
export interface Ingest {
  /**
   * Feeds the source's rows through the detector into the ledger until the signal aborts. After a fault of the
   * database it starts again from the last snapshot; what only the operator can mend (`UserError`) is thrown.
   */
  run(signal: AbortSignal): Promise<void>;
  status(): IngestStatus;
}

/** What the ingest stands on. `openSource` is called anew after every fault. */
export interface IngestDeps extends LeaseDeps, SnapshotDeps, JudgeDeps {
  readonly openSource: (checkpoint: Checkpoint | null) => Promise<Source>;
  /** While it says so nothing more is taken from the source; what was taken last is held, and judged afterwards. */
  readonly isPaused: () => boolean;
  readonly rules: DetectionRules;
  readonly store: IngestStore;
  readonly clock: LeaseDeps['clock'];
  readonly metrics: Metrics;
}

/** Builds the ingest; nothing is read or written before `run`. */
export function createIngest(deps: IngestDeps): Ingest {
  const { clock, logger, store, ledger, sourceName, isPaused } = deps;
  let status: IngestStatus = { state: 'starting', source: null, detector: null };

  async function ingest(lease: Lease, signal: AbortSignal): Promise<void> {
    const stored = await store.readSnapshot(sourceName);
    const checkpoint = (stored?.checkpoint ?? null) as Checkpoint | null;
    const source = await deps.openSource(checkpoint);
    const isResumed = checkpoint !== null && isSameHistory(source, checkpoint);
    const detector = createDetector(deps.rules, source);
    if (isResumed) detector.restore(stored?.chunks ?? []);
    await ledger.open();
    const snapshots = createSnapshotWriter(deps, lease, source, detector);
    // The time mapping has to rest before the first alert that is published by it.
    if (!isResumed) await snapshots.writeStart();
    status = { state: 'running', source, detector };
    logger.info({ source: source.name, isResumed, mapping: source.mapping }, 'ingesting');
    for await (const batch of source.batches(signal, { lease, knowledge: detector })) {
      await untilResumed(signal);
      if (signal.aborted) break;
      await judgeBatch(deps, source, detector, batch);
      await snapshots.after(batch.at(-1)?.offset ?? 0);
    }
    await snapshots.flush();
    const alerts = ledger.appended;
    if (!signal.aborted) logger.info({ source: source.name, alerts }, 'the source has ended');
    await untilAborted(signal);
  }

  async function untilResumed(signal: AbortSignal): Promise<void> {
    if (!isPaused()) return;
    logger.info({}, 'the feed is paused');
    while (isPaused() && !signal.aborted) await clock.sleep(PAUSE_LOOK_MS, signal);
    if (!signal.aborted) logger.info({}, 'the feed goes on');
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    const outcome = await holdLease(deps, signal, ingest);
    if (outcome === 'refused' && status.state !== 'standby')
      logger.info({}, 'another process ingests; standing by');
    if (outcome !== 'done') status = { ...status, state: 'standby' };
    if (outcome === 'lost') logger.warn({}, 'another process ingests now; standing by');
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        try {
          await attempt(signal);
        } catch (error) {
          if (error instanceof UserError) throw error;
          status = { ...status, state: 'failing' };
          const hasRival = error instanceof LedgerConflict || error instanceof LeaseLost;
          logger.error(
            { err: error },
            hasRival ? 'standing down' : 'ingest failed; starts again from its snapshot',
          );
        }
        await clock.sleep(RETRY_MS, signal);
      }
      status = { ...status, state: 'stopped' };
    },
    status: () => (status.state === 'running' && isPaused() ? { ...status, state: 'paused' } : status),
  };
}

/** Another tape under the same name is another history; a file that grows goes on with what was learnt from it. */
function isSameHistory(source: Source, { identity }: Checkpoint): boolean {
  return source.isLive || source.checkpoint(0).identity === identity;
}
