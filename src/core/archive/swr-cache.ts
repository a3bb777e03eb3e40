import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ScheduleRead } from './archive-scheduler.ts';

/** Up to this age, in milliseconds, an answer is returned without a refresh. */
export const FRESH_MS = 2_000;
/** Up to this age an answer is returned while it is refreshed. Older ones are not returned. */
export const STALE_MS = 10_000;

interface SwrCacheOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Answers kept, the least recently used are evicted first; 2 or more. */
  readonly capacity: number;
  /** Schedules refreshes. No caller is charged for them. */
  readonly refresh: ScheduleRead;
}

type Make<Answer> = () => Promise<Answer>;

interface Made<Answer> {
  readonly answer: Answer;
  /** The start of the computation; the age counts from there. */
  readonly at: number;
}

interface Entry<Answer> {
  cached: Made<Answer> | null;
  pending: Made<Promise<Answer>> | null;
  /** A refresh is scheduled. */
  isRefreshing: boolean;
}

/** A cache of expensive answers that may be some seconds old (stale-while-revalidate). */
export class SwrCache<Answer> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #refresh: ScheduleRead;
  readonly #entries: LRUCache<string, Entry<Answer>>;

  constructor({ clock, capacity, refresh }: SwrCacheOptions) {
    this.#clock = clock;
    this.#refresh = refresh;
    this.#entries = new LRUCache({ max: capacity });
  }

  /**
   * An answer not older than 10 s; the same object until it is refreshed. Callers share a computation that runs, unless it takes
   * longer than 10 s. Without one each waits in its own schedule, and the first whose turn comes computes the answer: a caller
   * that is refused or disconnects takes it from no other. Rejects if there is no answer and it cannot be computed. A failed
   * refresh is retried with the next call.
   */
  async get(question: string, make: Make<Answer>, schedule: ScheduleRead): Promise<Answer> {
    const entry = this.#entries.get(question) ?? { cached: null, pending: null, isRefreshing: false };
    this.#entries.set(question, entry);
    return this.#ready(entry, make) ?? schedule(() => this.#ready(entry, make) ?? this.#compute(entry, make));
  }

  /** An answer that need not be computed by this call; null if there is none. */
  #ready(entry: Entry<Answer>, make: Make<Answer>): Promise<Answer> | null {
    const { cached } = entry;
    const age = this.#ageOf(cached);
    if (cached === null || age > STALE_MS) return this.#pending(entry);
    if (age > FRESH_MS) this.#refreshLater(entry, make);
    return Promise.resolve(cached.answer);
  }

  /** A computation that takes longer may never end: it is not shared. */
  #pending({ pending }: Entry<Answer>): Promise<Answer> | null {
    return pending !== null && this.#ageOf(pending) <= STALE_MS ? pending.answer : null;
  }

  #refreshLater(entry: Entry<Answer>, make: Make<Answer>): void {
    if (entry.isRefreshing || this.#pending(entry) !== null) return;
    entry.isRefreshing = true;
    this.#refresh(async () => {
      entry.isRefreshing = false;
      if (this.#ageOf(entry.cached) > FRESH_MS) await (this.#pending(entry) ?? this.#compute(entry, make));
    }).catch(() => {
      entry.isRefreshing = false;
    });
  }

  #compute(entry: Entry<Answer>, make: Make<Answer>): Promise<Answer> {
    const at = this.#clock.now();
    const answer = make()
      .then((made) => {
        // A computation that is not shared any more may end after the one that replaced it.
        if (entry.pending === pending) entry.cached = { answer: made, at };
        return made;
      })
      .finally(() => {
        if (entry.pending === pending) entry.pending = null;
      });
    const pending = { answer, at };
    entry.pending = pending;
    return answer;
  }

  /** A clock that was set back must not make an answer younger. */
  #ageOf(made: Made<unknown> | null): number {
    return made === null ? Number.POSITIVE_INFINITY : Math.abs(this.#clock.now() - made.at);
  }
}
