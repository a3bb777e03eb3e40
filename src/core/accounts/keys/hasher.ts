import { FairQueue } from '../../base/async/fair-queue.ts';

/** Slow hashing of whole keys (argon2id outside of tests). */
export interface Hasher {
  /** A PHC string with its own salt. */
  hash(secret: string): Promise<string>;
  /** Throws if `hash` is not a PHC string. */
  verify(hash: string, secret: string): Promise<boolean>;
}

/** A hasher that runs a few hashes at a time. When `waiting` more wait, the next rejects with `QueueFullError`. */
export function limitedHasher(hasher: Hasher, limits: { concurrency: number; waiting: number }): Hasher {
  const queue = new FairQueue({ running: limits.concurrency, waiting: limits.waiting });
  return {
    hash: (secret) => queue.run(() => hasher.hash(secret), { caller: '' }),
    verify: (hash, secret) => queue.run(() => hasher.verify(hash, secret), { caller: '' }),
  };
}
