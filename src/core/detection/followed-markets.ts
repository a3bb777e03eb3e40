import {
  type FollowedMarket,
  type PlainFollowed,
  plainFollowed,
  restoredFollowed,
} from './followed-market.ts';
import { jsonChunks, type StatePart } from './state-chunks.ts';

/** What precedes the changed markets. */
interface Removed {
  readonly removed: readonly string[];
}

/** Markets with followed threads, by id. Not an `LruMap`: none is evicted, and a fourth kind of entry would slow that down for all. */
export class FollowedMarkets implements StatePart {
  readonly #markets = new Map<string, FollowedMarket>();
  readonly #altered = new Set<FollowedMarket>();
  readonly #removed = new Set<string>();
  #size = 0;

  /** Threads, and wallets, these once for each of their markets. */
  get size(): number {
    return this.#size;
  }

  get(id: string): FollowedMarket | undefined {
    return this.#markets.get(id);
  }

  /** Adds or marks a market as altered; it has grown by so many threads and wallets. */
  put(market: FollowedMarket, growth: number): void {
    this.#markets.set(market.id, market);
    this.#altered.add(market);
    this.#size += growth;
  }

  alter(market: FollowedMarket): void {
    this.#altered.add(market);
  }

  delete(market: FollowedMarket): void {
    this.#markets.delete(market.id);
    this.#altered.delete(market);
    this.#removed.add(market.id);
    this.#size -= market.wallets.size + market.threads.size;
  }

  whole(): Iterable<string> {
    return jsonChunks(Array.from(this.#markets.values(), plainFollowed));
  }

  *changes(): Iterable<string> {
    if (this.#removed.size > 0) yield JSON.stringify({ removed: [...this.#removed] } satisfies Removed);
    yield* jsonChunks(Array.from(this.#altered, plainFollowed));
  }

  markWritten(): void {
    this.#altered.clear();
    this.#removed.clear();
  }

  restore(text: string): void {
    const read = JSON.parse(text) as Removed | readonly PlainFollowed[];
    if ('removed' in read) for (const id of read.removed) this.#forget(id);
    else
      for (const plain of read) {
        const market = restoredFollowed(plain);
        const before = this.#markets.get(market.id);
        // In its place: a state that was restored is written as the one that was not.
        if (before !== undefined) this.#size -= before.wallets.size + before.threads.size;
        this.#markets.set(market.id, market);
        this.#size += market.wallets.size + market.threads.size;
      }
  }

  #forget(id: string): void {
    const market = this.#markets.get(id);
    if (market !== undefined) this.delete(market);
  }
}
