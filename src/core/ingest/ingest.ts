import { allOrNone } from '../async/all-or-none.ts';
import { untilAborted } from '../async/until-aborted.ts';
import type { Detector } from '../detection/detector.ts';
import { holdLease, type LeaseDeps } from '../lease/lease.ts';
import { LeaseLost } from '../lease/lease-lost.ts';
import type { Lease } from '../lease/lease-store.ts';
import type { LogRecorder } from '../ledger/log-recorder.ts';
import { LedgerConflict } from '../log/ledger-conflict.ts';
import type { Source } from '../source/source.ts';
import { UserError } from '../user-error.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { type IngestRun, type IngestRunDeps, openIngestRun } from './ingest-run.ts';
import type { SnapshotStore } from './snapshot-store.ts';

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

/** What the ingest stands on. */
export interface IngestDeps extends LeaseDeps, IngestRunDeps {
  /** While it says so nothing more is taken from the source; what was taken last is held, and judged afterwards. */
  readonly isPaused: () => boolean;
  /** Runs beside the source, under the same lease. */
  readonly logRecorder: LogRecorder;
  readonly store: SnapshotStore;
  readonly clock: LeaseDeps['clock'];
  readonly logger: LeaseDeps['logger'];
  readonly metrics: IngestMetrics;
}

/** Builds the ingest; nothing is read or written before `run`. */
export function createIngest(deps: IngestDeps): Ingest {
  const { clock, logger, ledger, logRecorder: feeder, isPaused } = deps;
  let status: IngestStatus = { state: 'starting', source: null, detector: null };

  async function ingest(lease: Lease, signal: AbortSignal): Promise<void> {
    const run = await openIngestRun(deps, lease);
    const { source, detector } = run;
    status = { state: 'running', source, detector };
    // The log does not go back to the wall clock from a tape's time, nor the other way round.
    const now = () => (source.mapping === null ? clock.now() : 0);
    await allOrNone(signal, [(until) => judge(run, lease, until), (until) => feeder.run(until, now)]);
  }

  async function judge(run: IngestRun, lease: Lease, signal: AbortSignal): Promise<void> {
    const { source, detector } = run;
    for await (const batch of source.batches(signal, { lease, knowledge: detector })) {
      await untilResumed(signal);
      if (signal.aborted) break;
      await run.take(batch);
    }
    await run.end();
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
