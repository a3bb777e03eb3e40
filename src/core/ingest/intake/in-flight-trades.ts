import { fillKey } from '../../detection/fill-hash.ts';
import type { LiveRow } from '../../source/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import { isTrade } from './batch.ts';

/** The trades that are enqueued and not judged yet, by the key by which the detector recognises a repeat. */
export class InFlightTrades {
  readonly #times = new Map<string, EpochMs>();

  get size(): number {
    return this.#times.size;
  }

  has(fill: Trade): boolean {
    return this.#times.has(fillKey(fill));
  }

  /** False when the trade is in flight already. */
  add(fill: Trade): boolean {
    const key = fillKey(fill);
    if (this.#times.has(key)) return false;
    this.#times.set(key, fill.at);
    return true;
  }

  /** Removes the trades among the rows. */
  end(rows: readonly LiveRow[]): void {
    for (const row of rows) if (isTrade(row)) this.#times.delete(fillKey(row.row.trade));
  }

  /** Time of the oldest; null when there is none. */
  oldest(): EpochMs | null {
    let oldest: EpochMs | null = null;
    for (const at of this.#times.values()) if (oldest === null || at < oldest) oldest = at;
    return oldest;
  }
}
