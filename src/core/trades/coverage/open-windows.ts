import type { EpochMs } from '../../base/time/duration.ts';
import { type BlindWindow, type TimeRange, type WindowCause, without } from './blind-window.ts';
import { UNSETTLED_WINDOWS_MAX } from './feed-health-store.ts';

/** End of an open window. */
const OPEN = Number.POSITIVE_INFINITY;

interface NewWindow {
  readonly from: EpochMs;
  /** Absent: the window is open. */
  readonly until?: EpochMs;
  readonly cause: WindowCause;
}

interface Unsettled {
  readonly window: BlindWindow;
  /** Its ranges that were not confirmed since. */
  readonly missing: readonly TimeRange[];
}

/** The windows that are open (at most one) or not backfilled. They do not overlap. */
export class OpenWindows {
  readonly #unsettled = new Map<string, Unsettled>();
  readonly #changed = new Map<string, BlindWindow>();
  #lastEnd: EpochMs;
  #current: BlindWindow | null = null;

  /** `left`: windows of earlier runs. `newestEnd`: end of the newest closed window. */
  constructor(left: readonly BlindWindow[], newestEnd: EpochMs | null) {
    this.#lastEnd = newestEnd ?? 0;
    for (const window of left) this.#hold(window, [rangeOf(window)]);
  }

  /** The open window; null when there is none. */
  get current(): BlindWindow | null {
    return this.#current;
  }

  /** End of the newest closed window; 0 when there is none. No new window begins before it. */
  get lastEnd(): EpochMs {
    return this.#lastEnd;
  }

  /** Adds a window. Only while none is open. */
  add({ from, until, cause }: NewWindow): BlindWindow {
    const startedAt = Math.max(from, this.#lastEnd);
    const endedAt = until === undefined ? null : Math.max(startedAt, until);
    this.#lastEnd = endedAt ?? this.#lastEnd;
    const window = { id: `blind_${startedAt}`, startedAt, endedAt, cause, backfilledAt: null };
    return this.#change(window, [rangeOf(window)]);
  }

  /** Closes the open window, if there is one. */
  end(until: EpochMs): void {
    if (this.#current === null) return;
    const window = this.#current;
    const endedAt = Math.max(window.startedAt, until);
    this.#change({ ...window, endedAt }, without(this.#missingOf(window), { from: endedAt, until: OPEN }));
    this.#lastEnd = endedAt;
    this.#current = null;
  }

  /** Closes the open window and opens another there, which is returned; null when none is open. */
  split(at: EpochMs, cause: WindowCause): BlindWindow | null {
    const window = this.#current;
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

  /** Windows that changed since the last call, in their current form, oldest first. */
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
    if (window.endedAt === null) this.#current = window;
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
