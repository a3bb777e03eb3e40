import { fillKey } from '../../detection/fill-hash.ts';
import type { LiveRow } from '../../source/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';
import { isTrade } from './batch.ts';

/** The trades between their offer and their judgement, by the key by which the detector knows a repeat. */
export interface InFlightTrades {
  has(fill: Trade): boolean;
  /** False when it is under way already. */
  add(fill: Trade): boolean;
  /** Those of the rows that are trades are under way no more. */
  end(rows: readonly LiveRow[]): void;
  /** Time of the oldest. */
  oldest(): EpochMs | null;
  readonly size: number;
}

/** Nothing under way. */
export function createInFlightTrades(): InFlightTrades {
  const times = new Map<string, EpochMs>();
  return {
    has: (fill) => times.has(fillKey(fill)),
    add(fill) {
      const key = fillKey(fill);
      if (times.has(key)) return false;
      times.set(key, fill.at);
      return true;
    },
    end(rows) {
      for (const row of rows) if (isTrade(row)) times.delete(fillKey(row.row.trade));
    },
    oldest() {
      let oldest: EpochMs | null = null;
      for (const at of times.values()) if (oldest === null || at < oldest) oldest = at;
      return oldest;
    },
    get size() {
      return times.size;
    },
  };
}
