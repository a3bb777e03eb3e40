import type { Category } from '../category.ts';
import type { EpochMs } from '../trade.ts';

/** A time in which a market is observed by the minute: whole hours, the end excluded. */
export interface MinuteSpan {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** An alert in a market that is observed. Times are those of the source (on a tape, the tape's own), not published time. */
export interface ObservedAlert {
  /** Of the alert's candidate. */
  readonly key: string;
  readonly tradedAt: EpochMs;
  /** When its order was closed; on a live source, when it was published. */
  readonly detectedAt: EpochMs;
}

/** A market that is observed because it has an alert. Times are those of the source. */
export interface ObservedMarket {
  readonly marketId: string;
  /** Token id of the outcome on whose scale the bars are: the first that was seen. The other outcome's price is 1 minus it. */
  readonly baseAsset: string;
  readonly baseOutcome: string;
  /** In the market's payouts; 999 while unknown. */
  readonly baseOutcomeIndex: number;
  /** Null until an order in the other outcome was seen. */
  readonly otherAsset: string | null;
  readonly question: string;
  readonly slug: string;
  /** Of the event that the market belongs to; null while unknown. */
  readonly eventSlug: string | null;
  readonly eventTitle: string | null;
  readonly category: Category;
  /** Orders before this moment were not all remembered when the alert was made: bars before it may be incomplete. */
  readonly completeFrom: EpochMs;
  /** In the order in which they were found. */
  readonly alerts: readonly ObservedAlert[];
  /** Merged, ascending. Hours outside of them are observed as a whole, from the first span on until it is settled. */
  readonly spans: readonly MinuteSpan[];
  /** When the market's payouts were first known; null while unsettled. */
  readonly settledAt: EpochMs | null;
  /** False once it is settled, its last span has passed, and no late order can reach either. */
  readonly isOpen: boolean;
}

/** What happened in a market in one hour, in canonical JSON (see docs/observations.md). Replaced as a whole. */
export interface ObservedHour {
  readonly marketId: string;
  /** The start of the hour. */
  readonly hour: EpochMs;
  readonly text: string;
}
