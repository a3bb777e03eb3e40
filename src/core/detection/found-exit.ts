import type { EpochMs } from '../base/time/duration.ts';

/** How far a position has been left: below half, or below a twentieth, of its peak (`DetectionRules.exits`). */
export const EXIT_LEVELS = ['half', 'out'] as const;
export type ExitLevel = (typeof EXIT_LEVELS)[number];

/**
 * How most of the shares were disposed of: `sold`; `cashed_out`, sold for almost what a winning share pays; `hedged`, paired with
 * shares of the other outcome of a market of two.
 */
export const EXIT_KINDS = ['sold', 'cashed_out', 'hedged'] as const;
export type ExitKind = (typeof EXIT_KINDS)[number];

/** The position of a thread has fallen below a level, or an earlier exit was wrong. Only trades are seen. */
export interface FoundExit {
  /**
   * `x:<thread>:<level>:<corrections before it>`: the same rows give the same key. A correction has the key of its exit plus
   * `:corrected`.
   */
  readonly key: string;
  /** The key of the exit that late or removed fills refuted: taking them into account, the position was above the level. */
  readonly corrects: string | null;
  /** The key of the exit of the wallet's own thread by the same order; only for a cluster. */
  readonly sameSaleAs: string | null;
  readonly level: ExitLevel;
  readonly kind: ExitKind;
  /** Whether the thread consists of clusters; the amounts then cover all its members. */
  readonly isCluster: boolean;
  /** The wallet that placed the order. */
  readonly wallet: string;
  readonly marketId: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
  /** The second of the order. */
  readonly tradedAt: EpochMs;
  /** The second of the first alert of the thread. */
  readonly alertedAt: EpochMs;
  /** End of the market; null while unknown. */
  readonly endsAt: EpochMs | null;
  /** Shares that are neither sold nor paired, and the most of them since the first alert; exact to a millionth. */
  readonly heldShares: number;
  readonly peakShares: number;
  /** Sold since the first alert at any price, and pairs since then. */
  readonly soldShares: number;
  readonly hedgedShares: number;
  /** Mean price of all sales since the first alert, to 6 decimals; null if there were none. */
  readonly salePrice: number | null;
  /** What these sales brought beyond the mean cost of the shares, in USDC before fees, to the cent; null if there were none. */
  readonly profitUsdc: number | null;
  /** Members of a cluster's thread, and those that hold less than the lowest level of their own peak; null for a wallet's. */
  readonly members: { readonly total: number; readonly out: number } | null;
}

/** The exit in the wallet's own thread caused by the same order as an exit of a cluster. */
export function sameSale(exit: FoundExit, found: readonly FoundExit[]): string | null {
  if (!exit.isCluster || exit.corrects !== null) return null;
  const { wallet, outcome, marketId } = exit;
  const isOwn = (other: FoundExit) => !other.isCluster && other.corrects === null && other.wallet === wallet;
  const own = found.filter(isOwn).find((other) => other.marketId === marketId && other.outcome === outcome);
  return own?.key ?? null;
}
