import type { EpochMs } from '../base/time/duration.ts';
import type { ExitLevel } from './found-exit.ts';
import { type LruLinks, unlinked } from './lru-map.ts';
import type { Order } from './order.ts';

/** Shares of one outcome that a wallet holds, as far as trades show, and what they cost. In millionths. */
export interface HeldOutcome {
  readonly asset: string;
  /** Never below 0: shares sold beyond that were not bought here. */
  shares: number;
  /** At the mean cost of all buys: a sale reduces it proportionally. */
  usdc: number;
}

/** What a followed wallet holds in a market. */
interface FollowedWallet {
  readonly address: string;
  readonly outcomes: HeldOutcome[];
  /** The threads of which it is a member. */
  readonly threads: FollowedThread[];
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
  /** One wallet, or the wallets of the clusters. */
  readonly members: FollowedWallet[];
  /** The most that was held after a second. */
  peak: number;
  /** The lowest level at which an exit was found. */
  level: ExitLevel | null;
  /** Shares sold since then, at any price, and what they had cost. */
  soldShares: number;
  soldUsdc: number;
  soldCost: number;
}

/** A market with followed threads. */
export interface FollowedMarket extends LruLinks<FollowedMarket> {
  readonly id: string;
  /** Whether it has two outcomes: one share of each is worth 1 USDC whatever happens. */
  isBinary: boolean;
  readonly wallets: Map<string, FollowedWallet>;
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
  return { ...given, wallets: new Map(), threads: new Map(), ...unlinked<FollowedMarket>() };
}

/** `w:<wallet>:<asset>`, or `c:<asset>`. */
export function threadName({ wallet, asset }: Pick<FollowedThread, 'wallet' | 'asset'>): string {
  return wallet === null ? `c:${asset}` : `w:${wallet}:${asset}`;
}

/**
 * Shares that count for the outcome, in millionths: those the wallet holds. In a market of two outcomes without those that are
 * paired with the other one.
 */
export function heldBy({ outcomes }: FollowedWallet, asset: string, isBinary: boolean): number {
  let own = 0;
  let others = 0;
  for (const outcome of outcomes)
    if (outcome.asset === asset) own = outcome.shares;
    else others += outcome.shares;
  return isBinary ? Math.max(0, own - others) : own;
}

/** The sum over all members. */
export function heldIn({ members, asset }: FollowedThread, { isBinary }: FollowedMarket): number {
  return members.reduce((sum, wallet) => sum + heldBy(wallet, asset, isBinary), 0);
}

/** A thread at the alert from which it is followed, without members. */
export function newThread({ asset, wallet, outcome, outcomeIndex, at }: FollowedSubject): FollowedThread {
  return {
    asset,
    wallet,
    outcome,
    outcomeIndex,
    firstAt: at,
    members: [],
    peak: 0,
    level: null,
    soldShares: 0,
    soldUsdc: 0,
    soldCost: 0,
  };
}

/** The wallets with what they hold, those that are followed already as they are; null where one of them is not known. */
export function walletsOf(
  market: FollowedMarket,
  addresses: readonly string[],
  heldOf: (address: string) => readonly HeldOutcome[] | null,
): readonly FollowedWallet[] | null {
  const wallets: FollowedWallet[] = [];
  for (const address of addresses) {
    const known = market.wallets.get(address);
    const outcomes = known === undefined ? heldOf(address) : known.outcomes;
    if (outcomes === null) return null;
    wallets.push(known ?? { address, outcomes: [...outcomes], threads: [] });
  }
  return wallets;
}

/** Adds the members that the thread lacks, with what they hold already. */
export function join(
  market: FollowedMarket,
  thread: FollowedThread,
  { outcome, outcomeIndex }: FollowedSubject,
  wallets: readonly FollowedWallet[],
): void {
  Object.assign(thread, { outcome, outcomeIndex } satisfies Partial<FollowedThread>);
  for (const wallet of wallets) {
    market.wallets.set(wallet.address, wallet);
    if (wallet.threads.includes(thread)) continue;
    wallet.threads.push(thread);
    thread.members.push(wallet);
  }
  thread.peak = Math.max(thread.peak, heldIn(thread, market));
}

