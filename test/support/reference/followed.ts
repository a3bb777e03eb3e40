import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Market, Trade } from '../../../src/core/trades/trade.ts';
import type { Cluster } from './clusters.ts';
import { Exits } from './exits.ts';
import type { Facts } from './facts.ts';
import {
  type Fill,
  type History,
  netShares,
  type Order,
  sharesOf,
  totalShares,
  totalUsdc,
  usdcOf,
} from './history.ts';

/** Which positions are known, and the exits from them. */
export class Followed {
  readonly exits: FoundExit[] = [];
  readonly #history: History;
  readonly #facts: Facts;
  readonly #followed: Exits;
  readonly #past = new Set<string>();
  #since = Number.NEGATIVE_INFINITY;
  #lookedAtAll = Number.NEGATIVE_INFINITY;

  constructor(history: History, facts: Facts, rules: DetectionRules['exits']) {
    this.#history = history;
    this.#facts = facts;
    this.#followed = new Exits(rules);
  }

  advance(before: number, now: number): void {
    if (before === Number.NEGATIVE_INFINITY) this.#since = now;
    const part = (time: number) => Math.floor(time / (4 * 3_600_000));
    if (part(before) !== part(now)) this.#lookedAtAll = now;
  }

  /** Whether the wallet was past freshness when it was last looked at. It stays so. All wallets are looked at every four hours. */
  isPast(wallet: string, lookedAt = this.#lookedAtAll): boolean {
    if (!this.#past.has(wallet) && this.#facts.isPastFreshness(wallet, lookedAt / 1000))
      this.#past.add(wallet);
    return this.#past.has(wallet);
  }

  /** Looks at the wallets of orders. */
  look(orders: readonly Order[], now: number): void {
    for (const { wallet } of orders) this.isPast(wallet, now);
  }

  learn(market: Market): void {
    this.#followed.learn(market);
  }

  remove({ trade: { wallet, asset, side, marketId }, shares, usdc, second }: Fill): void {
    this.#followed.remove(marketId, { wallet, asset, side, shares, usdc, second });
  }

  judge(second: number, trades: readonly Trade[], fillOf: (trade: Trade) => Fill): void {
    const orders = [
      ...Map.groupBy(trades, ({ wallet, asset, side }) => `${wallet}:${asset}:${side}`).values(),
    ].map((fills) => {
      const { wallet, marketId, asset, side } = fills[0] as Trade;
      const booked = fills.map(fillOf);
      return { marketId, wallet, asset, side, second, shares: sharesOf(booked), usdc: usdcOf(booked) };
    });
    const sorted = orders.toSorted(
      (a, b) => compare(a.wallet, b.wallet) || compare(a.asset, b.asset) || compare(a.side, b.side),
    );
    this.exits.push(
      ...this.#followed.judge(
        second,
        Map.groupBy(sorted, ({ marketId }) => marketId),
      ),
    );
  }

  /** Follows the thread of an alert; false when not all trades of its wallets are known. */
  follow({ wallet, marketId, asset, second, ...order }: Order, cluster: Cluster | null): boolean {
    const names = cluster?.members ?? [wallet];
    const members = new Map(names.map((name) => [name, this.#heldBy(name, marketId)]));
    const { outcome, outcomeIndex } = this.#facts.words({ wallet, marketId, asset, second, ...order });
    const thread = { asset, second, outcome, outcomeIndex, wallet: cluster === null ? wallet : null };
    const isBinary = this.#history.marketRows(marketId).at(-1)?.outcomes.length === 2;
    return this.#followed.follow(marketId, { ...thread, members }, isBinary);
  }

  #heldBy(wallet: string, marketId: string): { asset: string; shares: number; usdc: number }[] | null {
    if (this.isPast(wallet) || !this.#facts.isKnownSince(wallet, this.#since)) return null;
    const orders = this.#history.ofWallet(wallet).filter((order) => order.marketId === marketId);
    return [...new Set(orders.map(({ asset }) => asset))].map((asset) => {
      const shares = Math.max(0, netShares(this.#history.ofPosition(wallet, asset)));
      const buys = this.#facts.buys(wallet, asset);
      const bought = totalShares(buys);
      return { asset, shares, usdc: bought === 0 ? 0 : Math.round((totalUsdc(buys) * shares) / bought) };
    });
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
