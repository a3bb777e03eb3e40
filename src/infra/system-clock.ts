import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';

/** What a timer of Node takes; one that is longer would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    const options = signal === undefined ? {} : { signal };
    await delay(Math.min(ms, LONGEST_MS), undefined, options).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
  },
};
