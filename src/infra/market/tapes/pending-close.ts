import type { Clock } from '../../../core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../../core/base/time/duration.ts';
import { secondOf } from '../../../core/detection/order.ts';
import type { SourceRow } from '../../../core/trades/source/source.ts';

/** The close row that a source still has to send, also in a run that continues after a trade. */
export class PendingClose {
  readonly #clock: Pick<Clock, 'now'>;
  #offset: number;
  #isPending: boolean;
  #lastTradeAt: EpochMs;
  #awaited: EpochMs = 0;
  #newest: EpochMs = 0;
  #time: EpochMs = 0;

  /** `offset`: where the run starts; 0: it is not resumed. */
  constructor(offset: number, clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#offset = offset;
    this.#isPending = offset > 0;
    this.#lastTradeAt = clock.now();
  }

  get isPending(): boolean {
    return this.#isPending;
  }

  /** Whether orders have been pending this long since the last trade of the newest second. */
  isPendingFor(ms: number): boolean {
    return this.#isPending && this.#clock.now() - this.#lastTradeAt >= ms;
  }

  get time(): EpochMs {
    return this.#time;
  }

  get dueAt(): EpochMs {
    return secondOf(this.#time) + SECOND_MS;
  }

  begin(offset: number): void {
    this.#offset = offset;
  }

  /** Must be called with all rows passed on, except the close rows taken here. */
  handedOver(rows: readonly SourceRow[]): void {
    const now = this.#clock.now();
    for (const { row } of rows) {
      if (row.kind === 'close') {
        this.#isPending = false;
        continue;
      }
      // It is in the past and opens no second.
      if (row.kind === 'removed') continue;
      if (row.kind === 'trade') this.#await(row.at, now);
      this.#time = Math.max(this.#time, row.at ?? 0);
    }
    this.#offset = rows.at(-1)?.offset ?? this.#offset;
  }

  /** The close row. It has the offset of the row before it, so that checkpoints stay valid. */
  take(): SourceRow {
    this.#isPending = false;
    return { row: { kind: 'close', at: secondOf(this.#time) }, offset: this.#offset };
  }

  /** Restarts the wait for a later second, which closes all before it, for the same second, and when nothing is pending. */
  #await(at: EpochMs, now: EpochMs): void {
    // The detector's time is never ahead of the clock, either.
    const second = secondOf(Math.min(at, now));
    if (this.#isPending && second !== this.#awaited && second <= this.#newest) return;
    this.#isPending = true;
    this.#lastTradeAt = now;
    this.#awaited = second;
    this.#newest = Math.max(this.#newest, second);
  }
}
