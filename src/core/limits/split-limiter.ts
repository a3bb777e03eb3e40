import type { RateLimiter } from './rate-limiter.ts';

/** Begins every subject that is an address; all others are keys. */
export const ADDRESS_PREFIX = 'address:';

/** Counts keys and addresses in places of their own, so that many addresses never push out the window of a key. */
export function createSplitLimiter({
  keys,
  addresses,
}: {
  readonly keys: RateLimiter;
  readonly addresses: RateLimiter;
}): RateLimiter {
  const placeOf = (subject: string) => (subject.startsWith(ADDRESS_PREFIX) ? addresses : keys);
  return {
    consume: (subject, limit) => placeOf(subject).consume(subject, limit),
    read: (subject, limit) => placeOf(subject).read(subject, limit),
  };
}
