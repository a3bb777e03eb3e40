import { rounded } from '../base/rounded.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { Market, Trade } from '../trades/trade.ts';
import type { ExitLevel, FoundExit } from './found-exit.ts';
import { type LruLinks, LruMap, unlinked } from './lru-map.ts';
import { MICROS, type Order, ordersOf, partOf } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { plainPart, type StatePart } from './state-chunks.ts';

/** What a wallet of a followed thread holds in its market, as far as trades show. In millionths; never below 0. */
export interface Member {
  readonly address: string;
  /** Shares of the thread's outcome. What is sold beyond them was not bought here. */
  shares: number;
  /** Their cost at the mean of all buys: a sale reduces it proportionally. */
  usdc: number;
  /** Shares of the other outcomes. */
  others: number;
}

/** A followed thread of alerts. Shares and USDC in millionths. */
interface Thread {
  readonly asset: string;
  /** Null for the thread of the clusters of the outcome. */
  readonly wallet: string | null;
  outcome: string;
  outcomeIndex: number;
  /** The second of the alert from which it is followed. */
  readonly at: EpochMs;
  /** The wallet, or all wallets of the clusters. */
  readonly members: Member[];
  /** The most that was held after a second. */
  peak: number;
  /** The lowest level at which an exit was found. */
  level: ExitLevel | null;
  /** Shares sold since then at any price, and what they had cost. */
  soldShares: number;
  soldUsdc: number;
  soldCost: number;
}

/** A market with followed threads. */
interface FollowedMarket extends LruLinks<FollowedMarket> {
  readonly id: string;
  /** Whether it has two outcomes: one share of each is worth 1 USDC whatever happens. */
  isBinary: boolean;
  threads: Thread[];
}

/** The thread of an alert. */
export interface FollowedSubject
  extends Pick<Thread, 'asset' | 'wallet' | 'at' | 'outcome' | 'outcomeIndex'>,
    Pick<FollowedMarket, 'isBinary'> {
  readonly marketId: string;
}

/** The market of a thread that orders of a second concern, and the wallet that placed the last order that could lower it. */
interface Touch {
  readonly market: FollowedMarket;
  readonly wallet: string;
}

/**
 * The positions of alerted wallets, from the alert to the settlement of the market, whatever else the detector forgets. Once it
 * holds `rules.memory.followed` threads and members, nothing is claimed about further threads.
 */
