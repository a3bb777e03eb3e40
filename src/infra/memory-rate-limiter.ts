import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { standing, WINDOW_SECONDS } from './rate-window.ts';

/**
 * Counts for this process. Holds at most `capacity` windows, about 500 bytes each: those that began first are forgotten
 * first, and one that is over goes by itself. The library reads the time from `Date`; its timers keep no process alive.
 */
export function createMemoryRateLimiter({ capacity }: { readonly capacity: number }): RateLimiter {
  // It refuses nothing itself: limits differ from call to call.
  const windows = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: WINDOW_SECONDS,
    keyPrefix: '',
  });
  /** A ring of the newest windows in the order they began. */
  const begun: { readonly subject: string; readonly endsAt: number }[] = [];
  let next = 0;

  function began(subject: string, resetMs: number): void {
    const oldest = begun[next];
    const now = Date.now();
    // When it is over, its subject may have begun another one, which has a place of its own.
    if (oldest !== undefined && oldest.endsAt > now) void windows.delete(oldest.subject);
    begun[next] = { subject, endsAt: now + resetMs };
    next = (next + 1) % capacity;
  }

  return {
    async consume(subject, limit) {
      const window = await windows.consume(subject);
      if (window.isFirstInDuration) began(subject, window.msBeforeNext);
      return { isAllowed: window.consumedPoints <= limit, ...standing(window, limit) };
    },
    async read(subject, limit) {
      const stood = standing(await windows.get(subject), limit);
      return { isAllowed: stood.remaining > 0, ...stood };
    },
  };
}
