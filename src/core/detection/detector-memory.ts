import type { EpochMs } from '../base/time/duration.ts';
import { ClusterMemory } from './cluster-memory.ts';
import { MarketMemory } from './market-memory.ts';
import type { OrderListener } from './order.ts';
import { PendingFills } from './pending-fills.ts';
import { PositionBook } from './position-book.ts';
import type { DetectionRules } from './rules.ts';
import { TimedHashSet } from './timed-hash-set.ts';
import { LARGE, SMALL } from './wallet.ts';
import { type HistoryOf, WalletMemory } from './wallet-memory.ts';

/** The detector's memory and rules. */
export type DetectorMemory = ReturnType<typeof createMemory>;

/** The source's time. */
interface SourceTime {
  /** The largest row time so far; 0 before the first. */
  now: EpochMs;
  /** Since when all trades are known, where the source is not complete: the time of the first row; null before it. */
  knownSince: EpochMs | null;
}

/** An empty memory. `fills`: those of the last 24 hours, to recognise repeats. */
export function createMemory(rules: DetectionRules, source: HistoryOf, listener: OrderListener | null) {
  const time: SourceTime = { now: 0, knownSince: null };
  return {
    rules,
    source,
    listener,
    wallets: new WalletMemory(rules, source),
    markets: new MarketMemory(rules),
    clusters: new ClusterMemory(rules),
    fills: new TimedHashSet(rules.memory.fills),
    pending: new PendingFills(),
    book: new PositionBook(rules),
    time,
  } as const;
}

/** How many entries each part of the memory holds; `DetectionRules.memory` bounds them. */
export type MemoryUse = ReturnType<typeof memoryUse>;

/** Counts what the parts hold now. `evicted`: entries that left to make room. */
export function memoryUse({ wallets, markets, clusters, fills, book }: DetectorMemory) {
  const evicted: Readonly<Record<EvictedKind, number>> = {
    wallet: wallets.evicted[SMALL] ?? 0,
    wallet_with_position: wallets.evicted[LARGE] ?? 0,
    retired_wallet: wallets.retired.forgotten,
    market: markets.evicted,
    cluster: clusters.evicted,
    fill: fills.forgotten,
  };
  return {
    wallets: wallets.size,
    positions: wallets.positions,
    retiredWallets: wallets.retired.size,
    markets: markets.size,
    clusters: clusters.size,
    fills: fills.size,
    followed: book.size,
    evicted,
  } as const;
}

/** What leaves the detector's memory; `wallet_with_position`: a wallet that holds a position of 250 USDC or more. */
export const EVICTED_KINDS = [
  'wallet',
  'wallet_with_position',
  'retired_wallet',
  'market',
  'cluster',
  'fill',
] as const;
export type EvictedKind = (typeof EVICTED_KINDS)[number];
