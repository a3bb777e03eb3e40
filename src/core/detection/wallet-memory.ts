import { DAY_MS } from '../duration.ts';
import type { EpochMs, WalletFacts } from '../trade.ts';
import { textHash } from './fill-hash.ts';
import { type LruLinks, LruMap, unlinked } from './lru-map.ts';
import { MICROS } from './order.ts';
import type { Position } from './position.ts';
import type { DetectionRules } from './rules.ts';
import { LruPart, type StatePart } from './state-chunks.ts';
import { createTimedHashSet, hourOf, type TimedHashSet } from './timed-hash-set.ts';

/** What a wallet did in one market. */
export interface Holding {
  /** First trade here as far as is known. */
  firstAt: EpochMs;
  /** Met before the wallet's facts came, so the facts count it already. */
  isInFacts: boolean;
  /** By token id. */
  readonly positions: Map<string, Position>;
}

/** What is remembered of a wallet that may still be fresh. Plain data but for the maps and links. */
export interface Wallet extends LruLinks<Wallet> {
  readonly address: string;
  createdAt: EpochMs | null;
  marketsInFacts: number | null;
  firstSeenAt: EpochMs;
  /** By market id. */
  readonly holdings: Map<string, Holding>;
}

/** Age in days and distinct markets at a moment. */
export interface Freshness {
  readonly ageDays: number;
  readonly markets: number;
}

/** Remembers wallets that are or may still be fresh; of the others only that they are not. */
export interface WalletMemory {
  /** The wallet, created on first sight; null when it can never be fresh again. */
  touch(address: string, at: EpochMs, now: EpochMs): Wallet | null;
  /** The wallet, to be changed without becoming the one touched last; undefined when it is not remembered. */
  alter(address: string): Wallet | undefined;
  learn(facts: WalletFacts, now: EpochMs): void;
  /** False for a wallet that is known never to be fresh again. */
  mayBeFresh(address: string): boolean;
  /** Whether its age and markets are known, and it may still be fresh. */
  hasFacts(address: string): boolean;
  /** USDC the wallet bought in all that counts; null when its facts are known, or it can never be fresh again. */
  boughtBeforeFacts(address: string): number | null;
  /** Age and markets at the moment; null while either is unknown (unknown is never fresh). */
  freshness(wallet: Wallet, at: EpochMs): Freshness | null;
  /** Forgets the wallet's details when no trade still to come can find it fresh. */
  retireIfStale(wallet: Wallet, now: EpochMs): void;
  /** Retires what time has made stale; for the caller to do about once an hour of the source's time. */
  sweep(now: EpochMs): void;
  readonly size: number;
  /** Wallets that left to make room. */
  readonly evicted: number;
  readonly state: StatePart;
  /** The wallets known to be past freshness, a part of the state of its own. */
  readonly retired: TimedHashSet;
}

/** Trades this much older than the newest are still judged, so freshness is only given up after it. */
export const LATE_LIMIT_MS = DAY_MS;
/** A wallet in so many times the allowed markets is retired without waiting for late trades. */
const MARKETS_SLACK = 4;

/** Whether a wallet's first trade here is its first ever (tape header `history: complete`). */
export interface HistoryOf {
  readonly isComplete: boolean;
}

/** An empty memory, of at most `rules.memory.wallets` wallets; the one longest quiet leaves to make room. */
export function createWalletMemory(rules: DetectionRules, source: HistoryOf): WalletMemory {
  const wallets = new LruMap<Wallet>(({ address }) => address);
  const retired = createTimedHashSet(rules.memory.retiredWallets);
  const isStale = (wallet: Wallet, now: EpochMs) => isPastFreshness(wallet, now, rules);

  function retire(wallet: Wallet, now: EpochMs): void {
    wallets.delete(wallet);
    retired.add(textHash(wallet.address), hourOf(now), 1);
  }

  /** Where facts can be asked for again, the one longest quiet is forgotten; else it could seem new when it comes back. */
  function makeRoom(now: EpochMs): void {
    if (wallets.size < rules.memory.wallets) return;
    const quiet = wallets.evict();
    if (quiet !== null && source.isComplete) retired.add(textHash(quiet.address), hourOf(now), 1);
  }

  function add(address: string, at: EpochMs, now: EpochMs): Wallet {
    makeRoom(now);
    const wallet = newWallet(address, at);
    wallets.add(wallet);
    return wallet;
  }

  return {
    touch(address, at, now) {
      const known = wallets.get(address);
      if (known === undefined) return retired.has(textHash(address), 1) ? null : add(address, at, now);
      wallets.touch(known);
      if (at < known.firstSeenAt) known.firstSeenAt = at;
      return known;
    },
    alter: (address) => wallets.getAltered(address),
    learn(facts, now) {
      if (retired.has(textHash(facts.wallet), 1)) return;
      const wallet = wallets.get(facts.wallet) ?? add(facts.wallet, Number.POSITIVE_INFINITY, now);
      wallets.touch(wallet);
      bookFacts(wallet, facts);
    },
    mayBeFresh: (address) => wallets.has(address) || !retired.has(textHash(address), 1),
    hasFacts: (address) => isInformed(wallets.get(address)),
    boughtBeforeFacts(address) {
      const wallet = wallets.get(address);
      if (wallet === undefined) return retired.has(textHash(address), 1) ? null : 0;
      return isInformed(wallet) ? null : boughtBy(wallet);
    },
    // A tape that is complete but larger than the memory no longer tells a first trade from a forgotten one.
    freshness: (wallet, at) => freshnessOf(wallet, at, source.isComplete && retired.forgotten === 0),
    retireIfStale(wallet, now) {
      if (isStale(wallet, now)) retire(wallet, now);
    },
    sweep(now) {
      for (const wallet of wallets.values()) if (isStale(wallet, now)) retire(wallet, now);
    },
    get size() {
      return wallets.size;
    },
    get evicted() {
      return wallets.evicted[0] ?? 0;
    },
    state: new LruPart<Wallet, PlainWallet>(wallets, { keyOf: ({ address }) => address, toPlain, fromPlain }),
    retired,
  };
}

