import type { Clock } from '../../../src/core/clock.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import type { Faults } from './faults.ts';
import type { MarketTape, TapeMarket, TapeTrade } from './market-tape.ts';

/** Looking through more rows than this takes the real service longer than it allows itself. */
const SCAN_LIMIT = 250_000;

/** A listing was asked for that takes too long. */
export class TooSlow extends Error {}

export interface Listing {
  /** Null: everyone's. */
  readonly user?: string | null;
  /** Empty: every market's. */
  readonly conditions?: readonly string[];
  /** Epoch seconds, both inclusive. */
  readonly start?: number | null;
  readonly end?: number | null;
  /** Only trades before this one in the order of time. */
  readonly below?: number;
  readonly skip?: number;
  readonly limit: number;
  readonly accept?: ((trade: TapeTrade) => boolean) | null;
}

/** What of a tape the market knows at this moment of the clock. */
export interface MarketView {
  readonly tape: MarketTape;
  /** The moment up to which trades exist. */
  now(): EpochMs;
  /** Nothing after this exists, whatever the clock says. */
  revealUntil(time: EpochMs): void;
  isVisible(index: number): boolean;
  /** Indices of trades, newest first. */
  list(listing: Listing): readonly number[];
  /** How many trades there are to list, for a listing that filters none out. */
  count(listing: Listing): number;
  /** Indices of what became visible in the span after `from` up to `until`, in that order, as the streams know it. */
  sightedIn(from: EpochMs, until: EpochMs): readonly number[];
  /** The rows of markets as they stand. */
  markets(): readonly TapeMarket[];
  market(conditionId: string): TapeMarket | null;
  /** The rows of markets that came into force in the span. */
  marketsIn(from: EpochMs, until: EpochMs): readonly TapeMarket[];
  /** First trade of a wallet, and its distinct markets so far; null when it never traded. */
  wallet(address: string): { readonly since: number; readonly markets: number } | null;
}

export function createMarketView(
  tape: MarketTape,
  { clock, faults }: { clock: Pick<Clock, 'now'>; faults: Faults },
): MarketView {
  let cap = Number.POSITIVE_INFINITY;
  const { byWallet, byCondition } = indexOf(tape);
  const marketRows = Map.groupBy(tape.markets, ({ conditionId }) => conditionId);
  const ids = [...marketRows.keys()];
  const now = () => Math.min(clock.now(), cap);
  const sights = faults.hasDelays
    ? Float64Array.from({ length: tape.count }, (_, at) => tape.timeOf(at) * 1_000 + faults.delayOf(at))
    : null;
  const sightOf = (index: number) => sights?.[index] ?? tape.timeOf(index) * 1_000;
  const horizon = () => now() - faults.lagMs();
  const lowest = (seconds: number) => firstWhere(tape.count, (index) => tape.timeOf(index) >= seconds);
  const bySight = faults.hasDelays
    ? Array.from({ length: tape.count }, (_, index) => index).sort((a, b) => sightOf(a) - sightOf(b) || a - b)
    : null;
  const sighted = (place: number) => bySight?.[place] ?? place;

  function bounds({ start, end, below }: Listing): { from: number; to: number } {
    const last = Math.floor(horizon() / 1_000);
    const to = lowest(Math.min(last, end ?? last) + 1);
    return { from: start == null ? 0 : lowest(start), to: Math.min(to, below ?? to) };
  }

  function listOf({ user, conditions = [] }: Listing): readonly number[] | null {
    if (user != null) return byWallet().get(user.toLowerCase()) ?? [];
    if (conditions.length === 0) return null;
    const lists = conditions.map((id) => byCondition().get(id.toLowerCase()) ?? []);
    return lists.length === 1 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a - b);
  }

  function list(listing: Listing): readonly number[] {
    const { user, conditions = [], accept = null, limit } = listing;
    let { from, to } = bounds(listing);
    let skip = listing.skip ?? 0;
    const some = listOf(listing);
    if (some === null && accept === null && !faults.hasDelays) {
      to -= skip;
      skip = 0;
    }
    const found: number[] = [];
    const until = horizon();
    let place = some === null ? to : firstWhere(some.length, (at) => (some[at] as number) >= to);
    for (let scanned = 0; found.length < limit && place > 0; scanned++) {
      if (scanned > SCAN_LIMIT) throw new TooSlow();
      place -= 1;
      const index = some === null ? place : (some[place] as number);
      if (index < from) break;
      if (sightOf(index) > until) continue;
      if (user != null && conditions.length > 0 && !conditions.includes(tape.conditionOf(index))) continue;
      if (accept !== null && !accept(tape.trade(index))) continue;
      if (skip > 0) skip -= 1;
      else found.push(index);
    }
    return found;
  }

  function marketAt(conditionId: string): TapeMarket | null {
    return marketRows.get(conditionId)?.findLast(({ at }) => at * 1_000 <= now()) ?? null;
  }

  return {
    tape,
    now,
    revealUntil(time) {
      cap = time;
    },
    isVisible: (index) => sightOf(index) <= horizon(),
    list,
    count(listing) {
      const { from, to } = bounds(listing);
      const some = listOf(listing);
      return some === null ? to - from : some.filter((index) => index >= from && index < to).length;
    },
    sightedIn(from, until) {
      const placeAfter = (time: EpochMs) => firstWhere(tape.count, (place) => sightOf(sighted(place)) > time);
      const first = placeAfter(from);
      return Array.from({ length: Math.max(0, placeAfter(until) - first) }, (_, n) => sighted(first + n));
    },
    markets: () => ids.map(marketAt).filter((market) => market !== null),
    market: marketAt,
    marketsIn: (from, until) => tape.markets.filter(({ at }) => at * 1_000 > from && at * 1_000 <= until),
    wallet(address) {
      const until = horizon();
      const own = (byWallet().get(address.toLowerCase()) ?? []).filter((index) => sightOf(index) <= until);
      const [first] = own;
      if (first === undefined) return null;
      return { since: tape.timeOf(first), markets: new Set(own.map(tape.conditionOf)).size };
    },
  };
}

/** Built when first asked for: the global listing needs neither. */
function indexOf(tape: MarketTape) {
  const grouped = (keyOf: (index: number) => string) => {
    let groups: Map<string, number[]> | null = null;
    return () => {
      if (groups !== null) return groups;
      groups = new Map();
      for (let index = 0; index < tape.count; index++) {
        const key = keyOf(index);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [index]);
        else group.push(index);
      }
      return groups;
    };
  };
  return { byWallet: grouped(tape.walletOf), byCondition: grouped(tape.conditionOf) };
}

/** The first of so many places where it holds; it holds from there on. */
function firstWhere(count: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
