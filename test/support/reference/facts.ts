import { rounded } from '../../../src/core/base/rounded.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Side, Trade } from '../../../src/core/trades/trade.ts';
import {
  type Fill,
  type History,
  netShares,
  type Order,
  priceOf,
  sum,
  totalShares,
  totalUsdc,
  usdcOf,
} from './history.ts';
import { isLeftOut } from './left-out.ts';

export const DAY_SECONDS = 86_400;

export interface Freshness {
  readonly ageDays: number | null;
  readonly markets: number | null;
}

/** What is known of wallets and markets at a moment, computed again from the history for each question. */
export class Facts {
  readonly #history: History;
  readonly #rules: DetectionRules;
  readonly #isComplete: boolean;

  constructor(history: History, rules: DetectionRules, isComplete: boolean) {
    this.#history = history;
    this.#rules = rules;
    this.#isComplete = isComplete;
  }

  freshness(wallet: string, second: number): Freshness {
    return { ageDays: this.#ageDays(wallet, second), markets: this.#markets(wallet, second) };
  }

  /** Null when its age or its number of markets is unknown. */
  isFresh(wallet: string, second: number): boolean | null {
    const { ageDays, markets } = this.freshness(wallet, second);
    if (ageDays === null || markets === null) return null;
    const { maxAgeDays, maxMarkets } = this.#rules.fresh;
    return ageDays <= maxAgeDays && markets <= maxMarkets;
  }

  #ageDays(wallet: string, second: number): number | null {
    const stated = this.#history
      .walletRows(wallet)
      .filter(({ row }) => row.createdAt !== null)
      .map(({ row }) => Number(row.createdAt) / 1000);
    if (stated.length === 0 && !this.#isComplete) return null;
    const firstSeen = firstSecond(this.#history.ofWallet(wallet));
    return (second - Math.min(...stated, firstSeen)) / DAY_SECONDS;
  }

  /** Whether all its trades are known: it began after the source, and was met in every market that its rows count. */
  isKnownSince(wallet: string, since: number): boolean {
    if (this.#isComplete) return true;
    const starts = this.#history.walletRows(wallet).flatMap(({ row }) => row.createdAt ?? []);
    const { counted, known } = this.#countedInRows(wallet);
    return starts.length > 0 && Math.min(...starts) >= since && known.size >= counted;
  }

  /** Whether no order to come, late by a day at most, can find it fresh. `now`: in seconds. */
  isPastFreshness(wallet: string, now: number): boolean {
    const { maxAgeDays, maxMarkets } = this.#rules.fresh;
    const orders = this.#history.ofWallet(wallet);
    const starts = this.#history.walletRows(wallet).flatMap(({ row }) => row.createdAt ?? []);
    const start = Math.min(...starts.map((ms) => ms / 1000), firstSecond(orders));
    if (now - DAY_SECONDS - start > maxAgeDays * DAY_SECONDS) return true;
    const met = marketsOf(orders).size;
    if (this.#countedInRows(wallet).counted > maxMarkets || met > 4 * maxMarkets) return true;
    return marketsOf(orders.filter(({ second }) => second <= now - DAY_SECONDS)).size > maxMarkets;
  }

  /** A row's count replaces the one so far when it is larger; markets first met after the last such row are added. */
  #markets(wallet: string, second: number): number | null {
    const rows = this.#history.walletRows(wallet).filter(({ row }) => row.marketsTraded !== null);
    if (rows.length === 0 && !this.#isComplete) return null;
    const { counted, known } = this.#countedInRows(wallet);
    const orders = this.#history.ofWallet(wallet);
    const metByThen = marketsOf(orders.filter((order) => order.second <= second));
    return counted + [...metByThen].filter((market) => !known.has(market)).length;
  }

  /** What the last row with a count made of it, and the markets that were met before. */
  #countedInRows(wallet: string): { readonly counted: number; readonly known: ReadonlySet<string> } {
    const rows = this.#history.walletRows(wallet).filter(({ row }) => row.marketsTraded !== null);
    const orders = this.#history.ofWallet(wallet);
    const metUpTo = (booking: number) => marketsOf(orders.filter(({ fills }) => bookingOf(fills) <= booking));
    let counted = 0;
    let known = new Set<string>();
    for (const { row, booking } of rows) {
      const met = metUpTo(booking);
      counted = Math.max(Number(row.marketsTraded), counted + met.size - known.size);
      known = met;
    }
    return { counted, known };
  }

  /** As the newest row says; what it leaves out stays as it was. */
  endsAt(marketId: string): number | null {
    return this.#history.marketRows(marketId).findLast(({ endsAt }) => endsAt !== null)?.endsAt ?? null;
  }

  /** USDC traded in the market within 24 hours; 0 when unknown. */
  volume(marketId: string, second: number): number {
    const row = this.#history.marketRows(marketId).findLast(({ volume24h }) => volume24h !== null);
    const stated = row?.volume24h ?? 0;
    if (!this.#isComplete) return stated;
    const hour = hourOf(second);
    const orders = this.#history.ofMarket(marketId);
    const hours = new Set(orders.map((order) => hourOf(order.second)));
    const seen = orders
      .filter((order) => hourOf(order.second) <= hour && hourOf(order.second) >= hour - 23)
      .filter((order) => !hours.has(hourOf(order.second) + 24) && !hours.has(hourOf(order.second) + 48));
    const taken = sum(seen.flatMap(({ fills }) => fills.map(({ usdc }) => Math.max(0, usdc))));
    const removed = this.#history
      .removedOf(marketId)
      .filter((fill) => seen.some((order) => hourOf(order.second) === hourOf(fill.second)));
    return Math.max(stated, (taken - usdcOf(removed)) / 1e6);
  }

  isMarketLeftOut(order: Pick<Order, 'marketId' | 'trade'>): boolean {
    const rows = this.#history.marketRows(order.marketId);
    const newest = rows.at(-1);
    const { title, slug } = this.#titled(order.marketId) ?? order.trade;
    const tags = rows.findLast((row) => (row.tags ?? []).length > 0)?.tags ?? [];
    return newest === undefined ? isLeftOut(title, slug, []) : isLeftOut(newest.question, newest.slug, tags);
  }

  /** The first of its trades with a title, else its first trade. */
  #titled(marketId: string): Trade | undefined {
    const orders = this.#history.ofMarket(marketId);
    for (const { fills } of orders) for (const { trade } of fills) if (trade.title !== '') return trade;
    return orders[0]?.trade;
  }

  words(order: Order): { title: string; slug: string; outcome: string; outcomeIndex: number } {
    const trade = spokesmanOf(order.fills);
    const rows = this.#history.marketRows(order.marketId);
    const row = rows.at(-1);
    const named = rows.findLast(({ slug }) => slug !== '') ?? this.#titled(order.marketId);
    const market =
      row === undefined ? this.#titled(order.marketId) : { title: row.question, slug: named?.slug };
    const tokens = rows.findLast(({ tokenIds }) => tokenIds.length > 0)?.tokenIds ?? [];
    const names = row?.outcomes ?? [];
    const sameName = names.filter((name) => name === trade.outcome);
    let outcomeIndex = trade.outcomeIndex;
    const position = positionIndex(order);
    if (tokens.includes(order.asset)) outcomeIndex = tokens.indexOf(order.asset);
    else if (position !== null) outcomeIndex = position;
    else if (trade.outcome !== '' && sameName.length === 1) outcomeIndex = names.indexOf(trade.outcome);
    const said = [names[outcomeIndex], trade.outcome];
    if (!tokens.includes(order.asset)) said.reverse();
    const byIds = outcomeIndex === 999 ? `token ${order.asset.slice(0, 6)}…` : `outcome ${outcomeIndex}`;
    const slug = firstOf(market?.slug, trade.slug);
    return {
      title: firstOf(market?.title, trade.title, slug, `market ${order.marketId.slice(0, 8)}…`),
      slug,
      outcome: firstOf(...said, byIds),
      outcomeIndex,
    };
  }

  /** Whether a buy of these fills counts: neither a settlement sweep nor in a market that is left out. */
  counts({ side, isLeftOut: leftOut, fills }: Pick<Order, 'side' | 'isLeftOut' | 'fills'>): boolean {
    const price = priceOf(fills);
    const { priceAtMost, priceAtLeast } = this.#rules.ignore;
    return side === ('BUY' satisfies Side) && !leftOut && price > priceAtMost && price < priceAtLeast;
  }

  buys(wallet: string, asset: string): readonly Order[] {
    return this.#history.ofPosition(wallet, asset).filter((order) => this.counts(order));
  }

  /** Shares bought less shares sold, as a part of the shares of the buys that count. */
  heldShare({ wallet, asset }: Order): number {
    const part = netShares(this.#history.ofPosition(wallet, asset)) / totalShares(this.buys(wallet, asset));
    return rounded(Math.min(1, Math.max(0, part)), 4);
  }

  isAccumulating({ wallet, asset, marketId }: Order): boolean {
    const { minBuys, minTotalUsdc, minBoughtToSold, maxHedge } = this.#rules.accumulator;
    const position = this.#history.ofPosition(wallet, asset);
    const buys = this.buys(wallet, asset);
    const total = totalUsdc(buys);
    const sold = totalUsdc(position.filter(({ side }) => side === 'SELL'));
    const orders = this.#history.ofWallet(wallet).filter((order) => order.marketId === marketId);
    const others = new Set(orders.map((order) => order.asset).filter((other) => other !== asset));
    const hedge = [...others]
      .map((other) => Math.max(0, netShares(this.#history.ofPosition(wallet, other))))
      .reduce((all, net) => all + net, 0);
    const net = netShares(position);
    return (
      buys.length >= minBuys &&
      total >= minTotalUsdc * 1e6 &&
      total >= minBoughtToSold * sold &&
      net > 0 &&
      hedge <= maxHedge * net
    );
  }
}

/** The first with words of the fills that were booked last. */
function spokesmanOf(fills: readonly Fill[]): Trade {
  const last = fills.filter(({ booking }) => booking === fills.at(-1)?.booking).map(({ trade }) => trade);
  return last.find(({ title, outcome }) => title !== '' && outcome !== '') ?? (last[0] as Trade);
}

/** The last byte of a position id of Protocol V2, which is otherwise the id of its market. */
function positionIndex({ asset, marketId }: Order): number | null {
  if (!/^0x[0-9a-f]{62}00$/.test(marketId) || !/^\d+$/.test(asset)) return null;
  const index = BigInt(asset) - BigInt(marketId);
  return index >= 0n && index < 256n ? Number(index) : null;
}

const firstOf = (...texts: (string | undefined)[]): string => texts.find((text) => text) ?? '';

/** The booking that made an order; later ones added to it. */
const bookingOf = (fills: readonly Fill[]): number => (fills[0] as Fill).booking;
const marketsOf = (orders: readonly Order[]): Set<string> => new Set(orders.map(({ marketId }) => marketId));
const firstSecond = (orders: readonly Order[]): number => Math.min(...orders.map(({ second }) => second));
export const hourOf = (second: number): number => Math.floor(second / 3600);
