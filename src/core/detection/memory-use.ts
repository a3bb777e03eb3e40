import type { JudgeMemory } from './judge-orders.ts';
import type { TimedHashSet } from './timed-hash-set.ts';
import { LARGE, SMALL } from './wallet.ts';

/** How many entries each part of the memory holds; `DetectionRules.memory` bounds them. */
export interface MemoryUse {
  readonly wallets: number;
  readonly positions: number;
  readonly retiredWallets: number;
  readonly markets: number;
  readonly clusters: number;
  readonly fills: number;
  /** Entries that left to make room. */
  readonly evicted: Readonly<Record<EvictedKind, number>>;
}

/** Counts what the parts hold now. */
export function memoryUse({
  wallets,
  markets,
  clusters,
  fills,
}: JudgeMemory & { readonly fills: TimedHashSet }): MemoryUse {
  return {
    wallets: wallets.size,
    positions: wallets.positions,
    retiredWallets: wallets.retired.size,
    markets: markets.size,
    clusters: clusters.size,
    fills: fills.size,
    evicted: {
      wallet: wallets.evicted[SMALL] ?? 0,
      wallet_with_position: wallets.evicted[LARGE] ?? 0,
      retired_wallet: wallets.retired.forgotten,
      market: markets.evicted,
      cluster: clusters.evicted,
      fill: fills.forgotten,
    },
  };
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
