import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ScheduleRead } from './archive-scheduler.ts';

/** Up to this age an answer is given as it is, milliseconds. */
export const FRESH_MS = 2_000;
/** Up to this age it is given while it is made anew; an older one is not given any more. */
export const STALE_MS = 10_000;

/** Answers that cost much and may be some seconds old. */
export interface SwrCache<Answer> {
  /**
   * The answer to a question: one not older than 10 s, the same object until it is made anew. Callers share a making
   * that runs, unless it takes longer than 10 s. Otherwise each waits in its own schedule, and the first whose turn
   * comes makes the answer: a caller that is refused or goes away takes it from no other. Rejects when the answer cannot
   * be made and none is kept; a failed refresh is retried with the next question.
   */
  get(question: string, make: () => Promise<Answer>, schedule: ScheduleRead): Promise<Answer>;
}

/** What keeping needs. */
export interface SwrCacheDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** At most so many answers are kept, those that were asked for last; 2 or more. */
  readonly capacity: number;
  /** Schedules the making of a kept answer that is 2 to 10 s old: it is charged to no caller. */
  readonly refresh: ScheduleRead;
}

interface Made<Answer> {
  readonly answer: Answer;
  /** When it began to be made: its age counts from there. */
  readonly at: number;
}

interface Entry<Answer> {
  /** Null while there is none. */
  cached: Made<Answer> | null;
  making: Made<Promise<Answer>> | null;
  /** A refresh waits for its turn. */
  isRefreshing: boolean;
}

/** Keeps answers by their question. */
export function createSwrCache<Answer>({ clock, capacity, refresh }: SwrCacheDeps): SwrCache<Answer> {
  const entries = new LRUCache<string, Entry<Answer>>({ max: capacity });

  // A clock that was set back makes nothing young.
  const ageOf = (made: Made<unknown> | null): number =>
    made === null ? Number.POSITIVE_INFINITY : Math.abs(clock.now() - made.at);

  function makeAnew(entry: Entry<Answer>, make: () => Promise<Answer>): Promise<Answer> {
    const at = clock.now();
    const answer = make()
      .then((made) => {
        // One that was given up may come after the one that was made in its place.
        if (entry.making === making) entry.cached = { answer: made, at };
        return made;
      })
      .finally(() => {
        if (entry.making === making) entry.making = null;
      });
    const making = { answer, at };
    entry.making = making;
    return answer;
  }

  /** Null where the answer has to be made. */
  function running(entry: Entry<Answer>): Promise<Answer> | null {
    // One that takes longer may never end: those who ask then do not wait for it.
    return ageOf(entry.making) <= STALE_MS ? (entry.making?.answer ?? null) : null;
  }

  function refreshLater(entry: Entry<Answer>, make: () => Promise<Answer>): void {
    if (entry.isRefreshing || running(entry) !== null) return;
    entry.isRefreshing = true;
    refresh(async () => {
      entry.isRefreshing = false;
      if (ageOf(entry.cached) > FRESH_MS) await (running(entry) ?? makeAnew(entry, make));
    }).catch(() => {
      entry.isRefreshing = false;
    });
  }

  /** What needs no making now; null where there is nothing of the kind. */
  function ready(entry: Entry<Answer>, make: () => Promise<Answer>): Promise<Answer> | null {
    const { cached } = entry;
    const age = ageOf(cached);
    if (cached === null || age > STALE_MS) return running(entry);
    if (age > FRESH_MS) refreshLater(entry, make);
    return Promise.resolve(cached.answer);
  }

  return {
    async get(question, make, schedule) {
      const entry = entries.get(question) ?? { cached: null, making: null, isRefreshing: false };
      entries.set(question, entry);
      return ready(entry, make) ?? schedule(() => ready(entry, make) ?? makeAnew(entry, make));
    },
  };
}
