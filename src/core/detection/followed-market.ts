import type { EpochMs } from '../base/time/duration.ts';
import type { ExitLevel } from './found-exit.ts';
import { type LruLinks, unlinked } from './lru-map.ts';
import type { Order } from './order.ts';

/** What a member of a thread holds in its market, as far as trades show. In millionths; never below 0. */
export interface Member {
  /** Shares of the thread's outcome. What is sold beyond them was not bought here. */
  shares: number;
  /** Their cost at the mean of all buys: a sale reduces it proportionally. */
  usdc: number;
  /** Shares of the other outcomes. */
  others: number;
}

/** A followed thread of alerts: of a wallet in one outcome, or of the clusters of one outcome. Shares and USDC in millionths. */
export interface FollowedThread {
  readonly asset: string;
  /** Null for the thread of clusters. */
  readonly wallet: string | null;
  outcome: string;
  outcomeIndex: number;
  /** The second of the alert from which it is followed. */
  readonly firstAt: EpochMs;
  /** One wallet, or the wallets of the clusters, by address. */
  readonly members: Map<string, Member>;
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
export interface FollowedMarket extends LruLinks<FollowedMarket> {
  readonly id: string;
  /** Whether it has two outcomes: one share of each is worth 1 USDC whatever happens. */
  isBinary: boolean;
  /** By their names. */
  readonly threads: Map<string, FollowedThread>;
}

/** The thread of an alert. */
export interface FollowedSubject {
  readonly marketId: string;
  readonly asset: string;
  /** Null for clusters. */
  readonly wallet: string | null;
  readonly outcome: string;
  readonly outcomeIndex: number;
  /** The second of the alert. */
  readonly at: EpochMs;
  readonly isBinary: boolean;
}

/** A market in which nobody is followed yet. */
export function followedMarket(given: Pick<FollowedMarket, 'id' | 'isBinary'>): FollowedMarket {
  return { ...given, threads: new Map(), ...unlinked<FollowedMarket>() };
}

/** `w:<wallet>:<asset>`, or `c:<asset>`. */
export function threadName({ wallet, asset }: Pick<FollowedThread, 'wallet' | 'asset'>): string {
  return wallet === null ? `c:${asset}` : `w:${wallet}:${asset}`;
}

/** A thread at the alert from which it is followed, without members. */
export function newThread({ asset, wallet, outcome, outcomeIndex, at }: FollowedSubject): FollowedThread {
  return {
    asset,
    wallet,
    outcome,
    outcomeIndex,
    firstAt: at,
    members: new Map(),
    peak: 0,
    level: null,
    soldShares: 0,
    soldUsdc: 0,
    soldCost: 0,
  };
}

/** Shares that count, in millionths. In a market of two outcomes those that are paired with the other one do not. */
export function heldBy({ shares, others }: Member, isBinary: boolean): number {
  return isBinary ? Math.max(0, shares - others) : shares;
}

/** The sum over all members. */
export function heldIn({ members }: FollowedThread, { isBinary }: FollowedMarket): number {
  let held = 0;
  for (const member of members.values()) held += heldBy(member, isBinary);
  return held;
}

/** Books an order of a member in the market of the thread; with direction -1 a removed one is taken back. */
export function bookOrder(thread: FollowedThread, member: Member, order: Order, direction: 1 | -1 = 1): void {
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
function bookSale(thread: FollowedThread, member: Member, order: Order, direction: 1 | -1): void {
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

/** A part of an amount, in whole millionths. */
export function partOf(amount: number, shares: number, of: number): number {
  return Math.round((amount * shares) / of);
}

/** A followed market as stored. */
export type PlainFollowed = ReturnType<typeof plainFollowed>;

/** The market as stored. */
export function plainFollowed({ id, isBinary, threads }: FollowedMarket) {
  const plain = Array.from(threads.values(), (thread) => ({ ...thread, members: [...thread.members] }));
  return { id, isBinary, threads: plain };
}

/** A market as `plainFollowed` wrote it. */
export function restoredFollowed({ threads, ...facts }: PlainFollowed): FollowedMarket {
  const market = followedMarket(facts);
  for (const thread of threads)
    market.threads.set(threadName(thread), { ...thread, members: new Map(thread.members) });
  return market;
}
