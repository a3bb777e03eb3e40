import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { TradeRole } from '../../../src/core/trades/trade.ts';
import { seededRandom } from '../random.ts';
import type { Faults } from './faults.ts';
import { IMMEDIATE, type MarketProfile } from './market-profile.ts';
import { type MarketTape, type TapeMarket, type TapeTrade, tokensOf } from './market-tape.ts';

/** Looking through more rows than this takes the real service longer than it allows itself. */
const SCAN_LIMIT = 250_000;

/** A listing was asked for that takes too long. */
export class TooSlow extends Error {}

export interface Listing {
  /** Null: all wallets. */
  readonly user?: string | null;
  /** Empty: every market's. */
  readonly conditions?: readonly string[];
  /** Epoch seconds, both inclusive. */
  readonly start?: number | null;
  readonly end?: number | null;
  /** Only trades before this one in the order of time. */
  readonly below?: number;
  readonly limit: number;
  readonly accept?: ((trade: TapeTrade, index: number) => boolean) | null;
}

/** What of a tape the market knows at this moment of the clock. */
export interface MarketView {
  readonly tape: MarketTape;
  /** The moment up to which trades exist. */
  now(): EpochMs;
  /** Nothing after this exists, whatever the clock says. */
  revealUntil(time: EpochMs): void;
  isListed(index: number): boolean;
  /** Indices of trades, newest first. */
  list(listing: Listing): readonly number[];
  /** Indices of the trades that happened in the span after `from` up to `until`, whatever the lists show of them yet. */
  tradedIn(from: EpochMs, until: EpochMs): readonly number[];
  /** Indices of the trades that the global list began to show in the span, in that order. */
  listedIn(from: EpochMs, until: EpochMs): readonly number[];
  /** The newest second whose trades the global list shows, if there were any. */
  listedUntil(): EpochMs;
  /** How far the global list is behind the trades of a span. */
  listingLag(from: EpochMs, until: EpochMs): LagFigures;
  /** The last row of a transaction is the taker's, the others are of the makers it met. */
  roleOf(index: number): TradeRole;
  /** The current rows of markets. */
  markets(): readonly TapeMarket[];
  market(conditionId: string): TapeMarket | null;
  /** Whose token it is. */
  marketOfToken(token: string): TapeMarket | null;
  /** The rows of markets that came into force in the span. */
  marketsIn(from: EpochMs, until: EpochMs): readonly TapeMarket[];
  /** First trade of a wallet, and its distinct markets so far; null when it never traded. */
  wallet(address: string): { readonly since: number; readonly markets: number } | null;
}

