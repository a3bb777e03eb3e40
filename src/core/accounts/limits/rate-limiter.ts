import { NETWORK_SHARE, networkOf } from '../../base/network.ts';

/** The state of a subject's window, compared with a limit. */
export interface LimitVerdict {
  /** Whether the call is within the limit; for a read, whether one more call would be. */
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Calls left in the window, 0 or more. */
  readonly remaining: number;
  /** Time until the window ends; 0 without an open window. */
  readonly resetMs: number;
}

/**
 * Counts calls in windows of 60 seconds (contract, Limits). A window starts with the first call of its subject. A change of
 * the tier changes the limit, not the count.
 */
export interface RateLimiter {
  /** Counts one call. `limit`: a whole number from 1. */
  consume(subject: string, limit: number): Promise<LimitVerdict>;
  /** The state without counting a call. */
  read(subject: string, limit: number): Promise<LimitVerdict>;
}

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

/** For subjects that are addresses: a call within the limit of an IPv6 client also counts for its network. */
export function networkLimiter(limiter: RateLimiter): RateLimiter {
  const ask = async (name: 'consume' | 'read', subject: string, limit: number): Promise<LimitVerdict> => {
    const verdict = await limiter[name](subject, limit);
    const network = networkOf(subject);
    if (network === null || !verdict.isAllowed) return verdict;
    const ofNetwork = await limiter[name](network, limit * NETWORK_SHARE);
    return ofNetwork.isAllowed ? verdict : ofNetwork;
  };
  return {
    consume: (subject, limit) => ask('consume', subject, limit),
    read: (subject, limit) => ask('read', subject, limit),
  };
}
