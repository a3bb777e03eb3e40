import type { EpochMs } from '../trade.ts';

/** Messages a client may send in a second, pings of the protocol among them (issue: 10 a second). */
export const MESSAGES_PER_SECOND = 10;

/** How many messages one client has left. */
export interface MessageLimit {
  /** Takes one; false when none is left. */
  take(now: EpochMs): boolean;
}

/** A bucket that holds the messages of one second, full at first, and fills at their rate. */
export function createMessageLimit(start: EpochMs): MessageLimit {
  let left = MESSAGES_PER_SECOND;
  let last = start;
  return {
    take(now) {
      // A clock that is set back fills nothing.
      const gained = (Math.max(0, now - last) * MESSAGES_PER_SECOND) / 1_000;
      left = Math.min(MESSAGES_PER_SECOND, left + gained);
      last = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
