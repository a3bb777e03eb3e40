import type { EpochMs } from '../base/time/duration.ts';
import type { Category, Side, TradeRole } from '../trades/trade.ts';

/** The three patterns the service recognises, from the weakest claim to the strongest (contract, Alert). */
export const ALERT_TYPES = ['fresh', 'fresh_accumulator', 'cluster'] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** One part of a score: the factor, its points, their maximum, and the reason in a few words. */
export interface ScorePart {
  readonly factor: 'wallet_age' | 'markets' | 'to_win' | 'timing' | 'accumulator' | 'cluster';
  readonly points: number;
  readonly max: number;
  readonly note: string;
}

/** Context of an alert beyond its order. */
export interface AlertDetails {
  readonly walletAgeDays: number;
  readonly isAccumulating: boolean;
  /** Buys (orders) of this outcome by this wallet so far, the alert's own included. */
  readonly marketBuyCount: number;
  /** USDC of those buys. */
  readonly marketTotalBought: number;
  /** Their mean price, weighted by shares. */
  readonly marketAvgPrice: number;
  /** Shares of those buys, to 6 decimals. */
  readonly positionShares: number;
  /** The part of them that the wallet still held after the order, 0 to 1, to 4 decimals. For a cluster 1. */
  readonly heldShare: number;
  /**
   * What is won if the alert is right, in USDC before fees: the order of `fresh`, the position of `fresh_accumulator`, the buys
   * of a cluster's members. Shares less their cost, to the cent.
   */
  readonly toWinUsdc: number;
  /**
   * Whether all trades of the position are known, so that its exits will be: false where the wallet, or a member of the cluster, may
   * have traded before the source began.
   */
  readonly isPositionKnown: boolean;
  /**
   * The role of the wallet in the order; null if unknown or not the same in all fills. Absent on alerts from before roles were
   * recorded.
   */
  readonly role?: TradeRole | null;
  /** The members of a cluster and the USDC they bought together; absent for other types. */
  readonly wallets?: readonly string[];
  readonly clusterTotal?: number;
  /** Shares of the cluster's buys, to 6 decimals. */
  readonly clusterShares?: number;
  /** Mean price of the cluster's buys, weighted by shares, to 4 decimals. */
  readonly clusterAvgPrice?: number;
  readonly reasons: readonly ScorePart[];
  /** Version of the rules that made the alert. */
  readonly ruleVersion: string;
}

/** A finding of the detector in one order (all fills of one wallet, asset and side in one second). The ledger gives it an id. */
export interface Candidate {
  /** De-duplication key of the ledger: the same order judged again gives the same key. */
  readonly key: string;
  readonly type: AlertType;
  readonly wallet: string;
  readonly marketId: string;
  readonly eventTitle: string;
  readonly eventSlug: string;
  /** The slug of the event that the market belongs to; null while unknown. */
  readonly marketEvent: string | null;
  readonly side: Side;
  readonly outcome: string;
  readonly outcomeIndex: number;
  /** Mean price of the order, USDC a share, rounded to 6 decimals. */
  readonly entryPrice: number;
  /** Its USDC, rounded to cents. */
  readonly usdc: number;
  /** Its shares, rounded to 6 decimals; profit is computed from them. */
  readonly shares: number;
  /** 0 to 100. */
  readonly score: number;
  readonly category: Category;
  /** Orders: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`. */
  readonly tradeCount: number;
  /** The second of the order. */
  readonly tradedAt: EpochMs;
  readonly details: AlertDetails;
}
