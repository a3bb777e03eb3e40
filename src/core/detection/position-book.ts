import type { EpochMs } from '../base/time/duration.ts';
import type { Market, Trade } from '../trades/trade.ts';
import { kindOf, salesOf } from './exit-sales.ts';
import {
  buy,
  type FollowedMarket,
  type FollowedSubject,
  type FollowedThread,
  type FollowedWallet,
  followedMarket,
  type HeldOutcome,
  heldAndPeak,
  heldBy,
  join,
  type KnownExit,
  lose,
  newThread,
  outcomeOf,
  type PlainFollowed,
  pairsIn,
  partOf,
  peakOf,
  plainFollowed,
  restoredFollowed,
  shift,
  takeBackBuy,
  threadName,
  walletsOf,
} from './followed-market.ts';
import { type ExitLevel, type FoundExit, sameSale } from './found-exit.ts';
import { LruMap } from './lru-map.ts';
import { MICROS, meanPrice, type Order, ordersOf } from './order.ts';
import type { DetectionRules } from './rules.ts';
import { LruPart, type StatePart, valuePart } from './state-chunks.ts';

/** A change of a thread that is not judged yet: the market, and the wallet that placed the order. */
interface Touch {
  readonly market: FollowedMarket;
  readonly address: string;
}

/**
 * The positions of alerted wallets, from the alert to the settlement of the market, whatever else the detector forgets. Holds at
 * most `rules.memory.followed` threads and wallets: nothing is claimed about further ones.
 */
