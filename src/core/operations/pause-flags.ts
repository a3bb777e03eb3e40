import { FailureLog } from '../async/failure-log.ts';
import { repeat } from '../async/repeat.ts';
import { withTimeout } from '../async/with-timeout.ts';
import type { Clock } from '../clock.ts';
import { SECOND_MS } from '../duration.ts';
import type { Logger } from '../logger.ts';
import type { PausableName, PauseStore } from './pause-store.ts';

const INTERVAL_MS = SECOND_MS;
const TIMEOUT_MS = 2 * SECOND_MS;

/** What the operator has paused, in memory. While the database is unavailable, the last known state stays in force. */
export class PauseFlags {
  readonly #pauses: Pick<PauseStore, 'list'>;
  readonly #clock: Clock;
  readonly #failures: FailureLog;
  #paused: ReadonlySet<PausableName> = new Set();
  #reads = 0;

  constructor(pauses: Pick<PauseStore, 'list'>, clock: Clock, logger: Pick<Logger, 'warn'>) {
    this.#pauses = pauses;
    this.#clock = clock;
    this.#failures = new FailureLog(logger, 'pause flags unavailable; the last known ones stay in force');
  }

  /** The state of the last second. Nothing is paused before the first `look`. */
  readonly isPaused = (name: PausableName): boolean => this.#paused.has(name);

  /** Reads the flags: before anything starts that can be paused, and after a change. Never throws. */
  readonly look = async (): Promise<void> => {
    this.#reads += 1;
    const read = this.#reads;
    const limit = { clock: this.#clock, timeoutMs: TIMEOUT_MS };
    const list = await this.#failures.guard(() => withTimeout(limit, this.#pauses.list()));
    // A later read may have ended before; its result is newer.
    if (list !== null && read === this.#reads) this.#paused = new Set(list.map(({ name }) => name));
  };

  /** Reads the flags every second until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return repeat(this.look, { clock: this.#clock, signal, intervalMs: INTERVAL_MS });
  }
}
