import type { EpochMs } from '../../base/time/duration.ts';

/**
 * Trading on the chain that is not judged, as shares of volume in a sample of the last 24 hours. Volume is the USDC of the
 * orders that took liquidity. It covers only what was measured, and is absent where no source shows it.
 */
export interface UnwatchedVolume {
  /** Of the oldest and the newest block of the sample. */
  readonly since: EpochMs;
  readonly until: EpochMs;
  /** Number of blocks in the sample. */
  readonly blocks: number;
  /** Volume of the sample on the exchanges that are watched, combos included. Above 0. */
  readonly usdc: number;
  /** Share of `usdc` in combos, 0 to 1: positions in several markets, which are left out. */
  readonly combos: number;
  /**
   * Volume of other contracts that emit the same event, as a share of their volume plus `usdc`, 0 to 1. Anyone can deploy such a
   * contract. Null where the node does not search all contracts.
   */
  readonly otherContracts: number | null;
}
