import { LRUCache } from 'lru-cache';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitVerdict, RateLimiter } from '../../core/accounts/limits/rate-limiter.ts';
import { type EpochMs, MINUTE_MS } from '../../core/base/time/duration.ts';

/** Counts in this process. Holds at most `capacity` windows, about 200 bytes each: those that began first are evicted first. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #windows: LRUCache<string, { count: number; readonly endsAt: EpochMs }>;

  constructor({ capacity }: { readonly capacity: number }) {
    this.#windows = new LRUCache({ max: capacity });
  }

  async consume(subject: string, limit: number): Promise<LimitVerdict> {
    let window = this.#windows.peek(subject);
    if (window === undefined || isOver({ msBeforeNext: window.endsAt - Date.now() })) {
      window = { count: 0, endsAt: Date.now() + WINDOW_MS };
      this.#windows.set(subject, window);
    }
    window.count += 1;
    return { isAllowed: window.count <= limit, ...this.#standing(subject, limit) };
  }

  async read(subject: string, limit: number): Promise<LimitVerdict> {
    const standing = this.#standing(subject, limit);
    return { isAllowed: standing.remaining > 0, ...standing };
  }

  #standing(subject: string, limit: number) {
    const window = this.#windows.peek(subject);
    if (window === undefined) return standing(null, limit);
    return standing({ consumedPoints: window.count, msBeforeNext: window.endsAt - Date.now() }, limit);
  }
}

const WINDOW_MS = MINUTE_MS;
export const WINDOW_SECONDS = WINDOW_MS / 1_000;
/** A window that ends later began while a clock was ahead. Clocks of two hosts may differ by a minute. */
export const FAR_AHEAD_MS = WINDOW_MS + MINUTE_MS;

type Window = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

export function isFarAhead({ msBeforeNext }: Pick<Window, 'msBeforeNext'>): boolean {
  return msBeforeNext > FAR_AHEAD_MS;
}

function isOver(window: Pick<Window, 'msBeforeNext'>): boolean {
  return window.msBeforeNext <= 0 || isFarAhead(window);
}

export function standing(window: Window | null, limit: number): Omit<LimitVerdict, 'isAllowed'> {
  if (window === null || isOver(window)) return { limit, remaining: limit, resetMs: 0 };
  return { limit, remaining: Math.max(0, limit - window.consumedPoints), resetMs: resetOf(window) };
}

/** Never longer than a window. */
export function resetOf({ msBeforeNext }: Pick<Window, 'msBeforeNext'>): number {
  return Math.min(WINDOW_MS, msBeforeNext);
}
