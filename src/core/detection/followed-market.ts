import { DAY_MS, type EpochMs, HOUR_MS } from '../base/time/duration.ts';
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
  /** The most that was held after an earlier second. */
  peak: number;
}

/** What a followed wallet holds in a market. */
export interface FollowedWallet {
  readonly address: string;
  readonly outcomes: HeldOutcome[];
  /** The threads of which it is a member. */
  readonly threads: FollowedThread[];
  /** The round of the book in which it last changed; 0 for none. */
  changedIn: number;
}

/** An exit that was found. `at`: the second of the curve by which it was. */
export interface KnownExit {
  readonly key: string;
  readonly level: ExitLevel;
  readonly at: EpochMs;
  isCorrected: boolean;
}

/** Shares that a thread held after a second. */
interface CurvePoint {
  readonly at: EpochMs;
  held: number;
}

/** A followed thread of alerts: of a wallet in one outcome, or of the clusters of one outcome. Shares and USDC in millionths. */
export interface FollowedThread {
  readonly asset: string;
  /** Null for the thread of clusters. */
  readonly wallet: string | null;
  /** Nothing is claimed about it any longer: not all trades of a member are known, or there was no room. */
  isLost: boolean;
  outcome: string;
  outcomeIndex: number;
  /** The second of its first alert. */
  readonly firstAt: EpochMs;
  /** One wallet, or the wallets of the clusters; none once the thread is lost. */
  readonly members: FollowedWallet[];
  /** Shares held before the last 25 hours, and after each second of them in which they changed; ascending. The last point is what is held now. */
  curve: CurvePoint[];
  /** The most that was held before the curve. */
  peakBefore: number;
  /** Pairs with the other outcome at the first alert. */
  pairsBefore: number;
  /** Shares sold since the first alert at any price; what they had cost; and how many were sold for almost 1 USDC. */
  soldShares: number;
  soldUsdc: number;
  soldCost: number;
  cashedShares: number;
  exits: KnownExit[];
}

/** Older fills, which could change the curve, no longer arrive; removed ones are known by their hour. */
const CURVE_MS = DAY_MS + HOUR_MS;
const CURVE_POINTS = 200;

/** A market with followed threads. */
export interface FollowedMarket extends LruLinks<FollowedMarket> {
  readonly id: string;
  /** Whether it has two outcomes: one share of each is worth 1 USDC whatever happens. */
  isBinary: boolean;
  endsAt: EpochMs | null;
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
  readonly endsAt: EpochMs | null;
}

/** A market in which nobody is followed yet. */
export function followedMarket(given: Pick<FollowedMarket, 'id' | 'isBinary' | 'endsAt'>): FollowedMarket {
  return { ...given, wallets: new Map(), threads: new Map(), ...unlinked<FollowedMarket>() };
}

/** The wallet's shares of an outcome, created on first sight. */
export function outcomeOf({ outcomes }: FollowedWallet, asset: string): HeldOutcome {
  const known = outcomes.find((outcome) => outcome.asset === asset);
  if (known !== undefined) return known;
  const outcome = { asset, shares: 0, usdc: 0, peak: 0 };
  outcomes.push(outcome);
  return outcome;
}

/** Shares of the outcome that are paired with the other one, in a market of two. */
function pairsOf({ outcomes }: FollowedWallet, asset: string, isBinary: boolean): number {
  if (!isBinary) return 0;
  let own = 0;
  let others = 0;
  for (const outcome of outcomes)
    if (outcome.asset === asset) own = outcome.shares;
    else others += outcome.shares;
  return Math.min(own, others);
}

/** Shares that count for the outcome, in millionths: those the wallet holds, without those that are paired. */
export function heldBy(wallet: FollowedWallet, asset: string, isBinary: boolean): number {
  const shares = wallet.outcomes.find((outcome) => outcome.asset === asset)?.shares ?? 0;
  return shares - pairsOf(wallet, asset, isBinary);
}

/** The most that was held of an outcome after an earlier second. */
export function peakOf({ outcomes }: FollowedWallet, asset: string): number {
  return outcomes.find((outcome) => outcome.asset === asset)?.peak ?? 0;
}

/** The sum over all members. */
function heldIn({ members, asset }: FollowedThread, { isBinary }: FollowedMarket): number {
  return members.reduce((sum, wallet) => sum + heldBy(wallet, asset, isBinary), 0);
}

/** The sum of all members' pairs. */
export function pairsIn(members: readonly FollowedWallet[], asset: string, isBinary: boolean): number {
  return members.reduce((sum, wallet) => sum + pairsOf(wallet, asset, isBinary), 0);
}

