import type { Alert } from '../alerts/alert.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { PricePoint } from '../trades/price-point.ts';
import type { WatchedMarket } from './prices/watched-market.ts';

/** What a follower of an alert could pay and get, USDC a share of its outcome, 6 decimals (docs/method.md#prices). Times are the source's. */
export interface FollowerPrices {
  readonly publishedAt: EpochMs;
  /** When the payouts of the market were first known; null while they are not. */
  readonly settledAt: EpochMs | null;
  /** The first order in the time in which a follower could buy; null without one before the settlement. */
  readonly bought: PricePoint | null;
  /** The first order from 24 h after `bought` on; null without one before the settlement. */
  readonly later: PricePoint | null;
}

/** `market`: that of the alert; null if it is not watched. Nothing later than `asOf`, on the clock of the source, is used. */
export function followerPricesOf(
  { key, detectedAt }: Pick<Alert, 'key' | 'detectedAt'>,
  market: WatchedMarket | null,
  asOf: EpochMs,
): FollowerPrices {
  const watched = market?.alerts.find((alert) => alert.key === key);
  const settledAt = market?.settledAt ?? Number.POSITIVE_INFINITY;
  const known = (point: PricePoint | null = null) =>
    point === null || point.at >= settledAt || point.at > asOf ? null : point;
  const bought = known(watched?.bought);
  return {
    publishedAt: watched?.detectedAt ?? detectedAt,
    settledAt: settledAt <= asOf ? settledAt : null,
    bought,
    later: known(watched?.later),
  };
}