export class PositionBook {
  readonly #rules: DetectionRules;
  readonly #markets = new LruMap<FollowedMarket>({
    keyOf: ({ id }) => id,
    weightOf: ({ threads }) => threads.reduce((sum, { members }) => sum + 1 + members.length, 0),
  });
  readonly state: StatePart = plainPart(this.#markets);
  #found: readonly FoundExit[] = [];

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
    { marketId: id, isBinary, ...subject }: FollowedSubject,
    wallets: readonly string[],
    memberOf: (wallet: string) => Member | null,
  ): boolean {
    const market = this.#markets.get(id) ?? { id, isBinary, threads: [], ...unlinked<FollowedMarket>() };
    const { asset, wallet } = subject;
    const known = market.threads.find((thread) => thread.asset === asset && thread.wallet === wallet);
    if (known === undefined && this.size >= this.#rules.memory.followed) return false;
    const sums = { peak: 0, level: null, soldShares: 0, soldUsdc: 0, soldCost: 0 };
    const thread = known ?? { ...subject, members: [], ...sums };
    const added = wallets.filter((each) => memberIn(thread, each) === undefined).map(memberOf);
    const isKnown = added.every((member) => member !== null);
    // Its weight changes.
    this.#markets.delete(market);
    market.threads = market.threads.filter((each) => each !== thread);
    if (isKnown) {
      thread.outcome = subject.outcome;
      thread.outcomeIndex = subject.outcomeIndex;
      thread.members.push(...added);
      thread.peak = Math.max(thread.peak, heldIn(thread, market));
      market.threads.push(thread);
    }
    if (market.threads.length > 0) this.#markets.add(market);
    return isKnown;
  }

  /** Takes the orders of a second, and finds the exits by them once all are booked: those of wallets first, then those of clusters. */
  judge(orders: readonly Order[]): void {
    const touched = new Map<Thread, Touch>();
    for (const order of orders) this.#book(order, touched);
    if (touched.size === 0) return;
    const { at } = orders[0] as Order;
    const found = [...touched].flatMap(([thread, touch]) => this.#exitOf(thread, touch, at) ?? []);
    found.sort((a, b) => Number(a.isCluster) - Number(b.isCluster) || (a.key < b.key ? -1 : 1));
    this.#found = [...this.#found, ...found];
  }

  /** Undoes a booked fill: a removed buy lowers the peak as well, so that it is not taken for a sale. No exit is found by it. */
  remove(fill: Trade): void {
    const [order] = ordersOf([fill]) as [Order];
    const market = this.#markets.getAltered(fill.marketId);
    for (const thread of market?.threads ?? []) {
      const member = memberIn(thread, fill.wallet);
      if (member === undefined || market === undefined) continue;
      const before = heldIn(thread, market);
      bookOrder(thread, member, order, -1);
      const held = heldIn(thread, market);
      thread.peak = Math.max(held, thread.peak + Math.min(0, held - before));
    }
  }

  /** What was found since the last call, in order. */
  takeFound(): readonly FoundExit[] {
    const found = this.#found;
    if (found.length > 0) this.#found = [];
    return found;
  }

  /** A market's own row: it ends with its settlement. */
  learn({ id, outcomes, payouts }: Pick<Market, 'id' | 'outcomes' | 'payouts'>): void {
    const market = this.#markets.getAltered(id);
    if (market === undefined) return;
    if (payouts !== null) this.#markets.delete(market);
    market.isBinary = outcomes.length === 2;
  }

  #book(order: Order, touched: Map<Thread, Touch>): void {
    const { asset, side, marketId, wallet } = order.fill;
    const market = this.#markets.get(marketId);
    if (market === undefined) return;
    for (const thread of market.threads) {
      const member = memberIn(thread, wallet);
      if (member === undefined) continue;
      bookOrder(thread, member, order);
      this.#markets.alter(market);
      const mayLower = (side === 'SELL') === (asset === thread.asset);
      if (mayLower || !touched.has(thread)) touched.set(thread, { market, wallet });
    }
  }

  #exitOf(thread: Thread, { market, wallet }: Touch, at: EpochMs): FoundExit | null {
    const held = heldIn(thread, market);
    thread.peak = Math.max(thread.peak, held);
    const level = this.#levelOf(held, thread.peak);
    if (level === null || thread.level === 'out' || thread.level === level) return null;
    thread.level = level;
    const { asset, outcome, outcomeIndex, soldShares, soldUsdc, soldCost } = thread;
    const isCluster = thread.wallet === null;
    const isSold = soldShares > 0;
    return {
      key: `x:${isCluster ? 'c' : `w:${wallet}`}:${asset}:${level}`,
      level,
      isCluster,
      wallet,
      marketId: market.id,
      outcome,
      outcomeIndex,
      tradedAt: at,
      alertedAt: thread.at,
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

function memberIn({ members }: Thread, wallet: string): Member | undefined {
  return members.find(({ address }) => address === wallet);
}

/** Shares that count, of all members. In a market of two outcomes those that are paired with the other one do not. */
function heldIn({ members }: Thread, { isBinary }: FollowedMarket): number {
  return members.reduce(
    (sum, { shares, others }) => sum + (isBinary ? Math.max(0, shares - others) : shares),
    0,
  );
}

/** Books an order of a member in the market of the thread; with direction -1 a removed one is taken back. */
function bookOrder(thread: Thread, member: Member, order: Order, direction: 1 | -1 = 1): void {
  const { asset, side } = order.fill;
  if (asset !== thread.asset) {
    const change = side === 'BUY' ? order.shares : -order.shares;
    member.others = Math.max(0, member.others + direction * change);
  } else if (side === 'BUY') {
    member.shares = Math.max(0, member.shares + direction * order.shares);
    member.usdc = member.shares === 0 ? 0 : Math.max(0, member.usdc + direction * order.usdc);
  } else bookSale(thread, member, order, direction);
}

/**
 * A sale takes at most the shares that are there, and their part of the cost. The shares of a removed one come back at the mean
 * cost of those that are left, or else for what they brought.
 */
function bookSale(thread: Thread, member: Member, order: Order, direction: 1 | -1): void {
  const shares = direction === 1 ? Math.min(order.shares, member.shares) : order.shares;
  if (shares === 0) return;
  const usdc = partOf(order.usdc, shares, order.shares);
  const cost = member.shares === 0 ? usdc : partOf(member.usdc, shares, member.shares);
  member.shares -= direction * shares;
  member.usdc -= direction * cost;
  thread.soldShares = Math.max(0, thread.soldShares + direction * shares);
  thread.soldUsdc = Math.max(0, thread.soldUsdc + direction * usdc);
  thread.soldCost = Math.max(0, thread.soldCost + direction * cost);
}
