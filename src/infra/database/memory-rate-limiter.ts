import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitVerdict, RateLimiter } from '../../core/accounts/limits/rate-limiter.ts';
import { MINUTE_MS } from '../../core/base/time/duration.ts';

/**
 * Counts in this process. Holds at most `capacity` windows, about 500 bytes each: the oldest are evicted first, and expired
 * ones are removed. The library reads the time from `Date`; its timers do not keep the process alive.
 */
export class MemoryRateLimiter implements RateLimiter {
  readonly #capacity: number;
  /** The library refuses nothing: limits differ from call to call. */
  readonly #windows = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: WINDOW_SECONDS,
    keyPrefix: '',
  });
  /** Ring buffer of the newest windows in the order of their start. */
  readonly #started: { readonly subject: string; readonly endsAt: number }[] = [];
  #next = 0;

  constructor({ capacity }: { readonly capacity: number }) {
    this.#capacity = capacity;
  }

  async consume(subject: string, limit: number): Promise<LimitVerdict> {
    let window = await this.#windows.consume(subject);
    if (isFarAhead(window)) {
      await this.#windows.delete(subject);
      window = await this.#windows.consume(subject);
    }
    if (window.isFirstInDuration) this.#start(subject, window.msBeforeNext);
    return { isAllowed: window.consumedPoints <= limit, ...standing(window, limit) };
  }

  async read(subject: string, limit: number): Promise<LimitVerdict> {
    const state = standing(await this.#windows.get(subject), limit);
    return { isAllowed: state.remaining > 0, ...state };
  }

  #start(subject: string, resetMs: number): void {
    const oldest = this.#started[this.#next];
    const now = Date.now();
    // The subject of an expired window may have started another one, which has its own entry.
    if (oldest !== undefined && oldest.endsAt > now) void this.#windows.delete(oldest.subject);
    this.#started[this.#next] = { subject, endsAt: now + resetMs };
    this.#next = (this.#next + 1) % this.#capacity;
  }
}

const WINDOW_MS = MINUTE_MS;
export const WINDOW_SECONDS = WINDOW_MS / 1_000;
/** A window that ends later began while a clock was ahead. Clocks of two hosts may differ by a minute. */
export const FAR_AHEAD_MS = WINDOW_MS + MINUTE_MS;

/** Whether a window counts as over, because its clock was ahead. */
export function isFarAhead({ msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>): boolean {
  return msBeforeNext > FAR_AHEAD_MS;
}

/** The library's window of a subject, compared with a limit. */
export function standing(window: RateLimiterRes | null, limit: number): Omit<LimitVerdict, 'isAllowed'> {
  // An expired window exists until its timer, or the database's TTL index, removes it.
  const isOver = window === null || window.msBeforeNext <= 0 || isFarAhead(window);
  if (isOver) return { limit, remaining: limit, resetMs: 0 };
  return { limit, remaining: Math.max(0, limit - window.consumedPoints), resetMs: resetOf(window) };
}

/** Never longer than a window. */
export function resetOf({ msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>): number {
  return Math.min(WINDOW_MS, msBeforeNext);
}
