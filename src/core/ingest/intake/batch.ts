import { type EpochMs, SECOND_MS } from '../../base/time/duration.ts';
import { fillKey } from '../../detection/fill-hash.ts';
import { secondOf } from '../../detection/order.ts';
import type { LiveRow } from '../../trades/source/source.ts';
import type { Row, Trade } from '../../trades/trade.ts';

/** A live row that is a trade. */
export type LiveTrade = LiveRow & { readonly row: Extract<Row, { readonly kind: 'trade' }> };

/** Whether a live row is a trade. */
export function isTrade(row: LiveRow): row is LiveTrade {
  return row.row.kind === 'trade';
}

/** Rows in one batch, which its last order may exceed. Small enough to delay rows that arrive meanwhile by milliseconds only. */
const ROWS_MAX = 500;

/** Rows that are passed on together, and what the detector will know once they are judged. */
export class Batch {
  readonly #removals: Pick<Removals, 'take'>;
  readonly #rows: LiveRow[] = [];
  readonly #bought = new Map<string, number>();
  readonly #wallets = new Set<string>();
  readonly #markets = new Set<string>();
  #latest: EpochMs | null = null;

  constructor(removals: Pick<Removals, 'take'>) {
    this.#removals = removals;
  }

  get rows(): readonly LiveRow[] {
    return this.#rows;
  }

  get isFull(): boolean {
    return this.#rows.length >= ROWS_MAX;
  }

  /** Adds a row. A fill's removal, if one waits, follows it. */
  add(live: LiveRow): void {
    this.#rows.push(live);
    const { row } = live;
    if (row.kind === 'wallet') this.#wallets.add(row.facts.wallet);
    if (row.kind === 'market') this.#markets.add(row.market.id);
    if (row.kind !== 'trade') return;
    const removed = this.#removals.take(row.trade);
    if (removed !== undefined) this.#rows.push(removed);
    this.#latest = Math.max(this.#latest ?? row.at, row.at);
    if (row.trade.side !== 'BUY') return;
    const { wallet, shares, price } = row.trade;
    this.#bought.set(wallet, this.boughtBy(wallet) + shares * price);
  }

  /** Ends a batch that has trades with a close row: their orders are complete. */
  close(): void {
    if (this.#latest === null) return;
    const at = secondOf(this.#latest);
    this.#rows.push({ row: { kind: 'close', at }, line: `{"close":${at / SECOND_MS}}` });
  }

  boughtBy(wallet: string): number {
    return this.#bought.get(wallet) ?? 0;
  }

  hasFacts(wallet: string): boolean {
    return this.#wallets.has(wallet);
  }

  describes(marketId: string): boolean {
    return this.#markets.has(marketId);
  }
}

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

  takeReady(isInFlight: (fill: Trade) => boolean): readonly LiveRow[] {
    if (this.#rows.size === 0) return [];
    const ready = [...this.#rows.values()].filter(({ row }) => !isInFlight(row.trade));
    for (const { row } of ready) this.take(row.trade);
    return ready;
  }
}
