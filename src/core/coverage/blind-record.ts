import { DAY_MS, SECOND_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { BlindCause, BlindWindow } from './blind-window.ts';
import type { Span } from './span.ts';
import { createWindowBook } from './window-book.ts';

/** The feed is blind when nothing was confirmed for longer; with a look each second it is named within 30 s (design). */
export const BLIND_AFTER_MS = 25 * SECOND_MS;
/** How far back a window is tried to be filled. */
export const FILLED_BACK_MS = 31 * DAY_MS;

/** Which times were confirmed, and which were not. Knows no clock and no database. */
export interface BlindRecord {
  /** The last moment that was confirmed, or when the watch began. */
  readonly confirmedUntil: EpochMs;
  /** The window that lasts; null while the feed sees. */
  readonly current: BlindWindow | null;
  /** Whether nothing was confirmed for too long, named or not. */
  isBlind(now: EpochMs): boolean;
  /** Opens a window when it is time, and returns it; null otherwise. */
  look(now: EpochMs): BlindWindow | null;
  /** Takes note of a span. */
  confirm(span: Span, now: EpochMs): void;
  /**
   * Why nothing is confirmed, as far as is known. `completeUntil`: what was confirmed after it was old, and is taken
   * back, though not what was confirmed before this record began.
   */
  fail(cause: BlindCause, completeUntil?: EpochMs): void;
  /** Adds a window that is over, for a time in which nobody watched. */
  addStopped(span: Span): BlindWindow;
  /** Every window as it is now that changed since the last call, oldest first. */
  takeChanged(): readonly BlindWindow[];
}

/** What a record begins with. */
export interface RecordStart {
  readonly confirmedUntil: EpochMs;
  /** Where the newest window of all ends; null when there is none, or it lasts. */
  readonly lastEnd: EpochMs | null;
  /** Those that are not over, at most one, or not filled; oldest first. */
  readonly unsettled: readonly BlindWindow[];
}

/**
 * A window begins at the last confirmed moment, and ends with the first span that reaches to within 25 s of now. It is
 * filled once the spans that were confirmed since it began cover it whole.
 */
export function createBlindRecord({ confirmedUntil, lastEnd, unsettled }: RecordStart): BlindRecord {
  const book = createWindowBook(unsettled, lastEnd);
  let until = confirmedUntil;
  let cause: BlindCause | null = null;

  /** After a clock was put back the last end lies ahead of it, and tells nothing. */
  const watchedUntil = (now: EpochMs) => (book.lastEnd > now ? until : Math.max(until, book.lastEnd));
  const isOverdue = (now: EpochMs) => now - watchedUntil(now) > BLIND_AFTER_MS;

  function look(now: EpochMs): BlindWindow | null {
    // A clock that was put back has not seen yet what it said before.
    until = Math.min(until, now);
    if (book.current !== null || !isOverdue(now)) return null;
    return book.add({ from: watchedUntil(now), cause: cause ?? 'unreachable' });
  }

  return {
    get confirmedUntil() {
      return until;
    },
    get current() {
      return book.current;
    },
    isBlind: (now) => book.current !== null || isOverdue(now),
    look,
    confirm(claimed, now) {
      // What the market dates ahead of this clock is not confirmed before its time.
      const span = { from: claimed.from, until: Math.min(claimed.until, now) };
      if (!(span.from <= span.until)) return;
      look(now);
      if (now - span.until <= BLIND_AFTER_MS) book.end(span);
      book.fill(span, now);
      if (span.until <= until) return;
      until = span.until;
      cause = null;
    },
    fail(why, completeUntil = until) {
      cause = why;
      if (completeUntil < until) until = Math.max(completeUntil, Math.min(until, confirmedUntil));
    },
    addStopped: (span) => book.add({ ...span, cause: 'stopped' }),
    takeChanged: book.takeChanged,
  };
}