export function createMarketView(
  tape: MarketTape,
  {
    clock,
    faults,
    profile = IMMEDIATE,
  }: { clock: Pick<Clock, 'now'>; faults: Faults; profile?: Pick<MarketProfile, 'listing'> },
): MarketView {
  let cap = Number.POSITIVE_INFINITY;
  const { byWallet, byCondition } = indexOf(tape);
  const marketRows = Map.groupBy(tape.markets, ({ conditionId }) => conditionId);
  const ids = [...marketRows.keys()];
  const idsByToken = once(
    () =>
      new Map(tape.markets.flatMap((market) => tokensOf(market).map((token) => [token, market.conditionId]))),
  );
  const now = () => Math.min(clock.now(), cap);
  const isRebuilt = profile.listing === 'rebuilt';
  const listedAt = isRebuilt ? createListingLag(faults.script.seed) : (second: number) => second * 1_000;
  const isLate = isRebuilt || faults.hasDelays;
  const lateTimes = isLate
    ? Float64Array.from({ length: tape.count }, (_, at) => listedAt(tape.timeOf(at)) + faults.delayOf(at))
    : null;
  const listedAtOf = (index: number) => lateTimes?.[index] ?? tape.timeOf(index) * 1_000;
  const horizon = () => now() - faults.lagMs();
  /** A wallet's lists show more than the global one. */
  const userHorizon = () => horizon() + (isRebuilt ? USER_AHEAD_MS : 0);
  const lowest = (seconds: number) => firstWhere(tape.count, (index) => tape.timeOf(index) >= seconds);
  const byListing = isLate
    ? Uint32Array.from({ length: tape.count }, (_, index) => index).sort(
        (a, b) => listedAtOf(a) - listedAtOf(b) || a - b,
      )
    : null;
  const listedAs = (place: number) => byListing?.[place] ?? place;
  /** Of trades in the span after `from` up to `until`. */
  const tradedIn = (from: EpochMs, until: EpochMs) => {
    const first = lowest(Math.floor(from / 1_000) + 1);
    const count = lowest(Math.floor(until / 1_000) + 1) - first;
    return Array.from({ length: Math.max(0, count) }, (_, n) => first + n);
  };

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
    const { from, to } = bounds(listing);
    const some = listOf(listing);
    const found: number[] = [];
    const until = user != null ? userHorizon() : horizon();
    let place = some === null ? to : firstWhere(some.length, (at) => (some[at] as number) >= to);
    for (let scanned = 0; found.length < limit && place > 0; scanned++) {
      if (scanned > SCAN_LIMIT) throw new TooSlow();
      place -= 1;
      const index = some === null ? place : (some[place] as number);
      if (index < from) break;
      if (listedAtOf(index) > until) continue;
      if (user != null && conditions.length > 0 && !conditions.includes(tape.conditionOf(index))) continue;
      if (accept !== null && !accept(tape.trade(index), index)) continue;
      found.push(index);
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
    isListed: (index) => listedAtOf(index) <= horizon(),
    list,
    tradedIn,
    listedIn(from, until) {
      const placeAfter = (time: EpochMs) =>
        firstWhere(tape.count, (place) => listedAtOf(listedAs(place)) > time);
      const first = placeAfter(from);
      return Array.from({ length: Math.max(0, placeAfter(until) - first) }, (_, n) => listedAs(first + n));
    },
    listedUntil() {
      let second = Math.floor(horizon() / 1_000);
      while (listedAt(second) > horizon()) second -= 1;
      return second * 1_000;
    },
    listingLag(from, until) {
      const lagOf = (index: number) => listedAtOf(index) - tape.timeOf(index) * 1_000;
      return lagFigures(tradedIn(from, until).map(lagOf));
    },
    roleOf(index) {
      const transaction = tape.transactionOf(index);
      for (let next = index + 1; next < tape.count && tape.timeOf(next) === tape.timeOf(index); next++)
        if (tape.transactionOf(next) === transaction) return 'maker';
      return 'taker';
    },
    markets: () => ids.map(marketAt).filter((market) => market !== null),
    market: marketAt,
    marketOfToken: (token) => marketAt(idsByToken().get(token) ?? ''),
    marketsIn: (from, until) => tape.markets.filter(({ at }) => at * 1_000 > from && at * 1_000 <= until),
    wallet(address) {
      const until = userHorizon();
      const own = (byWallet().get(address.toLowerCase()) ?? []).filter((index) => listedAtOf(index) <= until);
      const [first] = own;
      if (first === undefined) return null;
      return { since: tape.timeOf(first), markets: new Set(own.map(tape.conditionOf)).size };
    },
  };
}

/** Built when first asked for: the global listing needs neither. */
function indexOf(tape: MarketTape) {
  const grouped = (keyOf: (index: number) => string) =>
    once(() => {
      const groups = new Map<string, number[]>();
      for (let index = 0; index < tape.count; index++) {
        const key = keyOf(index);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [index]);
        else group.push(index);
      }
      return groups;
    });
  return { byWallet: grouped(tape.walletOf), byCondition: grouped(tape.conditionOf) };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
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

/** Between two states of the list; each comes up to so much later. */
const REBUILT_EVERY_MS = 4_000;
const REBUILT_LATER_MS = 800;
/** What a trade takes until it can be in a state of the list. */
const SHORTEST_MS = 3_000;
const SPREAD_MS = 3_000;
/** By so much the lists of a wallet are ahead of the others. */
const USER_AHEAD_MS = 3_000;

/**
 * When the list shows the trades of a second: 3 to 10.8 s after it and 6.5 s in the median, as measured on 2026-09-25 in
 * 5,877 trades; all of them in one state of the list, and sometimes after those of a later second.
 */
function createListingLag(seed: number): (second: number) => EpochMs {
  const randomOf = (number: number, purpose: number) => seededRandom(seed ^ Math.imul(number + 1, purpose))();
  const rebuiltAt = (state: number) =>
    state * REBUILT_EVERY_MS + Math.floor(randomOf(state, 0x85ebca6b) * REBUILT_LATER_MS);
  return (second) => {
    const ready = second * 1_000 + SHORTEST_MS + randomOf(second, 0x9e3779b1) * SPREAD_MS;
    const state = Math.floor(ready / REBUILT_EVERY_MS);
    return rebuiltAt(state) >= ready ? rebuiltAt(state) : rebuiltAt(state + 1);
  };
}

/** How far behind their trades rows were, in milliseconds. */
export interface LagFigures {
  readonly trades: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

function lagFigures(lags: readonly number[]): LagFigures {
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { trades: sorted.length, p50: at(0.5), p90: at(0.9), max: sorted.at(-1) ?? 0 };
}
