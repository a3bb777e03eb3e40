import { LedgerConflict } from '../alerts/log/log-writer.ts';
import { allOrNone, repeat, repeatUntil, untilAborted } from '../base/async/repeat.ts';
import type { HeldLease } from '../base/lease/hold-lease.ts';
import { type Lease, LeaseLost } from '../base/lease/lease.ts';
import { UserError } from '../base/user-error.ts';
import type { Detector } from '../detection/detector.ts';
import type { Source } from '../trades/source/source.ts';
import type { IngestDeps } from './ingest-deps.ts';
import { IngestRun } from './ingest-run.ts';

const RETRY_MS = 1_000;
const PAUSE_CHECK_MS = 250;

/** State of the ingest, for readiness and the terminal. */
export interface IngestStatus {
  /** `paused`: it would run, but the operator paused the feed. `clock_set`: it would run, but the clock of this host was set. */
  readonly state: 'starting' | 'running' | Waiting | 'failing' | 'stopped';
  readonly source: Source | null;
  readonly detector: Detector | null;
  /** The source has ended, and all that its rows led to is stored. */
  readonly hasEnded: boolean;
  /** Why the last run ended, while the state is `failing`. */
  readonly failure?: unknown;
}

type Waiting = 'paused' | 'clock_set';

/** The only writer of the ledger. Reads and writes nothing before `run`. */
export class Ingest {
  readonly #deps: IngestDeps;
  #status: IngestStatus = { state: 'starting', source: null, detector: null, hasEnded: false };

  constructor(deps: IngestDeps) {
    this.#deps = deps;
  }

  /**
   * Feeds the source's rows through the detector into the ledger until the signal aborts. After a database failure it
   * restarts from the last snapshot, under the next epoch of the lease; an error that only the operator can resolve
   * (`UserError`) is thrown.
   */
  async run(held: HeldLease, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    await repeat(() => this.#attempt(held, signal), { clock, signal, intervalMs: RETRY_MS });
    this.#setState('stopped');
  }

  status(): IngestStatus {
    const waiting = this.#status.state === 'running' ? this.#waiting() : null;
    return waiting === null ? this.#status : { ...this.#status, state: waiting };
  }

  /** Why nothing is judged now; null while trades are judged. */
  #waiting(): Waiting | null {
    if (this.#deps.isPaused()) return 'paused';
    return this.#deps.isClockHeld?.() === true ? 'clock_set' : null;
  }

  async #attempt(held: HeldLease, signal: AbortSignal): Promise<void> {
    const { logger } = this.#deps;
    try {
      await this.#ingest(await held.next(), signal);
    } catch (error) {
      if (error instanceof UserError) throw error;
      this.#status = { ...this.#status, state: 'failing', failure: error };
      const isReplaced = error instanceof LedgerConflict || error instanceof LeaseLost;
      const action = isReplaced ? 'standing by' : 'restarting from the last snapshot';
      logger.error({ err: error }, `ingest failed; ${action}`);
    }
  }

  async #ingest(lease: Lease, signal: AbortSignal): Promise<void> {
    const { clock, logRecorder } = this.#deps;
    const run = await IngestRun.open(this.#deps, lease);
    const { source, detector } = run;
    this.#status = { state: 'running', source, detector, hasEnded: false };
    // The log never mixes the wall clock with a tape's time.
    const now = () => (source.mapping === null ? clock.now() : 0);
    const judge = (until: AbortSignal) => this.#judge(run, lease, until);
    await allOrNone(signal, [judge, (until) => logRecorder.run(until, now)]);
  }

  async #judge(run: IngestRun, lease: Lease, signal: AbortSignal): Promise<void> {
    const { logger, ledger } = this.#deps;
    const { source, detector } = run;
    for await (const batch of source.batches(signal, { lease, knowledge: detector })) {
      await this.#untilResumed(signal);
      if (signal.aborted) break;
      await run.take(batch, signal);
    }
    await run.end();
    if (!signal.aborted) {
      logger.info({ source: source.name, alerts: ledger.appended }, 'the source has ended');
      this.#status = { ...this.#status, hasEnded: true };
    }
    await untilAborted(signal);
  }

  async #untilResumed(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#deps;
    const reason = this.#waiting();
    if (reason === null) return;
    logger.info({ reason }, 'feed paused');
    await repeatUntil(() => this.#waiting() === null, { clock, signal, intervalMs: PAUSE_CHECK_MS });
    if (!signal.aborted) logger.info({}, 'feed resumed');
  }

  #setState(state: IngestStatus['state']): void {
    this.#status = { ...this.#status, state };
  }
}
