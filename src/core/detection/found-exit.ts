import type { EpochMs } from '../base/time/duration.ts';

/** How far a position has been left: to half, or to a twentieth, of its peak (`DetectionRules.exits`). */
export const EXIT_LEVELS = ['half', 'out'] as const;
export type ExitLevel = (typeof EXIT_LEVELS)[number];

/** The position of a thread has fallen to a level. Only trades are seen. */
export interface FoundExit {
  /** `x:<thread>:<level>`: each thread has at most one exit per level. */
  readonly key: string;
  readonly level: ExitLevel;
  /** Whether the thread consists of clusters; the amounts then cover all its members. */
  readonly isCluster: boolean;
  /** The wallet that placed the order. */
  readonly wallet: string;
  readonly marketId: string;
  readonly outcome: string;
  readonly outcomeIndex: number;
  /** The second of the order. */
  readonly tradedAt: EpochMs;
  /** The second of the alert from which the thread is followed. */
  readonly alertedAt: EpochMs;
  /** Shares that are neither sold nor paired, and the most of them since that alert, above 0; exact to a millionth. */
  readonly heldShares: number;
  readonly peakShares: number;
  /** Sold since then, at any price. */
  readonly soldShares: number;
  /** Mean price of these sales, to 6 decimals; null if there were none. */
  readonly salePrice: number | null;
  /** What they brought beyond the mean cost of the shares, in USDC before fees, to the cent; null if there were none. */
  readonly profitUsdc: number | null;
}
