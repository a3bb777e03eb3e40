import type { Logger } from '../logger.ts';
import type { SteadyClock } from './clock.ts';
import { MINUTE_MS, SECOND_MS } from './duration.ts';

const TOLERANCE_MS = MINUTE_MS;
/** A clock that was corrected, or a machine that slept, continues without a person. */
const HELD_MOST_MS = 10 * MINUTE_MS;

interface ClockGuardOptions {
  readonly clock: SteadyClock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Holds publication while the host's clock has moved by more than a minute against the monotonic one, until it is set back, at most
 * 10 minutes: alerts would be dated wrongly, and trades taken for late ones.
 */
export class ClockGuard {
  readonly #options: ClockGuardOptions;
  /** The host's time less the monotonic time. */
  #difference: number;
  /** Monotonic. */
  #heldSince: number | null = null;

  constructor(options: ClockGuardOptions) {
    this.#options = options;
    this.#difference = this.#read();
  }

  readonly isHeld = (): boolean => {
    const { clock, logger } = this.#options;
    const difference = this.#read();
    const seconds = Math.round((difference - this.#difference) / SECOND_MS);
    const isMoved = Math.abs(difference - this.#difference) > TOLERANCE_MS;
    const since = this.#heldSince ?? clock.monotonic();
    if (isMoved && clock.monotonic() - since < HELD_MOST_MS) {
      if (this.#heldSince === null)
        logger.error(
          { seconds },
          'the clock of this host was set: no alert is published until it is set back, or for 10 minutes. Synchronise it (NTP)',
        );
      this.#heldSince = since;
      return true;
    }
    if (this.#heldSince !== null)
      logger.warn({ seconds }, isMoved ? 'the new time is accepted' : 'the clock of this host was set back');
    this.#heldSince = null;
    this.#difference = difference;
    return false;
  };

  #read(): number {
    const { clock } = this.#options;
    return clock.now() - clock.monotonic();
  }
}
