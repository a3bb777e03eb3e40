/*
 * The record as it is published (docs/method.md). Instants are ISO 8601 texts in UTC with milliseconds, days are
 * `YYYY-MM-DD`. Prices and moves are USDC a share with 6 decimals.
 */

/** `not_shown`: neither bettor ever reached the threshold; `above`: who bought did, `below`: who bet against it did. */
export const RECORD_VERDICTS = ['not_shown', 'above', 'below'] as const;
export type Verdict = (typeof RECORD_VERDICTS)[number];

/** The capital of a bettor who began with $1: free now, where what is staked counts as lost, and at most. */
export interface RecordCapital {
  readonly now: number;
  readonly highest: number;
}

/** A mean, its interval and its verdict, all of the same bets. */
export interface RecordFigure {
  /**
   * USDC from which the capital shows that prices are not fair: chance alone reaches it with a probability of at most 1 in this
   * number.
   */
  readonly threshold: number;
  readonly bets: number;
  /** Bets whose end is unknown. */
  readonly open: number;
  /** Mean of the closed bets; null without one. */
  readonly mean: number | null;
  /** The interval of the mean, valid at any time if the average is steady; null where it has no end. */
  readonly low: number | null;
  readonly high: number | null;
  /** A bettor on the alerts, and one against them. */
  readonly bought: RecordCapital;
  readonly sold: RecordCapital;
  readonly verdict: Verdict;
}

/** The capital of a bettor on the alerts: when the first bet was opened, and after each closed bet. */
export interface RecordCapitalPoint {
  readonly at: string;
  readonly capital: number;
}

/** The record (`record.json`). Its dates are on the clock of the alerts, which a replay moves. */
export interface RecordReport {
  /** The time up to which everything is used. */
  readonly as_of: string;
  readonly rules: { readonly version: string; readonly sha256: string };
  /** The first day (UTC) whose alerts count. */
  readonly starts_at: string;
  /** That day has not come: the record is that of all alerts so far, and starts anew with it. */
  readonly is_rehearsal: boolean;
  readonly conclusion: string;
  /** How many settled bets were right, and what their prices needed, in words; null without one. */
  readonly results: string | null;
  readonly alerts: number;
  /** The first alert of each wallet, market and outcome: all that follows counts only these. */
  readonly counted: number;
  readonly settled: number;
  /** Settled, and the outcome paid the whole dollar. */
  readonly right: number;
  /** Price a day later minus price paid, one bet at a time. */
  readonly day_later: RecordFigure;
  /** Payout minus price paid, one bet per event. */
  readonly payout: RecordFigure;
  /** Of the bettor on `day_later`, ascending by time; empty without a bet. */
  readonly bankroll: readonly RecordCapitalPoint[];
}
