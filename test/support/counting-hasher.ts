import type { Hasher } from '../../src/core/accounts/keys/key-text.ts';

/** A hasher that costs nothing, counts its work, and can be held in the middle of it. */
export interface CountingHasher extends Hasher {
  readonly verifications: number;
  /** The largest number of concurrent verifications. */
  readonly mostAtOnce: number;
  /** From now on verifications wait until they are released. */
  hold(): void;
  release(): void;
}

export function createCountingHasher(): CountingHasher {
  const counts = { verifications: 0, now: 0, most: 0 };
  let gate: PromiseWithResolvers<void> | null = null;
  return {
    hash: async (secret) => `plain:${secret}`,
    async verify(hash, secret) {
      counts.verifications += 1;
      counts.now += 1;
      counts.most = Math.max(counts.most, counts.now);
      await gate?.promise;
      counts.now -= 1;
      return hash === `plain:${secret}`;
    },
    get verifications() {
      return counts.verifications;
    },
    get mostAtOnce() {
      return counts.most;
    },
    hold() {
      gate ??= Promise.withResolvers<void>();
    },
    release() {
      gate?.resolve();
      gate = null;
    },
  };
}
