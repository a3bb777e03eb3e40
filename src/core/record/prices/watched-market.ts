import type { Alert } from '../../alerts/alert.ts';
import { rounded } from '../../base/rounded.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';

/** An alert in a watched market. Times are those of the source (on a tape, the tape's own), not published time. */
export interface WatchedAlert {
  readonly key: string;
  readonly tradedAt: EpochMs;
  /** When its order was closed; on a live source, when it was published. */
  readonly detectedAt: EpochMs;
  /** P and Q of docs/method.md#prices, of the outcome that it bought. Null while they were not seen; then they are fixed. */
  readonly bought: PricePoint | null;
  readonly later: PricePoint | null;
}

/** A point of a market's line: seconds since the epoch, and a price on the scale of the base outcome. */
export type LinePoint = readonly [second: number, price: number];

/** A market that is watched because it has an alert. Times are those of the source. */
export interface WatchedMarket {
  readonly marketId: string;
  /** Token id of the outcome on whose scale the line is: that of the first alert. The other outcome's price is 1 minus it. */
  readonly baseAsset: string;
  /** When the market ends, according to the market; null while unknown. */
  readonly endsAt: EpochMs | null;
  /** When its payouts were first known; null while unsettled. Nothing but its alerts changes afterwards. */
  readonly settledAt: EpochMs | null;
  /** In the order in which they were found. */
  readonly alerts: readonly WatchedAlert[];
  /**
   * The newest UTC day of its line, ascending: the first order, and the last of each five minutes with one. Not empty: the line
   * begins with the order of the first alert, when that was closed.
   */
  readonly points: readonly LinePoint[];
}

/** An earlier UTC day of a market's line. */
export interface PriceDay {
  readonly marketId: string;
  /** Days since the epoch. */
  readonly day: number;
  /** As in `WatchedMarket`; at most 289. */
  readonly points: readonly LinePoint[];
}

/** Contents of one write: at most a few hundred of each. */
export interface PriceBatch {
  readonly days: readonly PriceDay[];
  readonly markets: readonly WatchedMarket[];
}

/** The days of a line from `from` on and before `before`, in days since the epoch. */
export interface DayQuery {
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

/** An outcome of a watched market: 0 the base, 1 the other. */
export type OutcomeSide = 0 | 1;

/** The token id of the outcome that an alert bought, which its key has. */
export function assetOf({ key }: Pick<Alert, 'key'>): string {
  return key.split(':').at(-3) ?? '';
}

/** The outcome of an alert in its watched market. */
export function outcomeSideOf(
  alert: Pick<Alert, 'key'>,
  { baseAsset }: Pick<WatchedMarket, 'baseAsset'>,
): OutcomeSide {
  return assetOf(alert) === baseAsset ? 0 : 1;
}

/** Converts a price, USDC a share, between the scale of the base outcome and that of `outcome`. */
export function onScaleOf(outcome: OutcomeSide, price: number): number {
  return outcome === 0 ? price : rounded(1 - price, 6);
}

/** Days since the epoch. */
export function dayOf(at: EpochMs): number {
  return Math.floor(at / DAY_MS);
}
