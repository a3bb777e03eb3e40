import type { Clock } from './clock.ts';
import { createRecentMap } from './keys/recent-map.ts';

/** Up to this age an answer is given as it is, milliseconds. */
export const FRESH_MS = 2_000;
/** Up to this age it is given while it is made anew; an older one is not given any more. */
export const STALE_MS = 10_000;

/** Answers that cost much and may be some seconds old. */
export interface Kept<Answer> {
  /**
   * The answer to a question: one not older than 10 s, the same object until it is made anew. Those who ask at once
   * share one making. Rejects when it cannot be made and none is kept; one that fails in the background is told to
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

interface Entry<Answer> {
  /** Age counts from when the answer began to be made; null while there is none. */
  kept: { readonly answer: Answer; readonly at: number } | null;
  making: Promise<Answer> | null;
}

/** Keeps answers by their question. */
export function createKept<Answer>({ clock, capacity }: KeptDeps): Kept<Answer> {
  const entries = createRecentMap<Entry<Answer>>(capacity);

  function makeAnew(entry: Entry<Answer>, make: () => Promise<Answer>): Promise<Answer> {
    const at = clock.now();
    const making = make()
      .then((answer) => {
        entry.kept = { answer, at };
        return answer;
      })
      .finally(() => {
        entry.making = null;
      });
    entry.making = making;
    return making;
  }

  return {
    async get(question, make) {
      const entry = entries.get(question) ?? { kept: null, making: null };
      entries.set(question, entry);
      const { kept } = entry;
      // A clock that was set back makes no answer young.
      const age = kept === null ? Number.POSITIVE_INFINITY : Math.abs(clock.now() - kept.at);
      if (kept !== null && age <= FRESH_MS) return kept.answer;
      const made = entry.making ?? makeAnew(entry, make);
      if (kept === null || age > STALE_MS) return made;
      made.catch(() => {});
      return kept.answer;
    },
  };
}
