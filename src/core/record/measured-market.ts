import type { Alert } from '../alerts/alert.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import type { Settlement } from '../alerts/settlement.ts';
import type { EpochMs } from '../base/time/duration.ts';
import type { AlertType } from '../detection/candidate.ts';
import type { Category } from '../trades/trade.ts';
import type { ObservedHour, ObservedMarket } from './observations/observation-store.ts';

/** Prices around a buy, USDC a share of the outcome that was bought, 6 decimals; null where they are not known. */
export interface PriceMove {
  /**
   * `measured`: `value` is known. `pending`: not yet. `no_price`: no order came in the time in which a reader could buy.
   * `unobserved`: orders of that time were not all kept.
   */
  readonly state: 'measured' | 'pending' | 'no_price' | 'unobserved';
  /** The first order in the time in which a reader could buy. */
  readonly openedAt: EpochMs | null;
  readonly price: number | null;
  /** The last price in the hour before the order. */
  readonly before: number | null;
  /** 1 h and 24 h after `openedAt`: the first order from then on, or the payout. */
  readonly afterHour: number | null;
  readonly closedAt: EpochMs | null;
  readonly value: number | null;
}

/**
 * What a follower of an alert would have paid and received: the first taker buy of its outcome, 60 s to 1 h after publication.
 */
export interface FollowerResult {
  /**
   * `waiting`: no fill yet, the hour is not over. `not_fillable`: no such buy. `settlement`: filled, the market is not settled yet.
   * `fee_unknown`: settled, without a known fee rate. `unobserved`: no such buy, and the minutes were not all kept.
   */
  readonly state: 'waiting' | 'not_fillable' | 'settlement' | 'fee_unknown' | 'settled' | 'unobserved';
  readonly filledAt: EpochMs | null;
  readonly price: number | null;
  /** USDC a share: rate × price × (1 − price). Null without a fill, and while the rate is unknown. */
  readonly fee: number | null;
  /** payout − price − fee, USDC a share; known when the market is settled. */
  readonly result: number | null;
}

/** Buys of other wallets in the outcome of an alert, measured as the alert is. */
export interface MeasuredControls {
  /** 0 until the time in which they are searched is over. */
  readonly eligible: number;
  /** How many of them have a value 24 h later. */
  readonly measured: number;
  /** Their USDC. */
  readonly usdc: number;
  /** Mean move in 24 h of those measured; null without one. */
  readonly move24h: number | null;
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
  readonly entryPrice: number;
  readonly usdc: number;
  /** Mean price of the position (for a cluster, of its buys); null where the position is just the order. */
  readonly positionPrice: number | null;
  /** First of its wallet, market and outcome: only these count. */
  readonly isFirst: boolean;
  readonly move: PriceMove;
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
  /** USDC that it would win. */
  readonly toWin: number;
  /** Measured as an alert that was published at the second of its order. */
  readonly move: PriceMove;
  readonly payout: number | null;
  /** Whether it is the first buy of 1,000 or more of its wallet and outcome; otherwise it is the first of 5,000 or more. */
  readonly isFirst: boolean;
}

/** A wallet's position of alerts that was sold on the market, wholly or in part, before a settlement that is known. USDC before fees. */
export interface MeasuredExit {
  /** Publication of its first alert, in the source's time. */
  readonly publishedAt: EpochMs;
  /** What the sales brought beyond the cost of the shares. */
  readonly realized: number;
  /** What the same shares would have brought if they had been held. */
  readonly held: number;
}

/** The figures of a market with alerts. */
export interface MeasuredMarket {
  /** Slug of the event; of the market where the event is unknown. */
  readonly event: string;
  /** When its payouts were first known; null while they are not. */
  readonly settledAt: EpochMs | null;
  /** By id. */
  readonly alerts: readonly MeasuredAlert[];
  /** Ordered by time: the first buys of 1,000 USDC or more, and of 5,000 or more, of each wallet and outcome. */
  readonly buys: readonly MeasuredBuy[];
  /** None while it is not settled. */
  readonly exits: readonly MeasuredExit[];
}

/** What the stores have of an observed market. */
export interface RecordMarket {
  readonly market: ObservedMarket;
  /** The hours of its spans, and the first hour after each; ascending. */
  readonly hours: readonly ObservedHour[];
  /** All that were published, ascending by id. */
  readonly alerts: readonly Alert[];
  readonly exits: readonly Exit[];
  /** Its payouts; null while unsettled. */
  readonly settlement: Settlement | null;
}
