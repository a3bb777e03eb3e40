import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import { SECOND_MS } from '../base/time/duration.ts';
import type { TrustedClock } from '../base/time/trusted-clock.ts';
import type { Pause, PauseStore } from './pause-flags.ts';

const LOOK_EVERY_MS = SECOND_MS;
const NAME = 'clock' satisfies Pause['name'];

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
    await repeat(() => this.look(), { clock, signal, intervalMs: LOOK_EVERY_MS, failures });
  }

  /** One comparison with the store. */
  async look(): Promise<void> {
    const { clock, pauses } = this.#options;
    if (!clock.isUncertain) {
      if (this.#isStored) await pauses.resume(NAME);
      this.#isStored = false;
    } else if (!this.#isStored) {
      await pauses.pause({ name: NAME, at: clock.now(), by: 'the service' });
      this.#isStored = true;
    } else if (!(await pauses.list()).some(({ name }) => name === NAME)) {
      this.#isStored = false;
      clock.accept();
    }
  }
}
