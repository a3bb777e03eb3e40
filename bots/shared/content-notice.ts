import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';

/** Persons who are remembered for a minute. */
const PERSONS_MAX = 10_000;

/** Limits answers to photos, stickers and the like to one a minute and person, so that an album gets one. */
export class ContentNotice {
  readonly #answered: LRUCache<string, true>;

  constructor(clock: Pick<Clock, 'now'>) {
    // An LRU cache keeps an entry for its `ttl`, inclusive.
    this.#answered = new LRUCache({ max: PERSONS_MAX, ttl: MINUTE_MS - 1, ttlResolution: 0, perf: clock });
  }

  /** Whether the person gets an answer now. */
  isDue(userId: string): boolean {
    if (this.#answered.has(userId)) return false;
    this.#answered.set(userId, true);
    return true;
  }
}
