import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import { withTimeout } from '../base/async/with-timeout.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../base/time/duration.ts';
import type { TrustedClock } from '../base/time/trusted-clock.ts';

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

  /** The state as of the last second. Nothing is paused before the first `look`. */
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

/** What the operator can pause: the feed, the channels' posts, personal alerts, and webhooks. */
export const PAUSABLE_NAMES = ['feed', 'posts', 'personal', 'webhooks'] as const;
/** `clock`: what the service pauses while the time is uncertain. */
export type PausableName = (typeof PAUSABLE_NAMES)[number] | 'clock';

/** A pause, with its time and operator. */
export interface Pause {
  readonly name: PausableName;
  readonly at: EpochMs;
  /** The operator, as in the audit log. */
  readonly by: string;
}

/** Store of pauses, shared by all processes. */
export interface PauseStore {
  list(): Promise<readonly Pause[]>;
  /** False when already paused. */
  pause(pause: Pause): Promise<boolean>;
  /** False when not paused. */
  resume(name: PausableName): Promise<boolean>;
}

const CLOCK = 'clock' satisfies PausableName;

interface ClockPauseOptions {
  readonly clock: Pick<TrustedClock, 'now' | 'sleep' | 'isUncertain' | 'accept'>;
  readonly pauses: PauseStore;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Stores an uncertain time as the pause `clock`. The operator accepts the new time by resuming it, in any process. */
export class ClockPause {
  readonly #options: ClockPauseOptions;
  #isStored = true;

  constructor(options: ClockPauseOptions) {
    this.#options = options;
  }

  /** Until the signal aborts. A pause of an earlier process is removed. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    const failures = new FailureLog(logger, 'pause flags unavailable; retrying every second');
    await repeat(() => this.look(), { clock, signal, intervalMs: INTERVAL_MS, failures });
  }

  /** One comparison with the store. */
  async look(): Promise<void> {
    const { clock, pauses } = this.#options;
    if (!clock.isUncertain) {
      if (this.#isStored) await pauses.resume(CLOCK);
      this.#isStored = false;
    } else if (!this.#isStored) {
      await pauses.pause({ name: CLOCK, at: clock.now(), by: 'the service' });
      this.#isStored = true;
    } else if (!(await pauses.list()).some(({ name }) => name === CLOCK)) {
      this.#isStored = false;
      clock.accept();
    }
  }
}
