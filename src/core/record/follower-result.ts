import type { Alert } from '../alerts/alert.ts';
import { rounded } from '../base/rounded.ts';
import { type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import { buyingTime, MarketAsOf } from './market-as-of.ts';
import type { FollowerResult, RecordMarket } from './measured-market.ts';
import { type OutcomeSide, outcomeSideOf } from './observations/observation-store.ts';

/** An alert as it reaches the readers of a tier. */
interface FollowedAlert {
  readonly publishedAt: EpochMs;
  readonly outcome: OutcomeSide;
  readonly payout: number | null;
}

/**
 * The result of a follower who pays what the first taker buy of the outcome paid, in a minute that begins at least 60 s and less than
 * 1 h after publication, and before the settlement.
 */
export function followerResult(
  market: MarketAsOf,
  { publishedAt, outcome, payout }: FollowedAlert,
): FollowerResult {
  const time = buyingTime(publishedAt);
  const { asOf, settledAt, feeRate, history } = market;
  const isOver = Math.ceil(time.until / MINUTE_MS) * MINUTE_MS <= asOf || settledAt !== null;
  const buy = history.firstBuy({ ...time, outcome });
  if (buy === null || buy.at >= (settledAt ?? asOf + 1)) {
    if (!isOver) return unfilled('waiting');
    return unfilled(history.isComplete(time) ? 'not_fillable' : 'unobserved');
  }
  const { at: filledAt, price } = buy;
  const fee = feeRate === null ? null : rounded(feeRate * price * (1 - price), 6);
  if (payout === null) return { state: 'settlement', filledAt, price, fee, result: null };
  if (fee === null) return { state: 'fee_unknown', filledAt, price, fee, result: null };
  return { state: 'settled', filledAt, price, fee, result: rounded(payout - price - fee, 6) };
}

function unfilled(state: 'waiting' | 'not_fillable' | 'unobserved'): FollowerResult {
  return { state, filledAt: null, price: null, fee: null, result: null };
}

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

/** When readers without a key saw an alert, on the clock of the source. */
export function publicTimeOf(
  alert: Alert,
  { alerts }: Pick<RecordMarket['market'], 'alerts'>,
  freeDelayMs: number,
): EpochMs {
  const { detectedAt } = alerts.find(({ key }) => key === alert.key) ?? alert;
  return detectedAt + freeDelayMs;
}

/**
 * What a reader without a key would have made of one alert: the `free` of the record's measurement (`measureMarket`). `hours`: at
 * least those of the `buyingTime` after it became public.
 */
export function freeFollower(
  alert: Alert,
  { market, hours }: Pick<RecordMarket, 'market' | 'hours'>,
  { asOf, freeDelayMs }: FollowerMoment,
): FreeFollower {
  const { outcome, resolution } = alert;
  const settlement = resolution && { outcomes: [outcome], payouts: [resolution.payout] };
  const known = new MarketAsOf({ market, hours, settlement }, asOf);
  const publicAt = publicTimeOf(alert, market, freeDelayMs);
  const result = followerResult(known, {
    publishedAt: publicAt,
    outcome: outcomeSideOf(alert, market),
    payout: known.settlement === null ? null : (resolution?.payout ?? null),
  });
  return { ...result, publicAt };
}
