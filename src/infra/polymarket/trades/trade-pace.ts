import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';

const PACE_MINUTES = 60;
/** Below this number of trades the pace is unknown. */
const MIN_TRADES = 100;
/** A market is busy when this share of its seconds has trades. Seconds, because one order may be thirty rows. */
const BUSY_SHARE = 0.8;

interface Minute {
  trades: number;
  readonly seconds: Set<number>;
}

/** How often trades are made, by their own times in the hour before the newest. */
export class TradePace {
  readonly #minutes = new Map<number, Minute>();
  #newestAt = 0;

  get newestAt(): EpochMs {
    return this.#newestAt;
  }

  /** Mean time between two trades, milliseconds; null while there are too few. */
  get meanGapMs(): number | null {
    const count = this.#sum(({ trades }) => trades);
    return count < MIN_TRADES ? null : this.#spanMs() / count;
  }

  /** Whether most seconds have a trade; false while there are too few. */
  get isBusy(): boolean {
    const seconds = this.#sum((minute) => minute.seconds.size);
    return seconds >= MIN_TRADES && seconds >= (this.#spanMs() / SECOND_MS) * BUSY_SHARE;
  }

  add(at: EpochMs): void {
    const number = Math.floor(at / MINUTE_MS);
    if (number <= this.#oldestMinute()) return;
    let minute = this.#minutes.get(number);
    if (minute === undefined) {
      minute = { trades: 0, seconds: new Set() };
      this.#minutes.set(number, minute);
    }
    minute.trades += 1;
    minute.seconds.add(Math.floor(at / SECOND_MS));
    if (at <= this.#newestAt) return;
    this.#newestAt = at;
    for (const one of this.#minutes.keys()) if (one <= this.#oldestMinute()) this.#minutes.delete(one);
  }

  #oldestMinute(): number {
    return Math.floor(this.#newestAt / MINUTE_MS) - PACE_MINUTES;
  }

  #sum(of: (minute: Minute) => number): number {
    let sum = 0;
    for (const minute of this.#minutes.values()) sum += of(minute);
    return sum;
  }

  #spanMs(): number {
    return Math.max(this.#newestAt - Math.min(...this.#minutes.keys()) * MINUTE_MS, 1);
  }
}
