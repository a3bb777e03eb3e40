import { createBoundedQueue } from './bounded-queue.ts';
import type { Hasher } from './hasher.ts';

/** How wide a gate is. */
export interface GateLimits {
  /** Hashes under way at once. */
  readonly atOnce: number;
  /** Those that wait; one more throws. */
  readonly waiting: number;
}

const GROUP = 'customers';

/** A hasher whose work goes through a gate, so that many at once do not take the cores the API stands on. */
export function createGatedHasher(hasher: Hasher, { atOnce, waiting }: GateLimits): Hasher {
  const gate = createBoundedQueue({ atOnce, atOncePerGroup: atOnce, waitingPerGroup: waiting });

  function pass<T>(task: () => Promise<T>): Promise<T> {
    const run = gate.run({ group: GROUP, isLast: false }, task);
    return run ?? Promise.reject(new Error(`${waiting} hashes of keys are waiting already`));
  }

  return {
    hash: (secret) => pass(() => hasher.hash(secret)),
    verify: (hash, secret) => pass(() => hasher.verify(hash, secret)),
  };
}
