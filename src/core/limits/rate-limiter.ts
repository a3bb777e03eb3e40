/** How a subject stands against its limit. */
export interface LimitVerdict {
  /** Whether the call is within the limit; of a read: whether one more would be. */
  readonly isAllowed: boolean;
  readonly limit: number;
  /** Calls left in the window, 0 or more. */
  readonly remaining: number;
  /** Time until the window ends; 0 when none is open. */
  readonly resetMs: number;
}

/**
 * Counts calls in windows of 60 seconds (contract, Limits); a window begins with its subject's first call. A subject
 * has one count, whatever the limit it is held against: a tier that changes changes the limit, not the count.
 */
export interface RateLimiter {
  /** Counts one call of a subject against its limit, a whole number from 1. */
  consume(subject: string, limit: number): Promise<LimitVerdict>;
  /** The same without counting. */
  read(subject: string, limit: number): Promise<LimitVerdict>;
}
