import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertFilter } from '../alert-store.ts';
import { CONDITIONS, fulfils } from '../passes-filter.ts';
import { isInTexts, readSearch, type Searched, searchedEvent } from '../search-text.ts';
import type { AlertIndex, Listing } from './alert-index.ts';
import { RESULTS } from './facets.ts';
import { type IndexedMarket, settlementAsOf } from './settlement-history.ts';

/** Alerts with `after < id <= upto`. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
  /** The last alert that exists for the caller. A cursor may end the range before it. */
  readonly visible: number;
}

/**
 * Keeps those of the first `count` ids that fulfil a condition, in their order, and returns how many they are. Each has a loop of its
 * own, which writes each id and counts those to keep: one that calls a condition takes five times as long, one that branches two to
 * three times.
 */
type Sieve = (ids: Uint32Array, count: number) => number;

/** Wallets of a shortened address, at most. */
const WALLETS_MAX = 20;

/** The alerts that match a filter. To be used at once: the next walk has its ids in the same place. */
export class Walk {
  readonly range: IdRange;
  readonly isPerBet: boolean;
  /** Of the matches, newest first. */
  readonly ids: Uint32Array;
  readonly #index: AlertIndex;
  readonly #asOf: EpochMs | null;
  readonly #late: ReadonlySet<IndexedMarket>;

