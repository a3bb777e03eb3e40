import type { RateLimiterRes } from 'rate-limiter-flexible';
import { MINUTE_MS } from '../core/duration.ts';
import type { LimitVerdict } from '../core/limits/rate-limiter.ts';

export const WINDOW_SECONDS = MINUTE_MS / 1_000;

/** The library's window of a subject, compared with a limit. */
export function standing(window: RateLimiterRes | null, limit: number): Omit<LimitVerdict, 'isAllowed'> {
  // An expired window exists until its timer, or the database's TTL index, removes it.
  if (window === null || window.msBeforeNext <= 0) return { limit, remaining: limit, resetMs: 0 };
  return { limit, remaining: Math.max(0, limit - window.consumedPoints), resetMs: window.msBeforeNext };
}
