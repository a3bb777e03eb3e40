import type { Clock } from './clock.ts';
import { createRecentMap } from './recent-map.ts';

/** Up to this age an answer is given as it is, milliseconds. */
export const FRESH_MS = 2_000;
/** Up to this age it is given while it is made anew; an older one is not given any more. */
export const STALE_MS = 10_000;

/** Answers that cost much and may be some seconds old. */
export interface Kept<Answer> {
  /**
   * The answer to a question: one not older than 10 s, the same object until it is made anew. Those who ask at once
   * share one making, unless it takes longer than 10 s. Rejects when it cannot be made and none is kept; one that fails in the background is told to
   * nobody, and tried again with the next question.
   */
  get(question: string, make: () => Promise<Answer>): Promise<Answer>;
}

/** What keeping needs. */
export interface KeptDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** At most so many answers are kept, those that were asked for last; 2 or more. */
  readonly capacity: number;
}

interface Made<Answer> {
  readonly answer: Answer;
  /** When it began to be made: its age counts from there. */
  readonly at: number;
}

interface Entry<Answer> {
  /** Null while there is none. */
  kept: Made<Answer> | null;
  making: Made<Promise<Answer>> | null;
}

/** Keeps answers by their question. */
export function createKept<Answer>({ clock, capacity }: KeptDeps): Kept<Answer> {
  const entries = createRecentMap<Entry<Answer>>(capacity);

  // A clock that was set back makes nothing young.
  const ageOf = (made: Made<unknown> | null): number =>
    made === null ? Number.POSITIVE_INFINITY : Math.abs(clock.now() - made.at);

  function makeAnew(entry: Entry<Answer>, make: () => Promise<Answer>): Promise<Answer> {
    const at = clock.now();
    const answer = make()
      .then((made) => {
        // One that was given up may come after the one that was made in its place.
        if (entry.making === making) entry.kept = { answer: made, at };
        return made;
      })
      .finally(() => {
        if (entry.making === making) entry.making = null;
      });
    const making = { answer, at };
    entry.making = making;
    return answer;
  }

  return {
    async get(question, make) {
      const entry = entries.get(question) ?? { kept: null, making: null };
      entries.set(question, entry);
      const { kept } = entry;
      const age = ageOf(kept);
      if (kept !== null && age <= FRESH_MS) return kept.answer;
      // One that takes longer may never end: those who ask then do not wait for it.
      const isMaking = ageOf(entry.making) <= STALE_MS;
      const made = (isMaking ? entry.making?.answer : undefined) ?? makeAnew(entry, make);
      if (kept === null || age > STALE_MS) return made;
      made.catch(() => {});
      return kept.answer;
    },
  };
}
