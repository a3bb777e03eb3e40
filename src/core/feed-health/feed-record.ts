import { DAY_MS, SECOND_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { BlindCause, BlindWindow } from './blind-window.ts';
import type { FeedVisibility } from './feed-health-metrics.ts';
import { createOpenWindows } from './open-windows.ts';
import type { TimeRange } from './time-range.ts';

/** The feed is blind when no answer was fresh for longer; with a look each second it is named within 30 s (design). */
export const BLIND_AFTER_MS = 25 * SECOND_MS;
/** How far the confirmed moment stays behind a fresh answer: the market's list lags 11 s, and is asked for each second. */
export const CONFIRMED_BEHIND_MS = 12 * SECOND_MS;
/** A source that shows trades counts once it has done so for this long: one that comes and goes makes no windows. */
const SETTLED_AFTER_MS = 15 * SECOND_MS;
/** How far back a window is tried to be filled. */
export const FILLED_BACK_MS = 31 * DAY_MS;

/** Which times were confirmed, and which were not. Knows no clock and no database. */
export interface FeedRecord {
  /** The last moment that was confirmed, or when the watch began. */
  readonly confirmedUntil: EpochMs;
  /** The window that lasts; null while the feed sees. */
  readonly current: BlindWindow | null;
  /** What is seen, named or not: `blind` once no answer was fresh for too long. */
  visibility(now: EpochMs): FeedVisibility;
  /** Opens a window when it is time, or names it anew, and returns it; null otherwise. */
  look(now: EpochMs): BlindWindow | null;
  /** The answers show the market as of that moment: it is seen, though the newest trades may not be listed yet. */
  fresh(at: EpochMs, now: EpochMs): void;
  /** Takes note of a span. It is a fresh answer too. */
  confirm(span: TimeRange, now: EpochMs): void;
  /**
   * Why nothing is confirmed, as far as is known. `completeUntil`: what was confirmed after it was old, and is taken
   * back with as much of what was fresh, though not what was confirmed before this record began.
   */
  fail(cause: BlindCause, completeUntil?: EpochMs): void;
  /**
   * Whether a source shows trades that vouches for nothing, and since when. A window that lasts ends where such a source
   * ends, and another begins; it is returned. Null when nothing changed. The other way round it is `look` that does so,
   * after 15 s.
   */
  provisional(isProvisional: boolean, since: EpochMs): BlindWindow | null;
  /** Adds a window that is over, for a time in which nobody watched. */
  addStopped(span: TimeRange): BlindWindow;
  /** Every window as it is now that changed since the last call, oldest first. */
  takeChanged(): readonly BlindWindow[];
}

/** What a record begins with. */
export interface RecordStart {
  readonly confirmedUntil: EpochMs;
  /** The last moment at which the market is taken to have been seen. */
  readonly freshUntil: EpochMs;
  /** Where the newest window of all ends; null when there is none, or it lasts. */
  readonly lastEnd: EpochMs | null;
  /** Those that are not over, at most one, or not filled; oldest first. */
  readonly unsettled: readonly BlindWindow[];
}

/**
 * A window begins at the last confirmed moment once no answer was fresh for 25 s, and ends with the first span that
 * reaches to within 25 s of now. It is filled once the spans that were confirmed since it began cover it whole.
 */
export function createFeedRecord({
  confirmedUntil,
  freshUntil,
  lastEnd,
  unsettled,
}: RecordStart): FeedRecord {
  const book = createOpenWindows(unsettled, lastEnd);
  let until = confirmedUntil;
  let seen = freshUntil;
  let cause: BlindCause | null = null;
  let provisionalSince: EpochMs | null = null;
  if (book.current?.cause === 'unconfirmed') book.split(book.current.startedAt, 'stopped');

  /** After a clock was put back the last end lies ahead of it, and tells nothing. */
  const after = (at: EpochMs, now: EpochMs) => (book.lastEnd > now ? at : Math.max(at, book.lastEnd));
  const isOverdue = (now: EpochMs) => now - after(seen, now) > BLIND_AFTER_MS;

  function settle(now: EpochMs): BlindWindow | null {
    if (provisionalSince === null || now - provisionalSince < SETTLED_AFTER_MS) return null;
    return book.current?.cause === 'unconfirmed' ? null : book.split(provisionalSince, 'unconfirmed');
  }

  function look(now: EpochMs): BlindWindow | null {
    // A clock that was put back has not seen yet what it said before.
    until = Math.min(until, now);
    seen = Math.min(seen, now);
    const isOpening = book.current === null && isOverdue(now);
    const opened = isOpening ? book.add({ from: after(until, now), cause: cause ?? 'unreachable' }) : null;
    return settle(now) ?? opened;
  }

  return {
    get confirmedUntil() {
      return until;
    },
    get current() {
      return book.current;
    },
    visibility: (now) => visibilityOf(book.current) ?? (isOverdue(now) ? 'blind' : 'seen'),
    look,
    fresh(at, now) {
      // A pause that is over is named all the same.
      look(now);
      seen = Math.max(seen, Math.min(at, now));
    },
    confirm(claimed, now) {
      // What the market dates ahead of this clock is not confirmed before its time.
      const span = { from: claimed.from, until: Math.min(claimed.until, now) };
      if (!(span.from <= span.until)) return;
      look(now);
      if (now - span.until <= BLIND_AFTER_MS) book.end(span.until);
      book.fill(span, now);
      seen = Math.max(seen, span.until);
      if (span.until <= until) return;
      until = span.until;
      cause = null;
    },
    fail(why, completeUntil = until) {
      cause = why;
      if (completeUntil >= until) return;
      const takenBack = until - Math.max(completeUntil, Math.min(until, confirmedUntil));
      until -= takenBack;
      seen -= takenBack;
    },
    provisional(isProvisional, since) {
      if (isProvisional === (provisionalSince !== null)) return null;
      provisionalSince = isProvisional ? since : null;
      if (isProvisional || book.current?.cause !== 'unconfirmed') return null;
      return book.split(since, cause ?? 'unreachable');
    },
    addStopped: (span) => book.add({ ...span, cause: 'stopped' }),
    takeChanged: book.takeChanged,
  };
}

function visibilityOf(window: BlindWindow | null): FeedVisibility | null {
  if (window === null) return null;
  return window.cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
}