  /** `eventMarkets`: the ids of markets that got the event that `search` may name after their alerts. */
  constructor(index: AlertIndex, filter: AlertFilter, eventMarkets: ReadonlySet<string> = new Set()) {
    this.#index = index;
    this.range = rangeOf(index, filter);
    this.isPerBet = filter.isPerBet === true;
    this.#asOf = filter.asOf ?? null;
    this.#late = filter.asOf === undefined ? new Set() : index.settlements.settledAfter(filter.asOf);
    const { candidates, sieves } = this.#named(filter, eventMarkets);
    const ids = index.scratch(this.range.upto - this.range.after);
    let count = this.#putRange(ids, candidates);
    for (const keep of [...this.#plain(filter), ...sieves]) count = keep(ids, count);
    this.ids = ids.subarray(0, count);
  }

  /** Puts the ids of the range, newest first, and returns how many they are. `candidates`: ascending; null: all. */
  #putRange(ids: Uint32Array, candidates: readonly number[] | null): number {
    const { after, upto } = this.range;
    if (candidates !== null) {
      const found = candidates.filter((id) => id > after && id <= upto);
      ids.set(found.toReversed());
      return found.length;
    }
    const count = upto - after;
    for (let index = 0; index < count; index++) ids[index] = upto - index;
    return count;
  }

  /** Whether an alert was right, as far as it is known at the moment; null while it is not. */
  won(id: number): boolean | null {
    const asOf = this.#asOf;
    if (this.#late.size === 0 || asOf === null) return this.#index.columns.won(id);
    const market = this.#index.marketOf(id);
    if (!this.#late.has(market)) return this.#index.columns.won(id);
    const settlement = settlementAsOf(market, asOf);
    return settlement && this.#index.wonBy(id, settlement);
  }

  /** What sums are of: orders, or what bets have put in; in cents, which are exact. */
  cents(id: number): number {
    const { putInUsdc, usdc } = this.#index.columns;
    return Math.round(((this.isPerBet ? putInUsdc : usdc)[id - 1] as number) * 100);
  }

  /** The price that was paid, in millionths of a USDC per share: an order's (`entryOf`), or a bet's mean. */
  entryMicros(id: number): number {
    const { betMicros, entryMicros } = this.#index.columns;
    return (this.isPerBet ? betMicros : entryMicros)[id - 1] as number;
  }

  #plain({ minUsdc, minPosition, minScore, isResolved, ...filter }: AlertFilter): readonly Sieve[] {
    const { scores, usdc, putInUsdc } = this.#index.columns;
    const sieves: Sieve[] = [];
    const isKind = flags(this.#index.kinds, (kind) => fulfils(KIND_CONDITIONS, kindOf(filter), kind));
    if (isKind.includes(0)) sieves.push(flagged(isKind, this.#index.columns.kinds));
    if (minScore !== undefined) sieves.push(atLeast(scores, minScore));
    if (minUsdc !== undefined) sieves.push(above(usdc, minUsdc));
    if (minPosition !== undefined) sieves.push(atLeast(putInUsdc, minPosition));
    if (this.isPerBet) sieves.push(newest(this.#index.columns.next, this.range.visible));
    if (isResolved !== undefined) sieves.push(this.#resolved(isResolved));
    return sieves;
  }

  #resolved(isResolved: boolean): Sieve {
    if (this.#late.size === 0)
      return flagged(
        flags(RESULTS, (won) => (won !== null) === isResolved),
        this.#index.columns.results,
      );
    return (ids, count) => {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const id = ids[index] as number;
        if ((this.won(id) !== null) === isResolved) ids[kept++] = id;
      }
      return kept;
    };
  }

  /** What the texts of the filter name. */
  #named(
    { wallet, market, search = '' }: AlertFilter,
    eventMarkets: ReadonlySet<string>,
  ): { readonly candidates: readonly number[] | null; readonly sieves: readonly Sieve[] } {
    const lists: (readonly number[])[] = [];
    const sieves: Sieve[] = [];
    const keepListings = (fits: (listing: Listing) => boolean) =>
      sieves.push(flagged(flags(this.#index.listings, fits), this.#index.columns.listings));
    if (wallet !== undefined) lists.push(this.#index.wallets.get(wallet) ?? []);
    if (market !== undefined)
      keepListings((listing) => listing.slug === market || listing.marketId === market);
    if (search !== '') {
      const searched = readSearch(search.toLowerCase().toWellFormed());
      const ids = this.#idsOf(searched);
      const event = searchedEvent(searched);
      const isOfEvent = ({ id, event: own }: IndexedMarket) =>
        eventMarkets.has(id) || (event !== null && own === event);
      if (ids === null) keepListings((listing) => isInTexts(searched, listing) || isOfEvent(listing.market));
      else lists.push(ids);
    }
    const [candidates = null, ...others] = lists;
    return { candidates, sieves: [...sieves, ...others.map(among)] };
  }

  /** Ascending; null where markets are searched for. */
  #idsOf(searched: Searched): readonly number[] | null {
    if (searched.kind === 'alert') return searched.id <= this.#index.columns.length ? [searched.id] : [];
    if (searched.kind !== 'wallet') return null;
    const { start, end } = searched.ends;
    const { wallets } = this.#index;
    const exact = wallets.get(start);
    if (exact !== undefined) return exact;
    const found: string[] = [];
    for (const wallet of wallets.keys())
      if (wallet.startsWith(start) && wallet.endsWith(end)) found.push(wallet);
    return found
      .sort()
      .slice(0, WALLETS_MAX)
      .flatMap((wallet) => wallets.get(wallet) ?? [])
      .toSorted((one, other) => one - other);
  }
}

/** The slug of the event whose markets a search may name; null where it names none. */
export function eventOf({ search = '' }: Pick<AlertFilter, 'search'>): string | null {
  return search === '' ? null : searchedEvent(readSearch(search.toLowerCase().toWellFormed()));
}

/** The ids that a range in time and a cursor leave. */
export function rangeOf(
  { columns }: AlertIndex,
  { since, until, afterId = 0, beforeId }: AlertFilter,
): IdRange {
  const visible = until === undefined ? columns.length : columns.countBefore(Math.floor(until) + 1);
  const upto = beforeId === undefined ? visible : Math.min(visible, beforeId - 1);
  const after = since === undefined ? 0 : columns.countBefore(since);
  return { after: Math.min(Math.max(after, afterId), upto), upto, visible };
}

const KIND_CONDITIONS = {
  category: CONDITIONS.category,
  categories: CONDITIONS.categories,
  side: CONDITIONS.side,
  type: CONDITIONS.type,
};

function kindOf({ category, categories, side, type }: AlertFilter) {
  return { category, categories, side, type };
}

/** For each value of a column, 1 or 0. */
function flags<Value>(values: readonly Value[], fits: (value: Value) => boolean): Uint8Array {
  const found = new Uint8Array(values.length);
  for (let index = 0; index < values.length; index++) found[index] = fits(values[index] as Value) ? 1 : 0;
  return found;
}

function flagged(isIn: Uint8Array, column: Uint32Array): Sieve {
  return (ids, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const id = ids[index] as number;
      ids[kept] = id;
      kept += isIn[column[id - 1] as number] as number;
    }
    return kept;
  };
}

function atLeast(column: Float64Array, least: number): Sieve {
  return (ids, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const id = ids[index] as number;
      ids[kept] = id;
      kept += Number((column[id - 1] as number) >= least);
    }
    return kept;
  };
}

function above(column: Float64Array, bound: number): Sieve {
  return (ids, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const id = ids[index] as number;
      ids[kept] = id;
      kept += Number((column[id - 1] as number) > bound);
    }
    return kept;
  };
}

/** The newest alerts of their threads, of those up to an id. */
function newest(next: Uint32Array, visible: number): Sieve {
  return (ids, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const id = ids[index] as number;
      const following = next[id - 1] as number;
      ids[kept] = id;
      kept += Number(following === 0 || following > visible);
    }
    return kept;
  };
}

function among(list: readonly number[]): Sieve {
  const isIn = new Set(list);
  return (ids, count) => {
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const id = ids[index] as number;
      if (isIn.has(id)) ids[kept++] = id;
    }
    return kept;
  };
}
