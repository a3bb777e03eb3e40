/** A hasher that costs nothing, counts its work, and can be held in the middle of it. */
export function createCountingHasher() {
  const counts = { verifications: 0, now: 0, most: 0 };
  let gate: PromiseWithResolvers<void> | null = null;
  return {
    hash: async (secret: string) => `plain:${secret}`,
    async verify(hash: string, secret: string) {
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
    /** From now on verifications wait until they are released. */
    hold() {
      gate ??= Promise.withResolvers<void>();
    },
    release() {
      gate?.resolve();
      gate = null;
    },
  };
}
