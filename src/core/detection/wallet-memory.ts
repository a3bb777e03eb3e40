import { DAY_MS } from '../duration.ts';
import type { EpochMs, WalletFacts } from '../trade.ts';
import { textHash } from './fill-hash.ts';
import { MICROS } from './order.ts';
import type { Position } from './position.ts';
import type { DetectionRules } from './rules.ts';
import { itemsOf, jsonChunks, type Snapshotted } from './state-chunks.ts';
import { createTimedHashSet, hourOf } from './timed-hash-set.ts';

/** What a wallet did in one market. */
export interface Holding {
  /** First trade here as far as is known. */
  firstAt: EpochMs;
  /** Met before the wallet's facts came, so the facts count it already. */
  isInFacts: boolean;
  /** By token id. */
  readonly positions: Map<string, Position>;
}

/** What is remembered of a wallet that may still be fresh. Plain data but for the maps. */
export interface Wallet {
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
export interface WalletMemory extends Snapshotted {
  /** The wallet, created on first sight; null when it can never be fresh again. */
  touch(address: string, at: EpochMs, now: EpochMs): Wallet | null;
  /** The wallet as it is remembered; undefined when it is not. */
  get(address: string): Wallet | undefined;
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
  /** The wallets known to be past freshness, a part of the state of its own. */
  readonly retired: Snapshotted;
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
  const wallets = new Map<string, Wallet>();
  const retired = createTimedHashSet(rules.memory.retiredWallets);
  const isStale = (wallet: Wallet, now: EpochMs) => isPastFreshness(wallet, now, rules);

  function retire(address: string, now: EpochMs): void {
    wallets.delete(address);
    retired.add(textHash(address), hourOf(now), 1);
  }

  /** Where facts can be asked for again, the one longest quiet is forgotten; else it could seem new when it comes back. */
  function makeRoom(now: EpochMs): void {
    const quiet = oldestOf(wallets);
    if (source.isComplete) retire(quiet, now);
    else wallets.delete(quiet);
  }

  return {
    touch(address, at, now) {
      const known = wallets.get(address);
      if (known !== undefined) {
        wallets.delete(address);
        wallets.set(address, known);
        known.firstSeenAt = Math.min(known.firstSeenAt, at);
        return known;
      }
      if (retired.has(textHash(address), 1)) return null;
      if (wallets.size >= rules.memory.wallets) makeRoom(now);
      const wallet = newWallet(address, at);
      wallets.set(address, wallet);
      return wallet;
    },
    get: (address) => wallets.get(address),
    learn(facts, now) {
      if (retired.has(textHash(facts.wallet), 1)) return;
      const wallet = wallets.get(facts.wallet) ?? newWallet(facts.wallet, Number.POSITIVE_INFINITY);
      wallets.set(facts.wallet, wallet);
      bookFacts(wallet, facts);
      if (wallets.size > rules.memory.wallets) makeRoom(now);
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
      if (isStale(wallet, now)) retire(wallet.address, now);
    },
    sweep(now) {
      for (const wallet of wallets.values()) if (isStale(wallet, now)) retire(wallet.address, now);
    },
    get size() {
      return wallets.size;
    },
    retired,
    *chunks() {
      yield* jsonChunks(plainWallets(wallets.values()));
    },
    restore(texts) {
      for (const plain of itemsOf<PlainWallet>(texts)) wallets.set(plain.address, fromPlain(plain));
    },
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
  return { address, createdAt: null, marketsInFacts: null, firstSeenAt: at, holdings: new Map() };
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

function oldestOf(wallets: ReadonlyMap<string, Wallet>): string {
  for (const address of wallets.keys()) return address;
  throw new Error('no wallet to retire');
}

interface PlainWallet extends Omit<Wallet, 'holdings' | 'firstSeenAt'> {
  readonly firstSeenAt: EpochMs | null;
  readonly holdings: readonly (readonly [
    string,
    EpochMs,
    boolean,
    readonly (readonly [string, Position])[],
  ])[];
}

function* plainWallets(wallets: Iterable<Wallet>): Iterable<PlainWallet> {
  for (const wallet of wallets) yield toPlain(wallet);
}

/** JSON knows no infinity, which stands for "not seen trading yet": null there. */
function toPlain({ holdings, firstSeenAt, ...wallet }: Wallet): PlainWallet {
  return {
    ...wallet,
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
  };
}
