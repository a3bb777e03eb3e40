import { DAY_MS, type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import {
  type BlindCause,
  type BlindWindow,
  type FeedVisibility,
  type TimeRange,
  type WindowCause,
  without,
} from './blind-window.ts';
import { UNSETTLED_WINDOWS_MAX } from './stored-coverage.ts';

/** The feed is blind after this time without a fresh answer; with a check every second it is reported within 30 s. */
export const BLIND_AFTER_MS = 25 * SECOND_MS;
/** How far the confirmed moment is behind the answer that confirms it: the market's list lags 11 s, and is looked at every second. */
export const CONFIRMED_BEHIND_MS = 12 * SECOND_MS;
/** A provisional source counts only after this time, so that a flapping source creates no windows. */
const SETTLED_AFTER_MS = 15 * SECOND_MS;
/** Windows are backfilled at most this far back. */
export const FILLED_BACK_MS = 31 * DAY_MS;

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
export class CoverageRecord {
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
   * Sets the cause of the next window. `completeUntil`: anything confirmed after it was outdated and is revoked, along with as
   * much of the fresh time; nothing confirmed before this record began is revoked.
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

const OPEN = Number.POSITIVE_INFINITY;

/** The windows that are open (at most one) or not backfilled. They do not overlap. */
class OpenWindows {
  /** `missing`: the ranges of the window that were not confirmed since. */
  readonly #unsettled = new Map<
    string,
    { readonly window: BlindWindow; readonly missing: readonly TimeRange[] }
  >();
  readonly #changed = new Map<string, BlindWindow>();
  /** End of the newest closed window; 0 when there is none. No new window begins before it. */
  lastEnd: EpochMs;
  /** The open window; null when there is none. */
  current: BlindWindow | null = null;

  /** `left`: windows of earlier runs. */
  constructor(left: readonly BlindWindow[], newestEnd: EpochMs | null) {
    this.lastEnd = newestEnd ?? 0;
    for (const window of left) this.#hold(window, [rangeOf(window)]);
  }

  /** Adds a window, open without `until`. Only while none is open. */
  add({ from, until, cause }: { from: EpochMs; until?: EpochMs; cause: WindowCause }): BlindWindow {
    const startedAt = Math.max(from, this.lastEnd);
    const endedAt = until === undefined ? null : Math.max(startedAt, until);
    this.lastEnd = endedAt ?? this.lastEnd;
    const window = { id: `blind_${startedAt}`, startedAt, endedAt, cause, backfilledAt: null };
    return this.#change(window, [rangeOf(window)]);
  }

  end(until: EpochMs): void {
    if (this.current === null) return;
    const window = this.current;
    const endedAt = Math.max(window.startedAt, until);
    this.#change({ ...window, endedAt }, without(this.#missingOf(window), { from: endedAt, until: OPEN }));
    this.lastEnd = endedAt;
    this.current = null;
  }

  /** Closes the open window and opens another there, which is returned; null when none is open. */
  split(at: EpochMs, cause: WindowCause): BlindWindow | null {
    const window = this.current;
    if (window === null) return null;
    if (at <= window.startedAt) return this.#change({ ...window, cause }, this.#missingOf(window));
    this.end(at);
    return this.add({ from: at, cause });
  }

  /** Marks the range as confirmed; windows that it completes are backfilled. */
  fill(range: TimeRange, now: EpochMs): void {
    for (const { window, missing } of [...this.#unsettled.values()]) {
      const rest = without(missing, range);
      if (rest.length > 0) this.#hold(window, rest);
      else this.#change({ ...window, backfilledAt: now }, rest);
    }
  }

  takeChanged(): readonly BlindWindow[] {
    const windows = [...this.#changed.values()].toSorted((a, b) => a.startedAt - b.startedAt);
    this.#changed.clear();
    return windows;
  }

  #change(window: BlindWindow, missing: readonly TimeRange[]): BlindWindow {
    this.#hold(window, missing);
    this.#changed.set(window.id, window);
    return window;
  }

  #hold(window: BlindWindow, missing: readonly TimeRange[]): void {
    if (window.endedAt === null) this.current = window;
    if (window.backfilledAt === null) this.#unsettled.set(window.id, { window, missing });
    else this.#unsettled.delete(window.id);
    const [oldest] = this.#unsettled.keys();
    if (this.#unsettled.size > UNSETTLED_WINDOWS_MAX && oldest !== undefined) this.#unsettled.delete(oldest);
  }

  #missingOf({ id }: BlindWindow): readonly TimeRange[] {
    return this.#unsettled.get(id)?.missing ?? [];
  }
}

function rangeOf({ startedAt, endedAt }: BlindWindow): TimeRange {
  return { from: startedAt, until: endedAt ?? OPEN };
}
