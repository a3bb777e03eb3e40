import { createBoundedQueue } from '../async/bounded-queue.ts';
import type { Hasher } from './hasher.ts';

/** How wide a gate is. */
export interface HasherLimits {
  /** Hashes under way at once. */
  readonly concurrency: number;
  /** Those that wait; one more throws. */
  readonly waiting: number;
}

const GROUP = 'customers';

/** A hasher whose work goes through a gate, so that many at once do not take the cores the API stands on. */
export function createLimitedHasher(hasher: Hasher, { concurrency: atOnce, waiting }: HasherLimits): Hasher {
  const gate = createBoundedQueue({
    concurrency: atOnce,
    concurrencyPerGroup: atOnce,
    waitingPerGroup: waiting,
  });

  function pass<T>(task: () => Promise<T>): Promise<T> {
    const run = gate.run({ group: GROUP, isLast: false }, task);
    return run ?? Promise.reject(new Error(`${waiting} hashes of keys are waiting already`));
  }

  return {
    hash: (secret) => pass(() => hasher.hash(secret)),
    verify: (hash, secret) => pass(() => hasher.verify(hash, secret)),
  };
}
