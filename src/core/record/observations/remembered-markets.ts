import { HOUR_MS, SECOND_MS } from '../../base/time/duration.ts';
import { hasWords } from '../../detection/order.ts';
import { jsonChunks, type StatePart } from '../../detection/state-chunks.ts';
import type { Trade } from '../../trades/trade.ts';
import type { OrderSegment } from './order-segment.ts';

/** An hour in seconds. */
export const SECONDS_PER_HOUR = HOUR_MS / SECOND_MS;

/** The orders of a market in one hour: a chain from the last that came back to the first. */
export interface HourChain {
  /** Hours since the epoch. */
  readonly hour: number;
  last: number;
  /** The latest of its seconds. */
  latest: number;
  /** Greatest number of seconds by which a row was older than the latest when it arrived; 0: they arrived in order. */
  lag: number;
}

/** A market of which orders are remembered. */
export interface RememberedMarket {
  /** Number of the market in the rows; never reused. */
  readonly number: number;
  readonly id: string;
  /** Token id of the outcome that was seen first. */
  readonly baseAsset: string;
  baseOutcome: string;
  baseOutcomeIndex: number;
  /** Token id of the other outcome; null until one of its orders was seen. */
  otherAsset: string | null;
  /** Ascending by hour. Empty only while a snapshot is read. */
  chains: HourChain[];
}

type PlainMarket = Omit<RememberedMarket, 'chains'>;

/** The markets of all remembered orders. A market is forgotten with its last row, and added again with its next. */
export class RememberedMarkets implements StatePart {
  #byId = new Map<string, RememberedMarket>();
  readonly #byNumber = new Map<number, RememberedMarket>();
  #changed = new Set<RememberedMarket>();
  #next = 0;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): RememberedMarket | undefined {
    const market = this.#byId.get(id);
    return market === undefined || market.chains.length === 0 ? undefined : market;
  }

  numbered(number: number): RememberedMarket | undefined {
    return this.#byNumber.get(number);
  }

  /** The market of a fill. The chain of its first order must be added to it. */
  touch(fill: Trade): RememberedMarket {
    const market = this.get(fill.marketId) ?? this.#add(fill);
    if (market.baseOutcome === '' && fill.asset === market.baseAsset && hasWords(fill)) {
      market.baseOutcome = fill.outcome;
      market.baseOutcomeIndex = fill.outcomeIndex;
      this.#changed.add(market);
    }
    if (market.otherAsset === null && fill.asset !== market.baseAsset) {
      market.otherAsset = fill.asset;
      this.#changed.add(market);
    }
    return market;
  }

  /** Forgets chains that end before the row, and markets of which none is left. */
  forgetBefore(row: number): void {
    for (const market of this.#byId.values()) {
      if (market.chains.some(({ last }) => last < row))
        market.chains = market.chains.filter(({ last }) => last >= row);
      if (market.chains.length > 0) continue;
      this.#byId.delete(market.id);
      this.#byNumber.delete(market.number);
      this.#changed.delete(market);
    }
  }

  *whole(): Iterable<string> {
    yield JSON.stringify({ next: this.#next });
    yield* jsonChunks(plain(this.#byId.values()));
  }

  *changes(): Iterable<string> {
    if (this.#changed.size === 0) return;
    yield JSON.stringify({ next: this.#next });
    yield* jsonChunks(plain(this.#changed));
  }

  markWritten(): void {
    if (this.#changed.size > 0) this.#changed = new Set();
  }

  restore(text: string): void {
    const read = JSON.parse(text) as { readonly next: number } | readonly PlainMarket[];
    if ('next' in read) this.#next = read.next;
    else for (const market of read) this.#put({ ...market, chains: [] });
  }

  #add({ marketId, asset, outcome, outcomeIndex }: Trade): RememberedMarket {
    this.#next += 1;
    const market: RememberedMarket = {
      number: this.#next,
      id: marketId,
      baseAsset: asset,
      baseOutcome: outcome,
      baseOutcomeIndex: outcomeIndex,
      otherAsset: null,
      chains: [],
    };
    this.#put(market);
    this.#changed.add(market);
    return market;
  }

  #put(market: RememberedMarket): void {
    const before = this.#byId.get(market.id);
    if (before !== undefined && before.number !== market.number) {
      this.#byNumber.delete(before.number);
      // A market that is added again is the newest, as in an uninterrupted run.
      this.#byId.delete(market.id);
    }
    this.#byId.set(market.id, market);
    this.#byNumber.set(market.number, market);
  }
}

/** The chain of an hour; usually the last one is requested. */
export function chainOf({ chains }: RememberedMarket, hour: number): HourChain | undefined {
  for (let index = chains.length - 1; index >= 0; index--) {
    const chain = chains[index] as HourChain;
    if (chain.hour <= hour) return chain.hour === hour ? chain : undefined;
  }
  return undefined;
}

/** Adds the row to the chain of its hour. */
export function appendToChain(market: RememberedMarket, segment: OrderSegment, offset: number): void {
  const row = segment.number * segment.capacity + offset;
  const second = segment.seconds[offset] as number;
  const hour = Math.floor(second / SECONDS_PER_HOUR);
  const chain = chainOf(market, hour);
  if (chain === undefined) {
    segment.back[offset] = 0;
    // Most start the newest hour.
    const index = market.chains.findLastIndex((each) => each.hour < hour) + 1;
    market.chains.splice(index, 0, { hour, last: row, latest: second, lag: 0 });
    return;
  }
  segment.back[offset] = row - chain.last;
  chain.last = row;
  chain.latest = Math.max(chain.latest, second);
  chain.lag = Math.max(chain.lag, chain.latest - second);
}

function* plain(markets: Iterable<RememberedMarket>): Iterable<PlainMarket> {
  for (const { chains, ...market } of markets) if (chains.length > 0) yield market;
}
