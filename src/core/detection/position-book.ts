import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Market, Trade } from '../trades/trade.ts';
import {
  bookOrder,
  type FollowedMarket,
  type FollowedSubject,
  type FollowedThread,
  followedMarket,
  heldBy,
  heldIn,
  type Member,
  newThread,
  type PlainFollowed,
  plainFollowed,
  restoredFollowed,
  threadName,
} from './followed-market.ts';
import type { ExitLevel, FoundExit } from './found-exit.ts';
import { LruMap } from './lru-map.ts';
import { MICROS, type Order, ordersOf } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { LruPart, type StatePart, valuePart } from './state-chunks.ts';

/** The market of a thread that orders of a second concern, and the wallet that placed the last order that could lower it. */
interface Touch {
  readonly market: FollowedMarket;
  readonly address: string;
}

/**
 * The positions of alerted wallets, from the alert to the settlement of the market, whatever else the detector forgets. Once it
 * holds `rules.memory.followed` threads and members, nothing is claimed about further threads.
 */
export class PositionBook {
  readonly #rules: DetectionRules;
  readonly #markets = new LruMap<FollowedMarket>({ keyOf: ({ id }) => id, weightOf });
  readonly state: StatePart = new LruPart<FollowedMarket, PlainFollowed>(this.#markets, {
    toPlain: plainFollowed,
    fromPlain: restoredFollowed,
  });
  readonly since: StatePart = valuePart<EpochMs | null>(
    () => this.completeSince,
    (since) => {
      this.completeSince = since;
    },
  );
  /** Since when all trades are known, where the source is not complete: the time of the first row; null before it. */
  completeSince: EpochMs | null = null;
  #found: FoundExit[] = [];

  constructor(rules: DetectionRules) {
    this.#rules = rules;
  }

  /** Number of threads and of their members. */
  get size(): number {
    return this.#markets.weight;
  }

  /**
   * Follows the thread of an alert from now on, with its new members. `memberOf`: what a wallet holds; null where its trades are
   * not all known. False when nothing can be claimed about the position: the thread is not followed then.
   */
  follow(
    subject: FollowedSubject,
    addresses: readonly string[],
    memberOf: (address: string) => Member | null,
  ): boolean {
    const { marketId: id, isBinary, outcome, outcomeIndex } = subject;
    const market = this.#markets.get(id) ?? followedMarket({ id, isBinary });
    const name = threadName(subject);
    const known = market.threads.get(name);
    if (known === undefined && this.size >= this.#rules.memory.followed) return false;
    // Its weight changes.
    this.#markets.delete(market);
    const thread = known ?? newThread(subject);
    const isKnown = addMembers(thread, addresses, memberOf);
    if (isKnown) {
      Object.assign(thread, { outcome, outcomeIndex } satisfies Partial<FollowedThread>);
      thread.peak = Math.max(thread.peak, heldIn(thread, market));
      market.threads.set(name, thread);
    } else market.threads.delete(name);
    if (market.threads.size > 0) this.#markets.add(market);
    return isKnown;
  }

  /** Takes the orders of a second, and finds the exits by them once all are booked: those of wallets first, then those of clusters. */
  judge(orders: readonly Order[]): void {
    const touched = new Map<FollowedThread, Touch>();
    for (const order of orders) this.#book(order, touched);
    if (touched.size === 0) return;
    const { at } = orders[0] as Order;
    const found = [...touched].flatMap(([thread, touch]) => this.#exitOf(thread, touch, at) ?? []);
    found.sort((a, b) => Number(a.isCluster) - Number(b.isCluster) || (a.key < b.key ? -1 : 1));
    this.#found.push(...found);
  }

  /** Undoes a booked fill: a removed buy lowers the peak as well, so that it is not taken for a sale. No exit is found by it. */
  remove(fill: Trade): void {
    const [order] = ordersOf([fill]) as [Order];
    const market = this.#markets.get(fill.marketId);
    if (market === undefined) return;
    for (const thread of market.threads.values()) {
      const member = thread.members.get(fill.wallet);
      if (member === undefined) continue;
      const before = heldBy(member, market.isBinary);
      bookOrder(thread, member, order, -1);
      const change = heldBy(member, market.isBinary) - before;
      thread.peak = Math.max(heldIn(thread, market), thread.peak + Math.min(0, change));
      this.#markets.alter(market);
    }
  }

  /** What was found since the last call, in order. */
  takeFound(): readonly FoundExit[] {
    if (this.#found.length === 0) return [];
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** A market's own row: it ends with its settlement. */
  learn({ id, outcomes, payouts }: Pick<Market, 'id' | 'outcomes' | 'payouts'>): void {
    const market = this.#markets.getAltered(id);
    if (market === undefined) return;
    if (payouts !== null) this.#markets.delete(market);
    market.isBinary = outcomes.length === 2;
  }

  #book(order: Order, touched: Map<FollowedThread, Touch>): void {
    const { asset, side, marketId, wallet: address } = order.fill;
    const market = this.#markets.get(marketId);
    if (market === undefined) return;
    for (const thread of market.threads.values()) {
      const member = thread.members.get(address);
      if (member === undefined) continue;
      bookOrder(thread, member, order);
      this.#markets.alter(market);
      const mayLower = (side === 'SELL') === (asset === thread.asset);
      if (mayLower || !touched.has(thread)) touched.set(thread, { market, address });
    }
  }

  #exitOf(thread: FollowedThread, { market, address }: Touch, at: EpochMs): FoundExit | null {
    const held = heldIn(thread, market);
    thread.peak = Math.max(thread.peak, held);
    const level = this.#levelOf(held, thread.peak);
    if (level === null || thread.level === 'out' || thread.level === level) return null;
    thread.level = level;
    const { soldShares, soldUsdc, soldCost } = thread;
    const isSold = soldShares > 0;
    return {
      key: `x:${threadName(thread)}:${level}`,
      level,
      isCluster: thread.wallet === null,
      wallet: address,
      marketId: market.id,
      outcome: thread.outcome,
      outcomeIndex: thread.outcomeIndex,
      tradedAt: at,
      alertedAt: thread.firstAt,
      heldShares: held / MICROS,
      peakShares: thread.peak / MICROS,
      soldShares: soldShares / MICROS,
      salePrice: isSold ? rounded(soldUsdc / soldShares, 6) : null,
      profitUsdc: isSold ? rounded((soldUsdc - soldCost) / MICROS, 2) : null,
    };
  }

  #levelOf(held: number, peak: number): ExitLevel | null {
    const { out, half } = this.#rules.exits;
    if (peak === 0 || held > half * peak) return null;
    return held > out * peak ? 'half' : 'out';
  }
}

/** Adds those that the thread lacks, with what they hold already; false, and none is added, where one of them is not known. */
function addMembers(
  { members }: FollowedThread,
  addresses: readonly string[],
  memberOf: (address: string) => Member | null,
): boolean {
  const added = new Map<string, Member>();
  for (const address of addresses) {
    if (members.has(address)) continue;
    const member = memberOf(address);
    if (member === null) return false;
    added.set(address, member);
  }
  for (const [address, member] of added) members.set(address, member);
  return true;
}

function weightOf({ threads }: FollowedMarket): number {
  let weight = threads.size;
  for (const { members } of threads.values()) weight += members.size;
  return weight;
}
