import type { EpochMs } from '../trade.ts';
import type { BlindWindow, WindowCause } from './blind-window.ts';
import { UNSETTLED_WINDOWS_MAX } from './feed-health-store.ts';
import { type TimeRange, without } from './time-range.ts';

/** Where a window that lasts ends. */
const LASTING = Number.POSITIVE_INFINITY;

/** The windows that are not settled: not over, or not filled. None overlaps another. */
export interface OpenWindows {
  /** The window that lasts; null when there is none. */
  readonly current: BlindWindow | null;
  /** Where the newest window that is over ends; 0 when none is. Nothing before it is claimed again. */
  readonly lastEnd: EpochMs;
  /** Adds a window; without `until` it lasts. Only while none lasts. */
  add(window: NewWindow): BlindWindow;
  /** Ends the one that lasts. */
  end(until: EpochMs): void;
  /** Ends the one that lasts and begins another there, which it returns; null when none lasts. */
  split(at: EpochMs, cause: WindowCause): BlindWindow | null;
  /** What the span covers is filled. */
  fill(span: TimeRange, now: EpochMs): void;
  /** Every window as it is now that changed since the last call, oldest first. */
  takeChanged(): readonly BlindWindow[];
}

interface NewWindow {
  readonly from: EpochMs;
  readonly until?: EpochMs;
  readonly cause: WindowCause;
}

interface Unsettled {
  readonly window: BlindWindow;
  /** The parts of it that no span covered since. */
  readonly missing: readonly TimeRange[];
}

/** A book of the windows that a run before left, at most one of them lasting. */
export function createOpenWindows(left: readonly BlindWindow[], newestEnd: EpochMs | null): OpenWindows {
  const unsettled = new Map<string, Unsettled>();
  const changed = new Map<string, BlindWindow>();
  let lastEnd = newestEnd ?? 0;
  let current: BlindWindow | null = null;
  for (const window of left) hold(window, [spanOf(window)]);

  function hold(window: BlindWindow, missing: readonly TimeRange[]): void {
    if (window.endedAt === null) current = window;
    if (window.backfilledAt === null) unsettled.set(window.id, { window, missing });
    else unsettled.delete(window.id);
    const [oldest] = unsettled.keys();
    if (unsettled.size > UNSETTLED_WINDOWS_MAX && oldest !== undefined) unsettled.delete(oldest);
  }

  function change(window: BlindWindow, missing: readonly TimeRange[]): BlindWindow {
    hold(window, missing);
    changed.set(window.id, window);
    return window;
  }

  const missingOf = ({ id }: BlindWindow) => unsettled.get(id)?.missing ?? [];

  function add({ from, until, cause }: NewWindow): BlindWindow {
    const startedAt = Math.max(from, lastEnd);
    const endedAt = until === undefined ? null : Math.max(startedAt, until);
    lastEnd = endedAt ?? lastEnd;
    const window = { id: `blind_${startedAt}`, startedAt, endedAt, cause, backfilledAt: null };
    return change(window, [spanOf(window)]);
  }

  function end(until: EpochMs): void {
    if (current === null) return;
    const endedAt = Math.max(current.startedAt, until);
    change({ ...current, endedAt }, without(missingOf(current), { from: endedAt, until: LASTING }));
    lastEnd = endedAt;
    current = null;
  }

  return {
    get current() {
      return current;
    },
    get lastEnd() {
      return lastEnd;
    },
    add,
    end,
    split(at, cause) {
      if (current === null) return null;
      if (at <= current.startedAt) return change({ ...current, cause }, missingOf(current));
      end(at);
      return add({ from: at, cause });
    },
    fill(span, now) {
      for (const { window, missing } of [...unsettled.values()]) {
        const rest = without(missing, span);
        if (rest.length > 0) hold(window, rest);
        else change({ ...window, backfilledAt: now }, rest);
      }
    },
    takeChanged() {
      const windows = [...changed.values()].toSorted((a, b) => a.startedAt - b.startedAt);
      changed.clear();
      return windows;
    },
  };
}

function spanOf({ startedAt, endedAt }: BlindWindow): TimeRange {
  return { from: startedAt, until: endedAt ?? LASTING };
}
