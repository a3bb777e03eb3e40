import { backoffMs } from '../../../core/backoff.ts';
import type { Clock } from '../../../core/clock.ts';

const PAUSES = { firstMs: 500, mostMs: 30_000 };

/** Waits that grow with each, up to 30 s. */
export interface Backoff {
  wait(signal: AbortSignal): Promise<void>;
  /** The next wait is a first one again. */
  reset(): void;
}

export function createBackoff({
  clock,
  random,
}: {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: () => number;
}): Backoff {
  let count = 0;
  return {
    wait(signal) {
      count += 1;
      return clock.sleep(backoffMs(PAUSES, count, random), signal);
    },
    reset() {
      count = 0;
    },
  };
}