function bookFacts(wallet: Wallet, { createdAt, marketsTraded }: WalletFacts): void {
  // Facts read again, or older than what was seen since, never make a wallet fresher.
  if (createdAt !== null) wallet.createdAt = Math.min(createdAt, wallet.createdAt ?? createdAt);
  if (marketsTraded === null) return;
  wallet.marketsInFacts = Math.max(marketsTraded, marketsKnown(wallet));
  for (const holding of wallet.holdings.values()) holding.isInFacts = true;
}

function isInformed(wallet: Wallet | undefined): boolean {
  return wallet !== undefined && wallet.createdAt !== null && wallet.marketsInFacts !== null;
}

function boughtBy({ holdings }: Wallet): number {
  let usdc = 0;
  for (const { positions } of holdings.values())
    for (const { buyUsdc } of positions.values()) usdc += buyUsdc;
  return usdc / MICROS;
}

function newWallet(address: string, at: EpochMs): Wallet {
  return {
    address,
    createdAt: null,
    marketsInFacts: null,
    firstSeenAt: at,
    holdings: new Map(),
    ...unlinked<Wallet>(),
  };
}

function freshnessOf(wallet: Wallet, at: EpochMs, isFirstSightReliable: boolean): Freshness | null {
  const startedAt = startOf(wallet, isFirstSightReliable);
  const markets = marketsAt(wallet, at, isFirstSightReliable);
  if (startedAt === null || markets === null) return null;
  return { ageDays: Math.max(0, at - startedAt) / DAY_MS, markets };
}

/** An account is at least as old as its first trade, whatever its profile says. */
function startOf(wallet: Wallet, isFirstSightReliable: boolean): EpochMs | null {
  if (wallet.createdAt !== null) return Math.min(wallet.createdAt, wallet.firstSeenAt);
  return isFirstSightReliable ? wallet.firstSeenAt : null;
}

function marketsAt(wallet: Wallet, at: EpochMs, isFirstSightReliable: boolean): number | null {
  if (wallet.marketsInFacts === null && !isFirstSightReliable) return null;
  let markets = wallet.marketsInFacts ?? 0;
  for (const holding of wallet.holdings.values())
    if (!holding.isInFacts && holding.firstAt <= at) markets += 1;
  return markets;
}

function isPastFreshness(wallet: Wallet, now: EpochMs, { fresh }: DetectionRules): boolean {
  const oldestTradeToCome = now - LATE_LIMIT_MS;
  const knownSince = Math.min(wallet.createdAt ?? Number.POSITIVE_INFINITY, wallet.firstSeenAt);
  if (oldestTradeToCome - knownSince > fresh.maxAgeDays * DAY_MS) return true;
  if ((wallet.marketsInFacts ?? 0) > fresh.maxMarkets) return true;
  if (wallet.holdings.size > fresh.maxMarkets * MARKETS_SLACK) return true;
  if (wallet.holdings.size <= fresh.maxMarkets) return false;
  let markets = 0;
  for (const holding of wallet.holdings.values()) if (holding.firstAt <= oldestTradeToCome) markets += 1;
  return markets > fresh.maxMarkets;
}

function marketsKnown({ marketsInFacts, holdings }: Wallet): number {
  let markets = marketsInFacts ?? 0;
  for (const holding of holdings.values()) if (!holding.isInFacts) markets += 1;
  return markets;
}

interface PlainWallet extends Omit<Wallet, 'holdings' | 'firstSeenAt' | keyof LruLinks<Wallet>> {
  readonly firstSeenAt: EpochMs | null;
  readonly holdings: readonly (readonly [
    string,
    EpochMs,
    boolean,
    readonly (readonly [string, Position])[],
  ])[];
}

/** JSON knows no infinity, which stands for "not seen trading yet": null there. */
function toPlain({ address, createdAt, marketsInFacts, firstSeenAt, holdings }: Wallet): PlainWallet {
  return {
    address,
    createdAt,
    marketsInFacts,
    firstSeenAt: Number.isFinite(firstSeenAt) ? firstSeenAt : null,
    holdings: [...holdings].map(([id, { firstAt, isInFacts, positions }]) => [
      id,
      firstAt,
      isInFacts,
      [...positions],
    ]),
  };
}

function fromPlain({ holdings, firstSeenAt, ...wallet }: PlainWallet): Wallet {
  return {
    ...wallet,
    firstSeenAt: firstSeenAt ?? Number.POSITIVE_INFINITY,
    holdings: new Map(
      holdings.map(([id, firstAt, isInFacts, positions]) => [
        id,
        { firstAt, isInFacts, positions: new Map(positions) },
      ]),
    ),
    ...unlinked<Wallet>(),
  };
}