/** `w:<wallet>:<asset>`, or `c:<asset>`. */
export function threadName({ wallet, asset }: Pick<FollowedThread, 'wallet' | 'asset'>): string {
  return wallet === null ? `c:${asset}` : `w:${wallet}:${asset}`;
}

/**
 * Records what an order or a removed fill changed. A late one changes the curve from its own second onwards. Returns
 * whether it was late.
 */
export function shift(thread: FollowedThread, at: EpochMs, change: number): boolean {
  const { curve } = thread;
  const newest = curve.at(-1);
  const isLate = newest !== undefined && at <= newest.at;
  if (isLate) bend(curve, at, change);
  else curve.push({ at, held: (newest?.held ?? 0) + change });
  const from = (curve.at(-1) as CurvePoint).at - CURVE_MS;
  // One earlier point is kept: what was held when the day began.
  while (curve.length > CURVE_POINTS || (curve[1]?.at ?? at) < from) {
    const { held } = curve.shift() as CurvePoint;
    thread.peakBefore = Math.max(thread.peakBefore, held);
  }
  return isLate;
}

function bend(curve: CurvePoint[], at: EpochMs, change: number): void {
  const next = curve.findLastIndex((point) => point.at < at) + 1;
  if (curve[next]?.at !== at) curve.splice(next, 0, { at, held: curve[next - 1]?.held ?? 0 });
  for (let index = next; index < curve.length; index++) (curve[index] as CurvePoint).held += change;
}

/** What was held after a second, and the most until then. By default now. */
export function heldAndPeak({ curve, peakBefore }: FollowedThread, until = Number.POSITIVE_INFINITY) {
  let held = 0;
  let peak = peakBefore;
  for (const point of curve) {
    if (point.at > until) break;
    held = point.held;
    peak = Math.max(peak, held);
  }
  return { held, peak };
}

/** A followed market as stored: members by their addresses. */
export type PlainFollowed = ReturnType<typeof plainFollowed>;

/** The market as stored. */
export function plainFollowed({ id, isBinary, endsAt, wallets, threads }: FollowedMarket) {
  return {
    id,
    isBinary,
    endsAt,
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
  for (const wallet of wallets) market.wallets.set(wallet.address, { ...wallet, threads: [], changedIn: 0 });
  for (const plain of threads) {
    const members = plain.members.map((address) => market.wallets.get(address) as FollowedWallet);
    const thread = { ...plain, members };
    market.threads.set(threadName(thread), thread);
    for (const wallet of members) wallet.threads.push(thread);
  }
  return market;
}

/** Null where one of them is not known. */
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
    wallets.push(known ?? { address, outcomes: [...outcomes], threads: [], changedIn: 0 });
  }
  return wallets;
}

/** A thread at its first alert, without members. */
export function newThread({ asset, wallet, outcome, outcomeIndex, at }: FollowedSubject): FollowedThread {
  return {
    asset,
    wallet,
    isLost: false,
    outcome,
    outcomeIndex,
    firstAt: at,
    members: [],
    curve: [],
    peakBefore: 0,
    pairsBefore: 0,
    soldShares: 0,
    soldUsdc: 0,
    soldCost: 0,
    cashedShares: 0,
    exits: [],
  };
}

/** Adds the members that the thread lacks, with what they hold already. */
export function join(
  market: FollowedMarket,
  thread: FollowedThread,
  { outcome, outcomeIndex, at }: FollowedSubject,
  wallets: readonly FollowedWallet[],
): void {
  const { asset, members } = thread;
  Object.assign(thread, { outcome, outcomeIndex } satisfies Partial<FollowedThread>);
  for (const wallet of wallets) {
    if (wallet.threads.includes(thread)) continue;
    wallet.threads.push(thread);
    members.push(wallet);
    thread.pairsBefore += pairsIn([wallet], asset, market.isBinary);
  }
  shift(thread, at, heldIn(thread, market) - heldAndPeak(thread).held);
}

/** From here on nothing is claimed about the thread, and it has no members. */
export function lose(thread: FollowedThread): void {
  thread.isLost = true;
  for (const wallet of thread.members.splice(0)) wallet.threads.splice(wallet.threads.indexOf(thread), 1);
}

/** Adds a buy. */
export function buy(outcome: HeldOutcome, { shares, usdc }: Order): void {
  outcome.shares += shares;
  outcome.usdc += usdc;
}

/** Subtracts a removed buy. */
export function takeBackBuy(outcome: HeldOutcome, { shares, usdc }: Order): void {
  outcome.shares = Math.max(0, outcome.shares - shares);
  outcome.usdc = outcome.shares === 0 ? 0 : Math.max(0, outcome.usdc - usdc);
}

/** A part of an amount, in whole millionths. */
export function partOf(amount: number, shares: number, of: number): number {
  return Math.round((amount * shares) / of);
}
