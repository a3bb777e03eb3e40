import { LRUCache } from 'lru-cache';
import type { Clock } from '../time/clock.ts';
import type { EpochMs } from '../time/duration.ts';

/** Answers of the last `keptMs`. Callers share a running read, and its failure; the next caller repeats one that failed. */
export class RecentReads<Answer> {
  readonly #keptMs: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #known: LRUCache<string, { readonly at: EpochMs; readonly answer: Promise<Answer> }>;

  constructor(clock: Pick<Clock, 'now'>, { keptMs, max }: { readonly keptMs: number; readonly max: number }) {
    this.#known = new LRUCache({ max });
    this.#keptMs = keptMs;
    this.#clock = clock;
  }

  get(name: string, read: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(name);
    const now = this.#clock.now();
    // A clock that was set back must not extend the life of an answer.
    if (known !== undefined && Math.abs(now - known.at) < this.#keptMs) return known.answer;
    const kept = { at: now, answer: read() };
    this.#known.set(name, kept);
    kept.answer.catch(() => {
      if (this.#known.peek(name) === kept) this.#known.delete(name);
    });
    return kept.answer;
  }
}
