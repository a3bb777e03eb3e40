import type { EpochMs } from '../base/time/duration.ts';

/** A price at which a market traded, USDC a share, and when it was known. */
export interface PricePoint {
  readonly at: EpochMs;
  readonly price: number;
}
