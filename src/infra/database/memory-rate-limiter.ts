import { LRUCache } from 'lru-cache';
import type { LimitVerdict, RateLimiter } from '../../core/accounts/limits/rate-limiter.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS } from '../../core/base/time/duration.ts';

interface Window {
  calls: number;
  readonly endsAt: EpochMs;
}

interface MemoryRateLimiterOptions {
  readonly capacity: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Counts in this process. Holds at most `capacity` windows, about 200 bytes each: those that began first are evicted first. */
export class MemoryRateLimiter implements RateLimiter {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windows: LRUCache<string, Window>;

  constructor({ capacity, clock }: MemoryRateLimiterOptions) {
    this.#clock = clock;
    this.#windows = new LRUCache({ max: capacity });
  }

  async consume(subject: string, limit: number): Promise<LimitVerdict> {
    const window = this.#openOf(subject) ?? this.#begin(subject);
    window.calls += 1;
    return { isAllowed: window.calls <= limit, ...this.#standing(window, limit) };
  }

  async read(subject: string, limit: number): Promise<LimitVerdict> {
    const window = this.#openOf(subject);
    if (window === null) return { isAllowed: true, limit, remaining: limit, resetMs: 0 };
    return { isAllowed: window.calls < limit, ...this.#standing(window, limit) };
  }

  #begin(subject: string): Window {
    const window = { calls: 0, endsAt: this.#clock.now() + MINUTE_MS };
    this.#windows.set(subject, window);
    return window;
  }

  #openOf(subject: string): Window | null {
    const window = this.#windows.peek(subject);
    if (window === undefined) return null;
    const leftMs = window.endsAt - this.#clock.now();
    // After the clock was set back, a window would last longer than a minute.
    return leftMs > 0 && leftMs <= MINUTE_MS ? window : null;
  }

  #standing({ calls, endsAt }: Window, limit: number) {
    return { limit, remaining: Math.max(0, limit - calls), resetMs: endsAt - this.#clock.now() };
  }
}
