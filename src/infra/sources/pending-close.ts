import type { Clock } from '../../core/clock.ts';
import { secondOf } from '../../core/detection/order.ts';
import { SECOND_MS } from '../../core/duration.ts';
import type { SourceRow } from '../../core/source/source.ts';
import type { EpochMs } from '../../core/trade.ts';

/**
 * The close row that a source still has to hand over: after a trade without one, and in a run that was resumed, as the
 * run before may have ended between a trade and its close row.
 */
export class PendingClose {
  readonly #clock: Pick<Clock, 'now'>;
  #offset: number;
  #isPending: boolean;
  /** The last trade that was waited for, by the clock, and its second. */
  #lastTradeAt: EpochMs;
  #awaited: EpochMs = 0;
  #newest: EpochMs = 0;
  #time: EpochMs = 0;

  /** `offset`: where the run starts; 0 is no resume. */
  constructor(offset: number, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#offset = offset;
    this.#isPending = offset > 0;
    this.#lastTradeAt = clock.now();
  }

  get isPending(): boolean {
    return this.#isPending;
  }

  /**
   * Whether orders are pending for so long, by the clock, since the last trade of the newest second. Trades of other
   * seconds prolong nothing: they are complete by then, or late.
   */
  isPendingFor(ms: number): boolean {
    return this.#isPending && this.#clock.now() - this.#lastTradeAt >= ms;
  }

  /** The largest time handed over in this run; 0 before the first. */
  get time(): EpochMs {
    return this.#time;
  }

  /** End of the second of that time, from which on its orders are whole. */
  get dueAt(): EpochMs {
    return secondOf(this.#time) + SECOND_MS;
  }

  /** The rows that follow are of another file, from this offset on. */
  begin(offset: number): void {
    this.#offset = offset;
  }

  /** To be called with all rows handed over but the close rows taken here. */
  handedOver(rows: readonly SourceRow[]): void {
    const now = this.#clock.now();
    for (const { row } of rows) {
      if (row.kind === 'close') {
        this.#isPending = false;
        continue;
      }
      // It is of the past, and opens nothing.
      if (row.kind === 'removed') continue;
      if (row.kind === 'trade') this.#await(row.at, now);
      this.#time = Math.max(this.#time, row.at ?? 0);
    }
    this.#offset = rows.at(-1)?.offset ?? this.#offset;
  }

  /** The close row; its offset is that of the row before it, so that a checkpoint stays right. */
  take(): SourceRow {
    this.#isPending = false;
    return { row: { kind: 'close', at: secondOf(this.#time) }, offset: this.#offset };
  }

  /** Waits for a later second, which closes all before it, for more of the same, and for any when nothing is pending. */
  #await(at: EpochMs, now: EpochMs): void {
    // The detector's time never runs ahead of the clock either.
    const second = secondOf(Math.min(at, now));
    if (this.#isPending && second !== this.#awaited && second <= this.#newest) return;
    this.#isPending = true;
    this.#lastTradeAt = now;
    this.#awaited = second;
    this.#newest = Math.max(this.#newest, second);
  }
}
