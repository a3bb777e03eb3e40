import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';

/** How many event ids are remembered: Discord repeats an event within seconds, Telegram within minutes. */
const REMEMBERED = 20_000;

/** Handles each event of a platform once. Memory: the ids of the last 20,000 events, and the running ones. */
export class Inbox {
  readonly #seen = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #running = new Set<Promise<void>>();
  #isOpen = true;

  /** Resolves when the event was handled, or dropped as a repetition. `handle` must not throw. */
  readonly take = async (id: string | null, handle: () => Promise<void>): Promise<void> => {
    if (!this.#isOpen || (id !== null && this.#seen.has(id))) return;
    if (id !== null) this.#seen.set(id, true);
    const work = handle();
    this.#running.add(work);
    await work;
    this.#running.delete(work);
  };

  get running(): number {
    return this.#running.size;
  }

  /** Takes no more events, and resolves when the running ones are handled. The caller of `take` gets a failure. */
  async drain(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled(this.#running);
  }
}

const PERSONS_MAX = 10_000;

/** Limits answers to photos, stickers and the like to one per person and minute, so that an album gets one. */
export class ContentNotice {
  readonly #answered: LRUCache<string, true>;

  constructor(clock: Pick<Clock, 'now'>) {
    // An LRU cache keeps an entry for its `ttl`, inclusive.
    this.#answered = new LRUCache({ max: PERSONS_MAX, ttl: MINUTE_MS - 1, ttlResolution: 0, perf: clock });
  }

  isDue(userId: string): boolean {
    if (this.#answered.has(userId)) return false;
    this.#answered.set(userId, true);
    return true;
  }
}
