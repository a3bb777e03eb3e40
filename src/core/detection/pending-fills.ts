import type { Trade } from '../trade.ts';
import { type Order, ordersOf } from './order.ts';
import { itemsOf, jsonChunks, type Snapshotted } from './state-chunks.ts';

/** More in one second than any market reports; beyond it orders are judged before they are whole. */
const MOST_PENDING = 10_000;

/** Fills whose orders may still grow, in the order in which they came. */
export class PendingFills implements Snapshotted {
  #fills: Trade[] = [];

  add(fill: Trade): void {
    this.#fills.push(fill);
  }

  get isEmpty(): boolean {
    return this.#fills.length === 0;
  }

  get isFull(): boolean {
    return this.#fills.length >= MOST_PENDING;
  }

  /** All of them as orders, sorted by second, wallet, asset and side; none is pending afterwards. */
  take(): readonly Order[] {
    const fills = this.#fills;
    this.#fills = [];
    return ordersOf(fills);
  }

  /** The same of one wallet; the others stay. */
  takeOf(wallet: string): readonly Order[] {
    const theirs = this.#fills.filter((fill) => fill.wallet === wallet);
    if (theirs.length > 0) this.#fills = this.#fills.filter((fill) => fill.wallet !== wallet);
    return ordersOf(theirs);
  }

  /** USDC that a wallet bought in them. */
  boughtBy(wallet: string): number {
    let usdc = 0;
    for (const fill of this.#fills)
      if (fill.wallet === wallet && fill.side === 'BUY') usdc += fill.shares * fill.price;
    return usdc;
  }

  *chunks(): Iterable<string> {
    yield* jsonChunks(this.#fills);
  }

  restore(texts: readonly string[]): void {
    this.#fills = [...itemsOf<Trade>(texts)];
  }
}
