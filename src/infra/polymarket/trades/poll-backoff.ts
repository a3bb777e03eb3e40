import { backoffMs } from '../../../core/async/backoff.ts';
import type { Clock } from '../../../core/clock.ts';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Of polling: after a failure of 18 s a round is confirmed within 24 s, before the feed counts as blind (25 s). */
export const POLL_LONGEST_MS = 5_000;

/** Waits that grow with each, up to the longest, by default 30 s. */
export interface PollBackoff {
  wait(signal: AbortSignal): Promise<void>;
  /** The next wait is a first one again. */
  reset(): void;
}

export function createPollBackoff({
  clock,
  random,
  longestMs = LONGEST_MS,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: () => number;
  readonly longestMs?: number;
}): PollBackoff {
  let count = 0;
  return {
    wait(signal) {
      count += 1;
      return clock.sleep(backoffMs({ firstMs: FIRST_MS, mostMs: longestMs }, count, random), signal);
    },
    reset() {
      count = 0;
    },
  };
}
