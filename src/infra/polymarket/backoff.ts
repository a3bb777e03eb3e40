import type { Clock } from '../../core/clock.ts';

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Waits that double from 0.5 s to 30 s, each between a half and the whole of that by chance. */
export interface Backoff {
  wait(signal: AbortSignal): Promise<void>;
  reset(): void;
}

export function createBackoff({
  clock,
  random,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: () => number;
}): Backoff {
  let next = FIRST_MS;
  return {
    wait(signal) {
      const ms = next * (0.5 + random() / 2);
      next = Math.min(next * 2, LONGEST_MS);
      return clock.sleep(ms, signal);
    },
    reset() {
      next = FIRST_MS;
    },
  };
}
