import type { EpochMs } from '../../core/base/time/duration.ts';
import { DAY_MS } from '../../core/base/time/duration.ts';
import type { BlindWindow } from '../../core/trades/coverage/blind-window.ts';

/** How much of a UTC day was missed. */
export interface StatusDay {
  readonly startedAt: EpochMs;
  /** Milliseconds of windows, and of those whose trades were not read afterwards. */
  readonly missedMs: number;
  readonly unfilledMs: number;
  /** False for a day before the service first watched the market. */
  readonly isWatched: boolean;
}

interface Watched {
  /** Newest first. */
  readonly windows: readonly BlindWindow[];
  /** When the market was first watched; null: never. */
  readonly since: EpochMs | null;
  readonly now: EpochMs;
}

/** The last `count` UTC days, today included, oldest first. */
export function statusDays({ windows, since, now }: Watched, count: number): readonly StatusDay[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index): StatusDay => {
    const startedAt = today - (count - 1 - index) * DAY_MS;
    const msIn = ({ startedAt: from, endedAt }: BlindWindow) =>
      Math.max(0, Math.min(endedAt ?? now, startedAt + DAY_MS) - Math.max(from, startedAt));
    const sum = (some: readonly BlindWindow[]) => some.reduce((ms, window) => ms + msIn(window), 0);
    return {
      startedAt,
      missedMs: sum(windows),
      unfilledMs: sum(windows.filter(({ backfilledAt }) => backfilledAt === null)),
      isWatched: since !== null && since < startedAt + DAY_MS,
    };
  });
}
