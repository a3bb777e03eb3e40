import type { EpochMs } from '../../base/time/duration.ts';
import { DAY_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { BlindCause, BlindWindow, FeedVisibility, TimeRange } from './blind-window.ts';
import { OpenWindows } from './open-windows.ts';

/** The feed is blind after this time without a fresh answer; with a check every second it is reported within 30 s. */
export const BLIND_AFTER_MS = 25 * SECOND_MS;
/** How far the confirmed moment is behind a fresh answer: the market's list lags 11 s, and is polled every second. */
export const CONFIRMED_BEHIND_MS = 12 * SECOND_MS;
/** A provisional source counts only after this time, so that a flapping source makes no windows. */
const SETTLED_AFTER_MS = 15 * SECOND_MS;
/** Windows are backfilled at most this far back. */
export const FILLED_BACK_MS = 31 * DAY_MS;

/** Initial state of a `FeedRecord`. */
interface RecordStart {
  readonly confirmedUntil: EpochMs;
  /** The last moment at which the market is assumed to have been seen. */
  readonly freshUntil: EpochMs;
  /** End of the newest window; null when there is none, or it is open. */
  readonly lastEnd: EpochMs | null;
  /** Windows that are open (at most one) or not backfilled; oldest first. */
  readonly unsettled: readonly BlindWindow[];
}

/**
 * Which times were confirmed and which were not. Reads no clock and no database.
 * A window begins at the last confirmed moment once no answer was fresh for 25 s, and ends with the first range that
 * reaches to within 25 s of now. It is backfilled once the ranges confirmed since it began cover it completely.
 */
export class FeedRecord {
  readonly #windows: OpenWindows;
  /** Confirmed by earlier runs: never taken back. */
  readonly #confirmedBefore: EpochMs;
  #confirmedUntil: EpochMs;
  #freshUntil: EpochMs;
  #cause: BlindCause | null = null;
  #provisionalSince: EpochMs | null = null;

  constructor({ confirmedUntil, freshUntil, lastEnd, unsettled }: RecordStart) {
    this.#windows = new OpenWindows(unsettled, lastEnd);
    this.#confirmedBefore = confirmedUntil;
    this.#confirmedUntil = confirmedUntil;
    this.#freshUntil = freshUntil;
    const { current } = this.#windows;
    if (current?.cause === 'unconfirmed') this.#windows.split(current.startedAt, 'stopped');
  }

  /** The last confirmed moment, or the start of the first run. */
  get confirmedUntil(): EpochMs {
    return this.#confirmedUntil;
  }

  /** The last failure of polling; null once something newer was confirmed. */
  get failure(): BlindCause | null {
    return this.#cause;
  }

  /** The open window; null while the feed sees all trades. */
  get current(): BlindWindow | null {
    return this.#windows.current;
  }

  /** The visibility now. `blind` as soon as no answer was fresh for too long, even before `check` opens the window. */
  visibility(now: EpochMs): FeedVisibility {
    if (this.current !== null) return this.current.cause === 'unconfirmed' ? 'unconfirmed' : 'blind';
    return this.#isOverdue(now) ? 'blind' : 'seen';
  }

  /** Opens a window when it is due, or changes the cause of the open one, and returns it; null otherwise. */
  check(now: EpochMs): BlindWindow | null {
    // After the clock was set back, later moments are in the future.
    this.#confirmedUntil = Math.min(this.#confirmedUntil, now);
    this.#freshUntil = Math.min(this.#freshUntil, now);
    const isOpening = this.current === null && this.#isOverdue(now);
    const from = this.#afterLastEnd(this.#confirmedUntil, now);
    const opened = isOpening ? this.#windows.add({ from, cause: this.#cause ?? 'unreachable' }) : null;
    return this.#settleProvisional(now) ?? opened;
  }

  /** The answers show the market as of that moment; the newest trades may not be listed yet. */
  fresh(at: EpochMs, now: EpochMs): void {
    // A gap that is over still becomes a window.
    this.check(now);
    this.#freshUntil = Math.max(this.#freshUntil, Math.min(at, now));
  }

  /** Confirms a range. Counts as a fresh answer, too. */
  confirm(claimed: TimeRange, now: EpochMs): void {
    // The part that the market dates ahead of this clock is not confirmed yet.
    const range = { from: claimed.from, until: Math.min(claimed.until, now) };
    if (!(range.from <= range.until)) return;
    this.check(now);
    if (now - range.until <= BLIND_AFTER_MS) this.#windows.end(range.until);
    this.#windows.fill(range, now);
    this.#freshUntil = Math.max(this.#freshUntil, range.until);
    if (range.until <= this.#confirmedUntil) return;
    this.#confirmedUntil = range.until;
    this.#cause = null;
  }

  /**
   * Sets the cause of the next window. `completeUntil`: what was confirmed after it was outdated and is taken back, with
   * as much of the fresh time, but nothing that was confirmed before this record began.
   */
  fail(cause: BlindCause, completeUntil = this.#confirmedUntil): void {
    this.#cause = cause;
    if (completeUntil >= this.#confirmedUntil) return;
    const earliest = Math.min(this.#confirmedUntil, this.#confirmedBefore);
    const takenBackMs = this.#confirmedUntil - Math.max(completeUntil, earliest);
    this.#confirmedUntil -= takenBackMs;
    this.#freshUntil -= takenBackMs;
  }

  /**
   * Whether trades come from a source that does not guarantee completeness, and since when. When that source ends, the
   * open window is split there and the new one returned; null when nothing changed. `check` splits at the start of such a
   * source, after 15 s.
   */
  provisional(isProvisional: boolean, since: EpochMs): BlindWindow | null {
    if (isProvisional === (this.#provisionalSince !== null)) return null;
    this.#provisionalSince = isProvisional ? since : null;
    if (isProvisional || this.current?.cause !== 'unconfirmed') return null;
    return this.#windows.split(since, this.#cause ?? 'unreachable');
  }

  /** Adds a closed window for a time in which the service did not run. */
  addStopped(range: TimeRange): void {
    this.#windows.add({ ...range, cause: 'stopped' });
  }

  /** Windows that changed since the last call, in their current form, oldest first. */
  takeChanged(): readonly BlindWindow[] {
    return this.#windows.takeChanged();
  }

  /** After the clock was set back, the last end lies ahead of it and is ignored. */
  #afterLastEnd(at: EpochMs, now: EpochMs): EpochMs {
    const { lastEnd } = this.#windows;
    return lastEnd > now ? at : Math.max(at, lastEnd);
  }

  #isOverdue(now: EpochMs): boolean {
    return now - this.#afterLastEnd(this.#freshUntil, now) > BLIND_AFTER_MS;
  }

  #settleProvisional(now: EpochMs): BlindWindow | null {
    if (this.#provisionalSince === null || now - this.#provisionalSince < SETTLED_AFTER_MS) return null;
    if (this.current?.cause === 'unconfirmed') return null;
    return this.#windows.split(this.#provisionalSince, 'unconfirmed');
  }
}
