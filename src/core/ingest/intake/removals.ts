import { fillKey } from '../../detection/fill-hash.ts';
import type { LiveRow } from '../../source/source.ts';
import type { EpochMs, Trade } from '../../trade.ts';

/** A live row that is a removed fill. */
export type LiveRemoved = LiveRow & {
  readonly row: { readonly kind: 'removed'; readonly at: EpochMs; readonly trade: Trade };
};

/** Whether a live row is a removed fill. */
export function isRemoved(row: LiveRow): row is LiveRemoved {
  return row.row.kind === 'removed';
}

/**
 * Removed fills that are not handed over yet. None overtakes its fill: while that is under way it waits, and goes over directly
 * behind it, so that the order is judged without it.
 */
export class Removals {
  readonly #rows = new Map<string, LiveRemoved>();

  get size(): number {
    return this.#rows.size;
  }

  add(removed: LiveRemoved): void {
    this.#rows.set(fillKey(removed.row.trade), removed);
  }

  /** Takes out the removal of a fill, if there is one: it goes over now, or the fill was shown again. */
  take(fill: Trade): LiveRow | undefined {
    if (this.#rows.size === 0) return undefined;
    const key = fillKey(fill);
    const removed = this.#rows.get(key);
    this.#rows.delete(key);
    return removed;
  }

  /** Takes out those whose fill is not under way. */
  takeReady(isInFlight: (fill: Trade) => boolean): readonly LiveRow[] {
    if (this.#rows.size === 0) return [];
    const ready = [...this.#rows.values()].filter(({ row }) => !isInFlight(row.trade));
    for (const { row } of ready) this.take(row.trade);
    return ready;
  }
}
