import type { RateLimiter } from './rate-limiter.ts';

/** Prefix of every subject that is an address. All other subjects are keys. */
export const ADDRESS_PREFIX = 'address:';

/** Separate limiters for keys and addresses, so that many addresses never evict the window of a key. */
export function splitLimiter(limiters: {
  readonly keys: RateLimiter;
  readonly addresses: RateLimiter;
}): RateLimiter {
  const of = (subject: string) => (subject.startsWith(ADDRESS_PREFIX) ? limiters.addresses : limiters.keys);
  return {
    consume: (subject, limit) => of(subject).consume(subject, limit),
    read: (subject, limit) => of(subject).read(subject, limit),
  };
}
