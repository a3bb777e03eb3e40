import type { Clock } from '../../core/clock.ts';
import { publishedTime } from '../../core/ingest/time-mapping.ts';
import type { SourceRow, TimeMapping } from '../../core/ports/source.ts';
import type { EpochMs } from '../../core/trade.ts';

/** Timers hold no more than 24 days; a wait is looked at again long before. */
const LONGEST_SLEEP_MS = 3_600_000;

/** Hands rows on when they are due, and never before: what is due at once goes in one batch. */
export interface Pacing {
  /** The largest time of the rows handed on and of the one waited for; 0 before the first. */
  readonly horizon: EpochMs;
  due(rows: readonly SourceRow[], signal: AbortSignal): AsyncGenerator<readonly SourceRow[]>;
}

/** `pace` null: everything is due at once. A row is never due before the rows in front of it. */
export function createPacing(pace: TimeMapping | null, clock: Clock): Pacing {
  let time: EpochMs = 0;
  let horizon: EpochMs = 0;

  /** How many rows from `from` on are due. */
  function countDue(rows: readonly SourceRow[], from: number): number {
    const now = clock.now();
    let end = from;
    for (; end < rows.length; end++) {
      horizon = Math.max(time, rows[end]?.row.at ?? 0);
      if (pace !== null && publishedTime(pace, horizon) > now) break;
      time = horizon;
    }
    return end - from;
  }

  return {
    get horizon() {
      return horizon;
    },
    async *due(rows, signal) {
      for (let from = 0; from < rows.length && !signal.aborted; ) {
        const count = countDue(rows, from);
        if (count > 0) {
          yield count === rows.length ? rows : rows.slice(from, from + count);
          from += count;
        } else if (pace !== null) {
          const wait = publishedTime(pace, horizon) - clock.now();
          await clock.sleep(Math.min(wait, LONGEST_SLEEP_MS), signal);
        }
      }
    },
  };
}
