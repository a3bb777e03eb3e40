import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Facts } from './facts.ts';
import {
  type Fill,
  type History,
  negated,
  type Order,
  orderOfRemoved,
  sharesOf,
  totalUsdc,
} from './history.ts';

export interface Cluster {
  readonly orders: readonly Order[];
  readonly members: readonly string[];
  readonly total: number;
  readonly last: Order;
}

export class Clusters {
  readonly #history: History;
  readonly #facts: Facts;
  readonly #rules: DetectionRules['cluster'];

  constructor(history: History, facts: Facts, rules: DetectionRules) {
    this.#history = history;
    this.#facts = facts;
    this.#rules = rules.cluster;
  }

  /** Facts are unknown: the order enters once they show that its wallet is fresh, if that is soon. */
  keepEarly(order: Order): void {
    for (const earlier of this.#early(order))
      if (earlier.second < order.second - this.#windowSeconds) earlier.isEarly = false;
    order.isEarly = true;
  }

  /** Facts are known. The order of a fresh wallet enters, and with it those that waited for the facts. */
  enter(order: Order, isFresh: boolean): void {
    for (const entering of [...this.#early(order), order]) {
      entering.isEarly = false;
      if (isFresh) entering.inWindow = [...entering.fills];
    }
  }

  leave(order: Order): void {
    order.inWindow = [];
    order.isEarly = false;
  }

  remove(orders: readonly Order[], fill: Fill): void {
    const order = orderOfRemoved(
      orders.filter(({ inWindow }) => inWindow.length > 0),
      fill,
      ({ inWindow }) => inWindow,
    );
    if (order === undefined) return;
    order.inWindow = [...order.inWindow, negated(fill)];
    if (sharesOf(order.inWindow) === 0) order.inWindow = [];
  }

  #early({ wallet, asset }: Order): readonly Order[] {
    return this.#history.ofPosition(wallet, asset).filter(({ isEarly }) => isEarly);
  }

  /**
   * The cluster that orders of a second complete at their own second, else at the first later one, which was judged without
   * them. `closed`: orders of fresh wallets in one outcome and second, closed together, by address.
   */
  completedBy(closed: readonly Order[]): Cluster | null {
    const { asset, second } = closed[0] as Order;
    for (const at of [second, ...this.#secondsAfter(asset, second)]) {
      const cluster = this.#at(asset, at);
      const last = closed.findLast(({ wallet }) => cluster?.members.includes(wallet));
      if (cluster !== null && last !== undefined) return { ...cluster, last };
    }
    return null;
  }

  /** What the members in the window of a second bought, as far as is known now; 0 when it is no cluster. */
  totalAt(asset: string, second: number): number {
    return this.#at(asset, second)?.total ?? 0;
  }

  #at(asset: string, second: number): Omit<Cluster, 'last'> | null {
    const window = this.#window(asset, second);
    const ofWallet = (wallet: string) => window.filter((order) => order.wallet === wallet);
    const inSequence = window.toSorted((a, b) => a.second - b.second || (a.wallet < b.wallet ? -1 : 1));
    const members = [...new Set(inSequence.map(({ wallet }) => wallet))].filter(
      (wallet) => totalUsdc(ofWallet(wallet)) >= this.#rules.minWalletUsdc * 1e6,
    );
    const orders = window.filter(({ wallet }) => members.includes(wallet));
    const total = totalUsdc(orders);
    const { minWallets, minTotalUsdc } = this.#rules;
    return members.length < minWallets || total < minTotalUsdc * 1e6 ? null : { orders, members, total };
  }

  /** Seconds after the given one whose window holds it, ascending. */
  #secondsAfter(asset: string, second: number): readonly number[] {
    const later = this.#window(asset, second + this.#windowSeconds)
      .map((order) => order.second)
      .filter((at) => at > second);
    return [...new Set(later)].toSorted((a, b) => a - b);
  }

  #window(asset: string, second: number): readonly Order[] {
    return this.#history
      .ofAsset(asset)
      .filter((order) => order.second <= second && order.second >= second - this.#windowSeconds)
      .filter((order) => order.inWindow.length > 0 && this.#facts.counts(order))
      .map((order) => ({ ...order, fills: [...order.inWindow] }));
  }

  get #windowSeconds(): number {
    return this.#rules.windowMinutes * 60;
  }
}
