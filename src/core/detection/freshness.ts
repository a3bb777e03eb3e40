import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { WalletFacts } from '../trades/trade.ts';
import { MICROS } from './order.ts';
import type { DetectionRules } from './rules.ts';
import type { Wallet } from './wallet.ts';

/** Age in days and distinct markets at a moment. */
export interface Freshness {
  readonly ageDays: number;
  readonly markets: number;
}

/** Whether the rules call it fresh. */
export function isFresh({ ageDays, markets }: Freshness, { fresh }: DetectionRules): boolean {
  return ageDays <= fresh.maxAgeDays && markets <= fresh.maxMarkets;
}

/** Trades this much older than the newest are still judged, so freshness is given up only after that. */
export const LATE_LIMIT_MS = DAY_MS;
/** A wallet that traded in this multiple of the allowed markets is retired without waiting for late trades. */
const MARKETS_SLACK = 4;

/** Adds facts to what is known. Facts read again, or older than what was seen since, never make a wallet fresher. */
export function bookFacts(wallet: Wallet, { createdAt, marketsTraded }: WalletFacts): void {
  if (createdAt !== null) wallet.createdAt = Math.min(createdAt, wallet.createdAt ?? createdAt);
  if (marketsTraded === null) return;
  wallet.marketsInFacts = Math.max(marketsTraded, marketsKnown(wallet));
  for (const holding of wallet.holdings.values()) holding.isInFacts = true;
}

/** Whether age and markets are known. */
export function isInformed(wallet: Wallet | undefined): boolean {
  return wallet !== undefined && wallet.createdAt !== null && wallet.marketsInFacts !== null;
}

/** USDC of all buys that count. */
export function boughtBy({ holdings }: Wallet): number {
  let usdc = 0;
  for (const { positions } of holdings.values())
    for (const { buyUsdc } of positions.values()) usdc += buyUsdc;
  return usdc / MICROS;
}

/** `isFirstSightReliable`: its first trade here is its first ever. Null while age or markets are unknown. */
export function freshnessOf(wallet: Wallet, at: EpochMs, isFirstSightReliable: boolean): Freshness | null {
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

/** Whether no future trade, not even a late one, can find it fresh. */
export function isPastFreshness(wallet: Wallet, now: EpochMs, { fresh }: DetectionRules): boolean {
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
