import type { Alert } from '../alerts/alert.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { followerResult } from './follower-result.ts';
import { MarketAsOf } from './market-as-of.ts';
import type { FollowerResult } from './measured-market.ts';
import { outcomeSideOf } from './observations/outcome-side.ts';
import type { RecordMarket } from './record-market.ts';

/** When it is measured, on the clock of the source, and how much later than paid keys the public sees an alert. */
interface FollowerMoment {
  readonly asOf: EpochMs;
  readonly freeDelayMs: number;
}

/** A follower without a key. */
export interface FreeFollower extends FollowerResult {
  /** When the alert became public, on the clock of the source. */
  readonly publicAt: EpochMs;
}

/** What a reader without a key would have made of one alert: the `free` of the record's measurement (`measureMarket`). */
export function freeFollower(
  alert: Alert,
  { market, hours }: Pick<RecordMarket, 'market' | 'hours'>,
  { asOf, freeDelayMs }: FollowerMoment,
): FreeFollower {
  const { outcome, resolution } = alert;
  const settlement = resolution && { outcomes: [outcome], payouts: [resolution.payout] };
  const known = new MarketAsOf({ market, hours, alerts: [], settlement }, asOf);
  const { detectedAt } = market.alerts.find(({ key }) => key === alert.key) ?? alert;
  const publicAt = detectedAt + freeDelayMs;
  const result = followerResult(known, {
    publishedAt: publicAt,
    outcome: outcomeSideOf(alert, market),
    payout: known.settlement === null ? null : (resolution?.payout ?? null),
  });
  return { ...result, publicAt };
}
