import type { Clock } from '../../../core/base/time/clock.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { SourceRow, TimeMapping } from '../../../core/trades/source/source.ts';
import { publishedTime } from '../../../core/trades/source/time-mapping.ts';
import type { PendingClose } from './pending-close.ts';

/** Timers hold at most 24 days; longer pauses are split. */
const LONGEST_SLEEP_MS = 3_600_000;

/**
 * Passes rows on when they are due, never before; rows that are due together form one batch. A row is never due before the
 * rows ahead of it. While the next row is not due, the last second is closed when the pace has passed it.
 */
export class Pacing {
  readonly #pace: TimeMapping | null;
  readonly #pendingClose: PendingClose;
  readonly #clock: Clock;
  #watermark: EpochMs = 0;

  /** `pace` null: every row is due immediately. */
  constructor(pace: TimeMapping | null, pendingClose: PendingClose, clock: Clock) {
    this.#pace = pace;
    this.#pendingClose = pendingClose;
    this.#clock = clock;
  }

  /** The largest time of the passed rows and of the next one; 0 before the first. */
  get watermark(): EpochMs {
    return this.#watermark;
  }

  async *due(rows: readonly SourceRow[], signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    for (let from = 0; from < rows.length && !signal.aborted; ) {
      const count = this.#countDue(rows, from);
      if (count > 0) {
        const batch = count === rows.length ? rows : rows.slice(from, from + count);
        this.#pendingClose.handedOver(batch);
        yield batch;
        from += count;
      } else if (this.#pace !== null) {
        yield* this.#wait(this.#pace, signal);
      }
    }
  }

  /** How many rows from `from` on are due. */
  #countDue(rows: readonly SourceRow[], from: number): number {
    const now = this.#clock.now();
    let { time } = this.#pendingClose;
    let end = from;
    for (; end < rows.length; end++) {
      const row = rows[end]?.row;
      // Close rows and removed fills have no time: they are due with the row before them.
      const isTimed = row?.kind !== 'close' && row?.kind !== 'removed';
      this.#watermark = Math.max(time, isTimed ? (row?.at ?? 0) : 0);
      if (this.#pace !== null && publishedTime(this.#pace, this.#watermark) > now) break;
      time = this.#watermark;
    }
    return end - from;
  }

  /** Waits until the next row is due, or until a close row is due, which is passed on. */
  async *#wait(pace: TimeMapping, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const now = this.#clock.now();
    const { isPending, dueAt } = this.#pendingClose;
    const closesIn = isPending ? publishedTime(pace, dueAt) - now : Number.POSITIVE_INFINITY;
    if (closesIn <= 0) {
      yield [this.#pendingClose.take()];
      return;
    }
    const rowIn = publishedTime(pace, this.#watermark) - now;
    await this.#clock.sleep(Math.min(rowIn, closesIn, LONGEST_SLEEP_MS), signal);
  }
}
