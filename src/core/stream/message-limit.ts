import type { EpochMs } from '../trade.ts';

/** Messages that a client may send in a second, control frames included. */
export const MESSAGES_PER_SECOND = 10;

/** A token bucket for the messages of one client. It holds the messages of one second. */
export class MessageLimit {
  #left = MESSAGES_PER_SECOND;
  #last: EpochMs;

  constructor(start: EpochMs) {
    this.#last = start;
  }

  /** Takes one message; false if none is left. */
  take(now: EpochMs): boolean {
    // A clock that was set back adds nothing.
    const gained = (Math.max(0, now - this.#last) * MESSAGES_PER_SECOND) / 1_000;
    this.#left = Math.min(MESSAGES_PER_SECOND, this.#left + gained);
    this.#last = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
