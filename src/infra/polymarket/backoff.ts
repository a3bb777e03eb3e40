import type { Clock } from '../../core/clock.ts';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Of polling: a failure of 20 s is over before the feed is blind (25 s). */
export const POLL_LONGEST_MS = 5_000;

/** Waits that double from 0.5 s to the longest, by default 30 s, each between a half and the whole of that by chance. */
export interface Backoff {
  wait(signal: AbortSignal): Promise<void>;
  reset(): void;
}

export function createBackoff({
  clock,
  random,
  longestMs = LONGEST_MS,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: () => number;
  readonly longestMs?: number;
}): Backoff {
  let next = FIRST_MS;
  return {
    wait(signal) {
      const ms = next * (0.5 + random() / 2);
      next = Math.min(next * 2, longestMs);
      return clock.sleep(ms, signal);
    },
    reset() {
      next = FIRST_MS;
    },
  };
}
