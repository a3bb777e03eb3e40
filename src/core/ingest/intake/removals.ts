import { fillKey } from '../../detection/fill-hash.ts';
import type { LiveRow } from '../../source/source.ts';
import type { Row, Trade } from '../../trade.ts';

type LiveRemoved = LiveRow & { readonly row: Extract<Row, { readonly kind: 'removed' }> };

/** Whether a live row is a removed fill. */
export function isRemoved(row: LiveRow): row is LiveRemoved {
  return row.row.kind === 'removed';
}

/**
 * Removed fills that are not passed on yet. A removal never overtakes its fill: while the fill is in flight the removal
 * waits, and then follows it directly, so that the order is judged without it.
 */
export class Removals {
  readonly #rows = new Map<string, LiveRemoved>();

  get size(): number {
    return this.#rows.size;
  }

  add(removed: LiveRemoved): void {
    this.#rows.set(fillKey(removed.row.trade), removed);
  }

  /** Takes out the removal of a fill, if there is one: it is passed on now, or the fill was shown again. */
  take(fill: Trade): LiveRow | undefined {
    if (this.#rows.size === 0) return undefined;
    const key = fillKey(fill);
    const removed = this.#rows.get(key);
    this.#rows.delete(key);
    return removed;
  }

  /** Takes out those whose fill is not in flight. */
  takeReady(isInFlight: (fill: Trade) => boolean): readonly LiveRow[] {
    if (this.#rows.size === 0) return [];
    const ready = [...this.#rows.values()].filter(({ row }) => !isInFlight(row.trade));
    for (const { row } of ready) this.take(row.trade);
    return ready;
  }
}
