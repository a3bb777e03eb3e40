import type { Alert } from '../alerts/alert.ts';
import type { Settlement } from '../alerts/settlement.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { AlertType } from '../detection/candidate.ts';
import type { Category } from '../trades/trade.ts';
import type { ObservedHour, ObservedMarket } from './observations/observation-store.ts';

/**
 * Whether the drift of 24 h is known: it is, not yet, not since no order came within the hour before a moment, or not since those
 * minutes were not kept.
 */
export const DRIFT_STATES = ['measured', 'pending', 'stale', 'unobserved'] as const;

/** Prices around a buy, USDC a share of the outcome that was bought, 6 decimals. Null: not known, see `state`. */
export interface PriceMoves {
  /** The price at the first whole minute at least 60 s after publication before which there was another order since. */
  readonly reference: number | null;
  /** `reference` minus the price before the order: own impact. */
  readonly impact: number | null;
  /** The price 1 h and 24 h after the reference moment, minus the reference; a settled market counts with its payout. */
  readonly drift1h: number | null;
  readonly drift24h: number | null;
  readonly state: (typeof DRIFT_STATES)[number];
  /** When `drift1h` was known or found missing: at its moment, or earlier when the market was settled. Null while it is pending. */
  readonly knownAt1h: EpochMs | null;
  /** The same of `drift24h`. */
  readonly knownAt: EpochMs | null;
}

/**
 * What became of a follower: it has a result; it bought, and the market is not settled yet; it has not bought, and the hour is not
 * over; there was no such buy; the market is settled without a known fee rate; the minutes were not kept.
 */
export const FOLLOWER_STATES = [
  'settled',
  'settlement',
  'waiting',
  'not_fillable',
  'fee_unknown',
  'unobserved',
] as const;

/** What a follower of an alert would have paid and got: the first taker buy of its outcome, 60 s to 1 h after publication. */
export interface FollowerResult {
  readonly state: (typeof FOLLOWER_STATES)[number];
  readonly filledAt: EpochMs | null;
  readonly price: number | null;
  /** USDC a share: rate × price × (1 − price). Null without a fill, and while the rate is unknown. */
  readonly fee: number | null;
  /** payout − price − fee, USDC a share; known when the market is settled. */
  readonly result: number | null;
}

/** Buys of other wallets in the market of an alert, measured as the alert is. */
export interface MeasuredControls {
  /** 0 to 5; 0 until the time from which they are drawn is over. */
  readonly drawn: number;
  readonly measured: number;
  readonly sameOutcome: number;
  /** Mean size, USDC; null where none is drawn. */
  readonly meanUsdc: number | null;
  /** Means of their drifts; null with fewer than 2, and until all of them are known or found missing. */
  readonly drift1h: number | null;
  readonly drift24h: number | null;
  /** When the last 1 h price of those drawn was known or found missing; null while one is pending. */
  readonly knownAt1h: EpochMs | null;
  /** The same of the 24 h prices. Not null, and no drift: too few controls. */
  readonly knownAt: EpochMs | null;
}

/** A published alert with its figures. */
export interface MeasuredAlert {
  readonly id: number;
  readonly type: AlertType;
  readonly score: number;
  readonly category: Category;
  readonly ruleVersion: string;
  /** Times of the source. */
  readonly publishedAt: EpochMs;
  readonly tradedAt: EpochMs;
  readonly entryPrice: number;
  readonly usdc: number;
  /** Mean price of the position, of a cluster that of its buys; null where the position is the order. */
  readonly positionPrice: number | null;
  /** First of its wallet, market and outcome: only these count. */
  readonly isFirst: boolean;
  readonly moves: PriceMoves;
  readonly controls: MeasuredControls;
  /** 1, 0 or 0.5; null until settled. */
  readonly payout: number | null;
  /** A follower with the alerts of a paid key, and one with those of the free delay. */
  readonly pro: FollowerResult;
  readonly free: FollowerResult;
}

/** A taker buy of 1,000 USDC or more, of any wallet. */
export interface MeasuredBuy {
  readonly at: EpochMs;
  readonly wallet: string;
  readonly usdc: number;
  readonly price: number;
  readonly profitAtStake: number;
  /** Measured as an alert that was published at the second of its order. */
  readonly moves: PriceMoves;
  readonly payout: number | null;
  /** The first of 1,000 or more of its wallet and outcome; otherwise it is the first of 5,000 or more. */
  readonly isFirst: boolean;
}

/** The figures of a market with alerts. */
export interface MeasuredMarket {
  /** Slug of the event; of the market where the event is unknown. */
  readonly event: string;
  readonly tags: readonly string[];
  /** When its payouts were first known; null while they are not. */
  readonly settledAt: EpochMs | null;
  readonly endsAt: EpochMs | null;
  /** By id. */
  readonly alerts: readonly MeasuredAlert[];
  /**
   * By time: the first buys of 1,000 USDC or more of each wallet and outcome, and those of 5,000 or more. `isFirst` selects the
   * former, `usdc` the latter.
   */
  readonly buys: readonly MeasuredBuy[];
}

/** What the stores have of an observed market. */
export interface RecordMarket {
  readonly market: ObservedMarket;
  /** All of them, ascending. */
  readonly hours: readonly ObservedHour[];
  /** All that were published, ascending by id. */
  readonly alerts: readonly Alert[];
  /** Its payouts; null while unsettled. */
  readonly settlement: Settlement | null;
}