/** Ends following a thread; its wallets may have others. */
export function leave({ threads }: FollowedMarket, thread: FollowedThread): void {
  for (const wallet of thread.members) wallet.threads.splice(wallet.threads.indexOf(thread), 1);
  threads.delete(threadName(thread));
}

/** Books an order of the wallet. A sale takes at most the shares that are there, and their part of the cost. */
export function bookOrder(wallet: FollowedWallet, { fill, shares, usdc }: Order): void {
  const outcome = outcomeOf(wallet, fill.asset);
  if (fill.side === 'BUY') {
    outcome.shares += shares;
    outcome.usdc += usdc;
    return;
  }
  const sold = Math.min(shares, outcome.shares);
  if (sold === 0) return;
  const cost = partOf(outcome.usdc, sold, outcome.shares);
  outcome.shares -= sold;
  outcome.usdc -= cost;
  addSale(wallet, fill.asset, { shares: sold, usdc: partOf(usdc, sold, shares), cost });
}

/** Undoes a booked order. The shares of a sale come back at the mean cost of those that are left, or else for what they brought. */
export function takeBackOrder(wallet: FollowedWallet, { fill, shares, usdc }: Order): void {
  const outcome = outcomeOf(wallet, fill.asset);
  if (fill.side === 'BUY') {
    outcome.shares = Math.max(0, outcome.shares - shares);
    outcome.usdc = outcome.shares === 0 ? 0 : Math.max(0, outcome.usdc - usdc);
    return;
  }
  const cost = outcome.shares === 0 ? usdc : partOf(outcome.usdc, shares, outcome.shares);
  outcome.shares += shares;
  outcome.usdc += cost;
  addSale(wallet, fill.asset, { shares: -shares, usdc: -usdc, cost: -cost });
}

/** A part of an amount, in whole millionths. */
export function partOf(amount: number, shares: number, of: number): number {
  return Math.round((amount * shares) / of);
}

interface Sale {
  readonly shares: number;
  readonly usdc: number;
  readonly cost: number;
}

function addSale({ threads }: FollowedWallet, asset: string, { shares, usdc, cost }: Sale): void {
  for (const thread of threads) {
    if (thread.asset !== asset) continue;
    thread.soldShares = Math.max(0, thread.soldShares + shares);
    thread.soldUsdc = Math.max(0, thread.soldUsdc + usdc);
    thread.soldCost = Math.max(0, thread.soldCost + cost);
  }
}

/** The wallet's shares of an outcome, created on first sight. */
function outcomeOf({ outcomes }: FollowedWallet, asset: string): HeldOutcome {
  const known = outcomes.find((outcome) => outcome.asset === asset);
  if (known !== undefined) return known;
  const outcome = { asset, shares: 0, usdc: 0 };
  outcomes.push(outcome);
  return outcome;
}

/** A followed market as stored: members by their addresses. */
export type PlainFollowed = ReturnType<typeof plainFollowed>;

/** The market as stored. */
export function plainFollowed({ id, isBinary, wallets, threads }: FollowedMarket) {
  return {
    id,
    isBinary,
    wallets: Array.from(wallets.values(), ({ address, outcomes }) => ({ address, outcomes })),
    threads: Array.from(threads.values(), (thread) => ({
      ...thread,
      members: thread.members.map(({ address }) => address),
    })),
  };
}

/** A market as `plainFollowed` wrote it. */
export function restoredFollowed({ wallets, threads, ...facts }: PlainFollowed): FollowedMarket {
  const market = followedMarket(facts);
  for (const wallet of wallets) market.wallets.set(wallet.address, { ...wallet, threads: [] });
  for (const plain of threads) {
    const members = plain.members.map((address) => market.wallets.get(address) as FollowedWallet);
    const thread = { ...plain, members };
    market.threads.set(threadName(thread), thread);
    for (const wallet of members) wallet.threads.push(thread);
  }
  return market;
}
