import type { EpochMs } from '../base/time/duration.ts';
import type { Trade } from '../trades/trade.ts';
import { fillKey } from './fill-hash.ts';
import { type Order, ordersOf } from './order.ts';
import { jsonChunks, type StatePart } from './state-chunks.ts';

/** More fills than any market reports in one second; beyond this, orders are judged before they are complete. */
const MOST_PENDING = 10_000;

/** Fills whose orders may still grow, in the order of their arrival. */
export class PendingFills implements StatePart {
  #fills: Trade[] = [];
  #latestAt: EpochMs = 0;

  add(fill: Trade): void {
    this.#fills.push(fill);
    if (fill.at > this.#latestAt) this.#latestAt = fill.at;
  }

  /** Removes a fill, whatever price and second its source states; false when it is not pending. */
  remove(fill: Trade): boolean {
    const key = fillKey(fill);
    const index = this.#fills.findIndex((pending) => fillKey(pending) === key);
    if (index >= 0) this.#fills.splice(index, 1);
    return index >= 0;
  }

  get isEmpty(): boolean {
    return this.#fills.length === 0;
  }

  get isFull(): boolean {
    return this.#fills.length >= MOST_PENDING;
  }

  /** Removes the fills before a moment and returns their orders, sorted by second, wallet, asset and side. */
  takeBefore(moment: EpochMs): readonly Order[] {
    return this.#latestAt < moment ? this.#takeAll() : this.#takeWhere((fill) => fill.at < moment);
  }

  /** Removes the fills of one wallet and returns their orders, in the same order. */
  takeOf(wallet: string): readonly Order[] {
    return this.#takeWhere((fill) => fill.wallet === wallet);
  }

  #takeAll(): readonly Order[] {
    const fills = this.#fills;
    this.#fills = [];
    this.#latestAt = 0;
    return ordersOf(fills);
  }

  #takeWhere(isTaken: (fill: Trade) => boolean): readonly Order[] {
    const taken = this.#fills.filter(isTaken);
    if (taken.length === this.#fills.length) return this.#takeAll();
    if (taken.length > 0) this.#fills = this.#fills.filter((fill) => !isTaken(fill));
    return ordersOf(taken);
  }

  /** USDC that a wallet bought in them. */
  boughtBy(wallet: string): number {
    let usdc = 0;
    for (const fill of this.#fills)
      if (fill.wallet === wallet && fill.side === 'BUY') usdc += fill.shares * fill.price;
    return usdc;
  }

  *whole(): Iterable<string> {
    yield* jsonChunks(this.#fills);
  }

  /** Fills are pending only briefly: the whole part is written. */
  changes(): null {
    return null;
  }

  markWritten(): void {}

  restore(text: string): void {
    for (const fill of JSON.parse(text) as Trade[]) this.add(fill);
  }
}
