import type { Clock } from '../../core/clock.ts';
import { SECOND_MS } from '../../core/duration.ts';
import type { SourceRow } from '../../core/ports/source.ts';
import type { EpochMs } from '../../core/trade.ts';

/**
 * The close row that a source still has to hand over: after a trade without one, and in a run that was resumed, as the
 * run before may have ended between a trade and its close row.
 */
export class PendingClose {
  readonly #clock: Pick<Clock, 'now'>;
  #offset: number;
  #isPending: boolean;
  #lastTradeAt: EpochMs;
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

  /** Whether no trade was handed over for so long, by the clock. */
  isPendingFor(ms: number): boolean {
    return this.#isPending && this.#clock.now() - this.#lastTradeAt >= ms;
  }

  /** The largest time handed over in this run; 0 before the first. */
  get time(): EpochMs {
    return this.#time;
  }

  /** End of the second of that time, from which on its orders are whole. */
  get dueAt(): EpochMs {
    return this.#second + SECOND_MS;
  }

  get #second(): EpochMs {
    return Math.floor(this.#time / SECOND_MS) * SECOND_MS;
  }

  /** The rows that follow are of another file, from this offset on. */
  begin(offset: number): void {
    this.#offset = offset;
  }

  /** To be called with all rows handed over but the close rows taken here. */
  handedOver(rows: readonly SourceRow[]): void {
    for (const { row } of rows) {
      if (row.kind !== 'close') this.#time = Math.max(this.#time, row.at ?? 0);
    }
    this.#offset = rows.at(-1)?.offset ?? this.#offset;
    const last = rows.findLast(({ row: { kind } }) => kind === 'trade' || kind === 'close');
    if (last === undefined) return;
    this.#isPending = last.row.kind === 'trade';
    this.#lastTradeAt = this.#clock.now();
  }

  /** The close row; its offset is that of the row before it, so that a checkpoint stays right. */
  take(): SourceRow {
    this.#isPending = false;
    return { row: { kind: 'close', at: this.#second }, offset: this.#offset };
  }
}