export class PositionBook {
  readonly #rules: DetectionRules;
  readonly #markets = new LruMap<FollowedMarket>({
    keyOf: ({ id }) => id,
    weightOf: ({ wallets, threads }) => wallets.size + threads.size,
  });
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
  #touched = new Map<FollowedThread, Touch>();
  /** Goes up with each judged second and each removed fill. */
  #round = 1;
  #found: FoundExit[] = [];

  constructor(rules: DetectionRules) {
    this.#rules = rules;
  }

  /** Number of threads and wallets; wallets count once per market. */
  get size(): number {
    return this.#markets.weight;
  }

  /**
   * Follows the thread of an alert from now on, with its new members. `heldOf`: what a wallet holds in the market; null where its
   * trades are not all known. False when nothing can be claimed about the position.
   */
  follow(
    subject: FollowedSubject,
    addresses: readonly string[],
    heldOf: (address: string) => readonly HeldOutcome[] | null,
  ): boolean {
    const { marketId: id, isBinary, endsAt } = subject;
    const market = this.#markets.get(id) ?? followedMarket({ id, isBinary, endsAt });
    const name = threadName(subject);
    const known = market.threads.get(name);
    const wallets = known?.isLost === true ? null : walletsOf(market, addresses, heldOf);
    const added = wallets?.filter(({ address }) => !market.wallets.has(address)) ?? [];
    const growth = added.length + (known === undefined ? 1 : 0);
    const hasRoom = this.size + growth <= this.#rules.memory.followed;
    if (!hasRoom && known === undefined) return false;
    if (this.#markets.has(id)) this.#markets.alter(market);
    else this.#markets.add(market);
    const thread = known ?? newThread(subject);
    if (known === undefined) market.threads.set(name, thread);
    if (wallets === null || !hasRoom) lose(thread);
    else for (const wallet of added) market.wallets.set(wallet.address, wallet);
    this.#markets.grow(market, thread.isLost ? growth - added.length : growth);
    if (thread.isLost || wallets === null) return false;
    join(market, thread, subject, wallets);
    return true;
  }

  #book(order: Order): void {
    const { fill, at } = order;
    const market = this.#markets.get(fill.marketId);
    const wallet = market?.wallets.get(fill.wallet);
    if (market === undefined || wallet === undefined) return;
    const before = this.#heldBefore(market, wallet);
    const outcome = outcomeOf(wallet, fill.asset);
    if (fill.side === 'BUY') buy(outcome, order);
    else this.#sell(wallet.threads, outcome, order);
    this.#touch(market, wallet, at, before);
  }

  /** Undoes a booked fill. An exit may turn out wrong; none is found by it. */
  remove(fill: Trade): void {
    const [order] = ordersOf([fill]) as [Order];
    const market = this.#markets.get(fill.marketId);
    const wallet = market?.wallets.get(fill.wallet);
    if (market === undefined || wallet === undefined) return;
    const outcome = outcomeOf(wallet, fill.asset);
    const before = this.#heldBefore(market, wallet);
    if (fill.side === 'BUY') takeBackBuy(outcome, order);
    else this.#takeBackSale(wallet.threads, outcome, order);
    this.#touch(market, wallet, order.at, before);
    this.#round += 1;
    this.#take([...this.#touched].flatMap((touched) => this.#corrections(...touched, order.at)));
  }

  /** Takes the orders of a second, and finds the exits by them once all are booked. */
  judge(orders: readonly Order[]): void {
    for (const order of orders) this.#book(order);
    this.#round += 1;
    if (this.#touched.size === 0) return;
    const { at } = orders[0] as Order;
    const found: FoundExit[] = [];
    for (const [thread, touch] of this.#touched) {
      found.push(...this.#corrections(thread, touch, at));
      const exit = this.#exitOf(thread, touch, at);
      if (exit !== null) found.push(exit);
    }
    this.#take(found);
  }

  /** What was found since the last call, in order. */
  takeFound(): readonly FoundExit[] {
    if (this.#found.length === 0) return [];
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** A market's own row: it ends with its settlement. */
  learn({ id, outcomes, endsAt, payouts }: Pick<Market, 'id' | 'outcomes' | 'endsAt' | 'payouts'>): void {
    const market = this.#markets.getAltered(id);
    if (market === undefined) return;
    if (payouts !== null) this.#markets.delete(market);
    market.isBinary = outcomes.length === 2;
    market.endsAt = endsAt ?? market.endsAt;
  }

  /** What the wallet holds for each of its threads. What it held after the previous second may have been its peak. */
  #heldBefore({ isBinary }: FollowedMarket, wallet: FollowedWallet): readonly number[] {
    if (wallet.changedIn !== this.#round) {
      wallet.changedIn = this.#round;
      for (const outcome of wallet.outcomes)
        outcome.peak = Math.max(outcome.peak, heldBy(wallet, outcome.asset, isBinary));
    }
    return wallet.threads.map(({ asset }) => heldBy(wallet, asset, isBinary));
  }

  /** Only what lowers a thread, or is late, can lead to an exit or a correction. */
  #touch(market: FollowedMarket, wallet: FollowedWallet, at: EpochMs, before: readonly number[]): void {
    for (const [index, thread] of wallet.threads.entries()) {
      const change = heldBy(wallet, thread.asset, market.isBinary) - (before[index] as number);
      if (shift(thread, at, change) || change < 0)
        this.#touched.set(thread, { market, address: wallet.address });
    }
    this.#markets.alter(market);
  }

  #sell(threads: readonly FollowedThread[], outcome: HeldOutcome, order: Order): void {
    const shares = Math.min(order.shares, outcome.shares);
    if (shares === 0) return;
    const cost = partOf(outcome.usdc, shares, outcome.shares);
    outcome.shares -= shares;
    outcome.usdc -= cost;
    const sale = { shares, cost, usdc: partOf(order.usdc, shares, order.shares) };
    this.#count(threads, outcome.asset, order, sale);
  }

  #takeBackSale(threads: readonly FollowedThread[], outcome: HeldOutcome, order: Order): void {
    const { shares, usdc } = order;
    const same = threads.filter(({ asset }) => asset === outcome.asset);
    const { soldShares = 0, soldCost = 0 } = same.find((thread) => thread.wallet !== null) ?? same[0] ?? {};
    const cost = soldShares === 0 ? 0 : partOf(soldCost, shares, soldShares);
    outcome.shares += shares;
    outcome.usdc += cost;
    this.#count(threads, outcome.asset, order, { shares: -shares, usdc: -usdc, cost: -cost });
  }

  /** Adds a sale to the sums of the threads that were alerted before it. */
  #count(
    threads: readonly FollowedThread[],
    asset: string,
    order: Order,
    { shares, usdc, cost }: { readonly shares: number; readonly usdc: number; readonly cost: number },
  ): void {
    for (const thread of threads) {
      if (thread.asset !== asset || order.at < thread.firstAt) continue;
      thread.soldShares = Math.max(0, thread.soldShares + shares);
      thread.soldUsdc = Math.max(0, thread.soldUsdc + usdc);
      thread.soldCost = Math.max(0, thread.soldCost + cost);
      if (meanPrice(order) >= this.#rules.exits.cashedOutPrice)
        thread.cashedShares = Math.max(0, thread.cashedShares + shares);
    }
  }

  /** Exits that late or removed fills have refuted. */
  #corrections(thread: FollowedThread, touch: Touch, at: EpochMs): readonly FoundExit[] {
    const from = thread.curve[0]?.at ?? at;
    const open = thread.exits.filter((exit) => !exit.isCorrected && exit.at >= from);
    const refuted = open.filter((exit) => !this.#isBelow(heldAndPeak(thread, exit.at), exit.level));
    return refuted.map((exit) => {
      exit.isCorrected = true;
      const found = this.#describe(thread, touch, { ...exit, ...heldAndPeak(thread, exit.at), at });
      return { ...found, key: `${exit.key}:corrected`, corrects: exit.key };
    });
  }

  /** Those of wallets first, then those of clusters. */
  #take(found: FoundExit[]): void {
    this.#touched.clear();
    if (found.length === 0) return;
    found.sort((a, b) => Number(a.isCluster) - Number(b.isCluster) || (a.key < b.key ? -1 : 1));
    this.#found.push(...found.map((exit) => ({ ...exit, sameSaleAs: sameSale(exit, found) })));
  }

  #exitOf(thread: FollowedThread, touch: Touch, at: EpochMs): FoundExit | null {
    const shares = heldAndPeak(thread);
    const level = this.#levelOf(shares);
    const made = thread.exits.filter(({ isCorrected }) => !isCorrected);
    if (level === null || made.some((exit) => exit.level === level || exit.level === 'out')) return null;
    const corrections = thread.exits.length - made.length;
    const key = `x:${threadName(thread)}:${level}:${corrections}`;
    thread.exits.push({ key, level, at: thread.curve.at(-1)?.at ?? at, isCorrected: false });
    return this.#describe(thread, touch, { key, level, at, ...shares });
  }

  #levelOf(shares: Shares): ExitLevel | null {
    if (this.#isBelow(shares, 'out')) return 'out';
    return this.#isBelow(shares, 'half') ? 'half' : null;
  }

  #isBelow({ held, peak }: Shares, level: ExitLevel): boolean {
    return held < this.#rules.exits[level] * peak;
  }

  #describe(
    thread: FollowedThread,
    { market, address }: Touch,
    { key, level, at, held, peak }: Pick<KnownExit, 'key' | 'level' | 'at'> & Shares,
  ): FoundExit {
    const { members, asset, outcome, outcomeIndex } = thread;
    const isCluster = thread.wallet === null;
    const isOut = (wallet: FollowedWallet) => {
      const now = heldBy(wallet, asset, market.isBinary);
      return this.#isBelow({ held: now, peak: Math.max(now, peakOf(wallet, asset)) }, 'out');
    };
    const hedged = Math.max(0, pairsIn(members, asset, market.isBinary) - thread.pairsBefore);
    return {
      key,
      corrects: null,
      sameSaleAs: null,
      level,
      kind: kindOf(thread, hedged),
      isCluster,
      wallet: address,
      marketId: market.id,
      outcome,
      outcomeIndex,
      tradedAt: at,
      alertedAt: thread.firstAt,
      endsAt: market.endsAt,
      heldShares: held / MICROS,
      peakShares: peak / MICROS,
      hedgedShares: hedged / MICROS,
      ...salesOf(thread),
      members: isCluster ? { total: members.length, out: members.filter(isOut).length } : null,
    };
  }
}

type Shares = ReturnType<typeof heldAndPeak>;
