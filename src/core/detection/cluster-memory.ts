import { type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import { LATE_LIMIT_MS } from './freshness.ts';
import { type LruLinks, LruMap, unlinked } from './lru-map.ts';
import { amountWithout, findOrderOf, MICROS, type Order } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { plainPart, type StatePart } from './state-chunks.ts';

/** One buy order by a wallet that was fresh at that moment. Amounts in millionths. */
export interface FreshBuy {
  readonly wallet: string;
  readonly at: EpochMs;
  readonly usdc: number;
  readonly shares: number;
}

/** The fresh wallets that bought one outcome within the window, each above the floor. Amounts in millionths. */
export interface WalletCluster {
  /** In the order of their first buy in the window; within one second, by address. */
  readonly wallets: readonly string[];
  readonly usdc: number;
  readonly shares: number;
  /** Orders of these wallets in the window. */
  readonly orderCount: number;
}

interface Window extends LruLinks<Window> {
  readonly key: string;
  /** Ascending by time, then by wallet. */
  buys: FreshBuy[];
  lastAlert: { readonly at: EpochMs; readonly usdc: number } | null;
}

/** Remembers the buys of fresh wallets by outcome, long enough to judge late trades. Windows are in the trades' time. */
export class ClusterMemory {
  readonly #rules: DetectionRules;
  readonly #windowMs: number;
  readonly #windows = new LruMap<Window>({ keyOf: ({ key }) => key });
  readonly state: StatePart = plainPart(this.#windows);

  constructor(rules: DetectionRules) {
    this.#rules = rules;
    this.#windowMs = rules.cluster.windowMinutes * MINUTE_MS;
  }

  get size(): number {
    return this.#windows.size;
  }

  get evicted(): number {
    return this.#windows.evicted[0] ?? 0;
  }

  /** Adds or replaces a buy: a wallet has one buy order per outcome and second. */
  put(outcomeKey: string, buy: FreshBuy): void {
    const { buys } = this.#window(outcomeKey);
    putByTime(buys, buy);
    if (buys.length > this.#rules.memory.buysPerCluster) buys.shift();
  }

  /** Removes a buy that no longer counts. */
  remove(outcomeKey: string, { wallet, at }: Pick<FreshBuy, 'wallet' | 'at'>): void {
    const window = this.#windows.get(outcomeKey);
    const index = window?.buys.findIndex((buy) => buy.at === at && buy.wallet === wallet) ?? -1;
    if (window === undefined || index < 0) return;
    this.#windows.touch(window);
    window.buys.splice(index, 1);
  }

  /** Subtracts a removed fill from the wallet's buy. */
  reduce(outcomeKey: string, wallet: string, removed: Order): void {
    const window = this.#windows.get(outcomeKey);
    const own = window?.buys.filter((buy) => buy.wallet === wallet) ?? [];
    const held = findOrderOf(own, removed);
    if (window === undefined || held === undefined) return;
    this.#windows.touch(window);
    reduceBuy(window.buys, held, removed);
  }

  /**
   * The cluster that the buys of one second complete or extend, when it warrants an alert; null otherwise. `buyers`: the
   * wallets with new buys in that second. A second leads to at most one cluster per outcome.
   */
  judge(outcomeKey: string, at: EpochMs, buyers: readonly string[]): WalletCluster | null {
    const window = this.#windows.get(outcomeKey);
    if (window === undefined) return null;
    const { buys } = window;
    this.#windows.touch(window);
    this.#raiseLastTotal(window, at);
    const found = this.#clusterAt(buys, at, buyers) ?? this.#laterCluster(buys, at, buyers);
    const { lastAlert } = window;
    if (found === null || !this.#saysMore(lastAlert, at, found)) return null;
    window.lastAlert = noted(lastAlert, { at, usdc: found.usdc });
    return found;
  }

  /** Drops buys that no later trade can need. */
  sweep(now: EpochMs): void {
    const windows = this.#windows;
    const oldest = now - LATE_LIMIT_MS - this.#windowMs;
    windows.forEach((window) => {
      if (forgetBuys(window, oldest)) windows.alter(window);
      if (window.buys.length === 0 && window.lastAlert === null) windows.delete(window);
    });
  }

  /** The window of the outcome, the newest from now on. */
  #window(key: string): Window {
    const windows = this.#windows;
    const known = windows.get(key);
    if (known !== undefined) {
      windows.touch(known);
      return known;
    }
    if (windows.size >= this.#rules.memory.clusters) windows.evict();
    const window = { key, buys: [], lastAlert: null, ...unlinked<Window>() };
    windows.add(window);
    return window;
  }

  /** The cluster of the window that ends at a second; null unless one of the buyers belongs to it. */
  #clusterAt(buys: readonly FreshBuy[], at: EpochMs, buyers: readonly string[] | null): WalletCluster | null {
    const { minWallets, minWalletUsdc, minTotalUsdc } = this.#rules.cluster;
    const inWindow = inTime(buys, at - this.#windowMs, at);
    if (inWindow.length < minWallets) return null;
    const usdcByWallet = new Map<string, number>();
    for (const buy of inWindow) usdcByWallet.set(buy.wallet, (usdcByWallet.get(buy.wallet) ?? 0) + buy.usdc);
    const isMember = (address: string) => (usdcByWallet.get(address) ?? 0) >= minWalletUsdc * MICROS;
    if (buyers?.some(isMember) === false) return null;
    const wallets = [...usdcByWallet.keys()].filter(isMember);
    if (wallets.length < minWallets) return null;
    const theirs = inWindow.filter((buy) => isMember(buy.wallet));
    const usdc = sum(theirs, (buy) => buy.usdc);
    if (usdc < minTotalUsdc * MICROS) return null;
    return { wallets, usdc, shares: sum(theirs, (buy) => buy.shares), orderCount: theirs.length };
  }

  /** The first cluster that late buys complete at a later buy, which had been judged without them. */
  #laterCluster(buys: readonly FreshBuy[], at: EpochMs, buyers: readonly string[]): WalletCluster | null {
    if ((buys.at(-1)?.at ?? 0) <= at) return null;
    const near = inTime(buys, at - this.#windowMs, at + this.#windowMs);
    if (!this.#mayBelong(near, buyers) || countWallets(near) < this.#rules.cluster.minWallets) return null;
    for (const buy of near) {
      const found = buy.at <= at ? null : this.#clusterAt(near, buy.at, buyers);
      if (found !== null) return found;
    }
    return null;
  }

  /** Whether one of the buyers bought enough in that time to be a member of a window in it. */
  #mayBelong(near: readonly FreshBuy[], buyers: readonly string[]): boolean {
    const least = this.#rules.cluster.minWalletUsdc * MICROS;
    return buyers.some((wallet) => sum(near, (buy) => (buy.wallet === wallet ? buy.usdc : 0)) >= least);
  }

  /** The total of the last alert becomes what it would have been if this second's buys had arrived in time. */
  #raiseLastTotal(window: Window, at: EpochMs): void {
    const { lastAlert } = window;
    if (lastAlert === null || lastAlert.at < at || lastAlert.at - at > this.#windowMs) return;
    const whole = this.#clusterAt(window.buys, lastAlert.at, null);
    if (whole !== null && whole.usdc > lastAlert.usdc)
      window.lastAlert = { at: lastAlert.at, usdc: whole.usdc };
  }

  #saysMore(last: Window['lastAlert'], at: EpochMs, { usdc }: WalletCluster): boolean {
    return last === null || (last.at !== at && usdc >= this.#rules.repeat.minGrowth * last.usdc);
  }
}

function reduceBuy(buys: FreshBuy[], held: FreshBuy, removed: Pick<Order, 'usdc' | 'shares'>): void {
  const left = { ...held, ...amountWithout(held, removed) };
  buys.splice(buys.indexOf(held), 1, ...(left.shares > 0 ? [left] : []));
}

/** Drops buys before the moment. False when there are none. */
function forgetBuys(window: Window, before: EpochMs): boolean {
  const firstKept = window.buys.findIndex((buy) => buy.at >= before);
  if (firstKept === 0 || window.buys.length === 0) return false;
  window.buys = firstKept < 0 ? [] : window.buys.slice(firstKept);
  return true;
}

/** Inserts a buy by time; within a second by address, so that the order of arrival does not matter. */
function putByTime(buys: FreshBuy[], buy: FreshBuy): void {
  let index = buys.length;
  while (index > 0 && isBefore(buy, buys[index - 1] as FreshBuy)) index -= 1;
  const before = buys[index - 1];
  const isKnown = before?.at === buy.at && before.wallet === buy.wallet;
  if (!isKnown) buys.splice(index, 0, buy);
  // An order only grows: a smaller one is a late piece of an order that the position has forgotten.
  else if (buy.usdc >= before.usdc) buys[index - 1] = buy;
}

function isBefore(buy: FreshBuy, other: FreshBuy): boolean {
  return buy.at < other.at || (buy.at === other.at && buy.wallet < other.wallet);
}

/** Buys of a time range, both ends included; searched from the newest. */
function inTime(buys: readonly FreshBuy[], from: EpochMs, to: EpochMs): readonly FreshBuy[] {
  let end = buys.length;
  while (end > 0 && (buys[end - 1] as FreshBuy).at > to) end -= 1;
  let start = end;
  while (start > 0 && (buys[start - 1] as FreshBuy).at >= from) start -= 1;
  return buys.slice(start, end);
}

function countWallets(buys: readonly FreshBuy[]): number {
  return new Set(buys.map(({ wallet }) => wallet)).size;
}

/** The measure that the next alert has to exceed never falls. */
function noted(last: Window['lastAlert'], alert: NonNullable<Window['lastAlert']>): Window['lastAlert'] {
  if (last === null) return alert;
  return { at: Math.max(last.at, alert.at), usdc: Math.max(last.usdc, alert.usdc) };
}

function sum(buys: readonly FreshBuy[], amountOf: (buy: FreshBuy) => number): number {
  return buys.reduce((total, buy) => total + amountOf(buy), 0);
}
