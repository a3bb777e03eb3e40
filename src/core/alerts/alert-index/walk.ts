import type { EpochMs } from '../../base/time/duration.ts';
import type { AlertFilter } from '../alert-store.ts';
import { CONDITIONS, fulfils } from '../passes-filter.ts';
import { isInTexts, readSearch, type Searched, searchedEvent } from '../search-text.ts';
import type { AlertIndex, Listing } from './alert-index.ts';
import type { IndexedMarket } from './settlement-history.ts';

/** Alerts with `after < id <= upto`. */
export interface IdRange {
  readonly after: number;
  readonly upto: number;
  /** The last alert that exists for the caller. A cursor may end the range before it. */
  readonly visible: number;
}

/** Whether an alert is in: by its position in the columns, which is its id less 1. */
type Condition = (position: number) => boolean;

/** Wallets of a shortened address, at most. */
const WALLETS_MAX = 20;

/** The alerts that match a filter. */
export class Walk {
  readonly range: IdRange;
  readonly isPerBet: boolean;
  readonly #index: AlertIndex;
  readonly #asOf: EpochMs | null;
  readonly #late: ReadonlySet<IndexedMarket>;
  readonly #conditions: readonly Condition[];
  /** Ascending; null: all of the range. */
  readonly #candidates: readonly number[] | null;

  /** `eventMarkets`: the ids of the markets of the event that `search` may name. */
  constructor(index: AlertIndex, filter: AlertFilter, eventMarkets: ReadonlySet<string> = new Set()) {
    this.#index = index;
    this.range = rangeOf(index, filter);
    this.isPerBet = filter.isPerBet === true;
    this.#asOf = filter.asOf ?? null;
    this.#late = filter.asOf === undefined ? new Set() : index.settlements.settledAfter(filter.asOf);
    const { ids, conditions } = this.#named(filter, eventMarkets);
    this.#candidates = ids;
    this.#conditions = [...this.#plain(filter), ...conditions];
  }

  /** Calls `visit` with the id of each match, newest first. */
  forEach(visit: (id: number) => void): void {
    const { after, upto } = this.range;
    const ids = this.#candidates;
    if (ids === null) {
      for (let id = upto; id > after; id--) if (this.#isIn(id)) visit(id);
      return;
    }
    for (const id of ids.toReversed()) if (id > after && id <= upto && this.#isIn(id)) visit(id);
  }

  /** The same, oldest first. */
  forEachUpward(visit: (id: number) => void): void {
    const { after, upto } = this.range;
    const ids = this.#candidates;
    if (ids === null) {
      for (let id = after + 1; id <= upto; id++) if (this.#isIn(id)) visit(id);
      return;
    }
    for (const id of ids) if (id > after && id <= upto && this.#isIn(id)) visit(id);
  }

  #isIn(id: number): boolean {
    for (const condition of this.#conditions) if (!condition(id - 1)) return false;
    return true;
  }

  /** Whether an alert was right, as far as it is known at the moment; null while it is not. */
  won(id: number): boolean | null {
    if (this.#late.size === 0 || this.#asOf === null) return this.#index.columns.won(id);
    const market = this.#index.marketOf(id);
    if (!this.#late.has(market)) return this.#index.columns.won(id);
    return replacedResult(market, this.#asOf, id);
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

  #plain({ minUsdc, minPosition, minScore, isResolved, ...filter }: AlertFilter): readonly Condition[] {
    const { kinds, scores, usdc, putInUsdc, next } = this.#index.columns;
    const { visible } = this.range;
    const isKind = this.#index.kinds.map((kind) => fulfils(KIND_CONDITIONS, kindOf(filter), kind));
    const conditions: Condition[] = [];
    if (!isKind.every(Boolean)) conditions.push((at) => isKind[kinds[at] as number] === true);
    if (minScore !== undefined) conditions.push((at) => (scores[at] as number) >= minScore);
    if (minUsdc !== undefined) conditions.push((at) => (usdc[at] as number) > minUsdc);
    if (minPosition !== undefined) conditions.push((at) => (putInUsdc[at] as number) >= minPosition);
    if (this.isPerBet) conditions.push((at) => next[at] === 0 || (next[at] as number) > visible);
    if (isResolved !== undefined) conditions.push((at) => (this.won(at + 1) !== null) === isResolved);
    return conditions;
  }

  /** What the texts of the filter name. */
  #named(
    { wallet, market, search = '' }: AlertFilter,
    eventMarkets: ReadonlySet<string>,
  ): { readonly ids: readonly number[] | null; readonly conditions: readonly Condition[] } {
    const { columns } = this.#index;
    const lists: (readonly number[])[] = [];
    const conditions: Condition[] = [];
    const inListings = (fits: (listing: Listing) => boolean) => {
      const flags = this.#index.listings.map(fits);
      conditions.push((at) => flags[columns.listings[at] as number] === true);
    };
    if (wallet !== undefined) lists.push(this.#index.wallets.get(wallet) ?? []);
    if (market !== undefined)
      inListings((listing) => listing.slug === market || listing.market.id.toLowerCase() === market);
    if (search !== '') {
      const searched = readSearch(search.toLowerCase().toWellFormed());
      const ids = this.#idsOf(searched);
      if (ids === null) inListings((listing) => isListed(listing, searched, eventMarkets));
      else lists.push(ids);
    }
    const [ids = null, ...others] = lists;
    for (const list of others) {
      const isIn = new Set(list);
      conditions.push((at) => isIn.has(at + 1));
    }
    return { ids, conditions };
  }

  /** Ascending; null where markets are searched for. */
  #idsOf(searched: Searched): readonly number[] | null {
    if (searched.kind === 'alert') return searched.id <= this.#index.columns.length ? [searched.id] : [];
    if (searched.kind !== 'wallet') return null;
    const { start, end } = searched.ends;
    const found = [...this.#index.wallets]
      .filter(([wallet]) => wallet.startsWith(start) && wallet.endsWith(end))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    return found
      .slice(0, WALLETS_MAX)
      .flatMap(([, ids]) => ids)
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

function isListed(
  { market, title, slug }: Listing,
  searched: Searched,
  eventMarkets: ReadonlySet<string>,
): boolean {
  return (
    isInTexts(searched, { marketId: market.id.toLowerCase(), title, slug }) || eventMarkets.has(market.id)
  );
}

function replacedResult(market: IndexedMarket, asOf: EpochMs, id: number): boolean | null {
  const replaced = market.replaced.findLast(({ at }) => at <= asOf);
  return replaced?.won.get(id) ?? null;
}
