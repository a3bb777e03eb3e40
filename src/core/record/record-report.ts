import type { ComparisonName } from '../detection/record-plan.ts';
import type { FollowerResult, PriceMoves } from './measured-market.ts';

/*
 * The record as it is published (docs/method.md). Instants are ISO 8601 texts in UTC with milliseconds, days are
 * `YYYY-MM-DD`. Prices, drifts and results are USDC a share with 6 decimals.
 */

/** All figures of a period, in the order in which they are shown. Those of `rivals_…` are of buys, the others of alerts. */
export const FIGURES = [
  'impact',
  'drift_1h',
  'drift_24h',
  'drift_24h_from_entry',
  'controls_drift_1h',
  'controls_drift_24h',
  'drift_1h_minus_controls',
  'drift_24h_minus_controls',
  'drift_24h_minus_rivals_1000',
  'won_minus_price',
  'position_won_minus_price',
  'follower_free',
  'follower_pro',
  'rivals_1000_drift_24h',
  'rivals_1000_won_minus_price',
  'rivals_5000_drift_24h',
  'rivals_5000_won_minus_price',
  'rivals_by_usdc_drift_24h',
  'rivals_by_usdc_won_minus_price',
  'rivals_by_profit_at_stake_drift_24h',
  'rivals_by_profit_at_stake_won_minus_price',
] as const;
export type FigureName = (typeof FIGURES)[number];

/** A mean without an interval. */
export interface RecordMean {
  /** Counted alerts (of rivals: buys) that have this figure. */
  readonly alerts: number;
  readonly events: number;
  /** Mean of the events, each the mean of its alerts. Null where there is none. */
  readonly mean: number | null;
}

/** A mean of alerts or buys, one vote for each event, with its interval. */
export interface RecordFigure extends RecordMean {
  readonly blocks: number;
  /** The 95 % interval of `mean` by bootstrap of blocks; null for fewer than two blocks. */
  readonly low: number | null;
  readonly high: number | null;
  /** Mean of the alerts, each with one vote. */
  readonly per_alert: number | null;
}

/** `too_few`: fewer than 50 blocks; `not_shown`: not shown to differ from the price. */
export type Verdict = 'too_few' | 'not_shown' | 'above' | 'below';

/** One comparison at a verdict day: its figure from what was known then, and what is concluded. */
export interface RecordComparison extends RecordFigure {
  readonly name: ComparisonName;
  /** Its part of the error that the plan allows; the weights add up to 1. */
  readonly weight: number;
  /** Two-sided; null with fewer than 50 blocks. */
  readonly p: number | null;
  /** By weighted Holm over the comparisons, times the number of verdict days: compared with 0.05. */
  readonly p_adjusted: number | null;
  readonly verdict: Verdict;
  /** The same as a sentence. */
  readonly text: string;
}

/** What was said at a verdict day, from what was known at its end. */
export interface RecordVerdict {
  readonly day: string;
  /** Of the primary comparison, as a sentence. */
  readonly text: string;
  /** In the order of the plan; the first is the primary one. */
  readonly comparisons: readonly RecordComparison[];
}

/** Every counted alert is in exactly one of these. */
export type DriftCounts = Readonly<Record<PriceMoves['state'], number>>;
/** The same of their followers. */
export type FollowerCounts = Readonly<Record<FollowerResult['state'], number>>;

/** How many alerts there are, and why some of the counted ones have no figure. */
export interface RecordCounts {
  readonly alerts: number;
  /** The first of each wallet, market and outcome: all that follows counts only these. */
  readonly counted: number;
  readonly events: number;
  readonly blocks: number;
  readonly settled: number;
  readonly drift_24h: DriftCounts;
  /** Measured alerts with fewer than two measured controls: they have no figure minus controls. */
  readonly few_controls: number;
  readonly follower_free: FollowerCounts;
  readonly follower_pro: FollowerCounts;
}

/** What the controls of the counted alerts are like. */
export interface RecordControls {
  readonly drawn: number;
  readonly measured: number;
  /** Mean size, USDC a buy. Null without one. */
  readonly mean_usdc: number | null;
  readonly alerts_mean_usdc: number | null;
  /** Share of them that bought the outcome of their alert, 0 to 1. Null without one. */
  readonly same_outcome: number | null;
}

/** Counted alerts of a kind. Groups have no verdicts: among so many one looks good by chance. */
export interface RecordGroup {
  /** A month (`2027-03`, UTC, by publication), alert type, band of the score, or category. */
  readonly name: string;
  readonly alerts: number;
  readonly events: number;
  readonly drift_24h_minus_controls: RecordMean;
  readonly won_minus_price: RecordMean;
}

/** The same alerts divided in four ways. */
export type RecordGroups = Readonly<
  Record<'months' | 'types' | 'bands' | 'categories', readonly RecordGroup[]>
>;

/** The alerts of one version of the rules, before or since the start of the plan. */
export interface RecordPeriod {
  readonly rule_version: string;
  /** Verdicts exist for `plan` only: alerts published since the plan's start. */
  readonly stage: 'before_plan' | 'plan';
  /** Publication of its first and of its last alert. */
  readonly first_alert_at: string;
  readonly last_alert_at: string;
  readonly conclusion: string;
  readonly counts: RecordCounts;
  readonly figures: Readonly<Record<FigureName, RecordFigure>>;
  readonly controls: RecordControls;
  /** Newest first. */
  readonly verdicts: readonly RecordVerdict[];
  /** The end of the next verdict day; null after the last one and in `before_plan`. */
  readonly next_verdict_at: string | null;
  readonly groups: RecordGroups;
}

/** The record as it is published (`record.json`). */
export interface RecordReport {
  /** The time of the source up to which everything is used. */
  readonly as_of: string;
  readonly rules: { readonly version: string; readonly sha256: string };
  /** That of the rules in force. */
  readonly plan: {
    readonly starts_at: string;
    readonly verdict_days: readonly string[];
    readonly comparisons: readonly { readonly name: ComparisonName; readonly weight: number }[];
  };
  /** That of the newest period, as one text; a sentence of its own without alerts. */
  readonly conclusion: string;
  /** Newest first. */
  readonly periods: readonly RecordPeriod[];
}

/** Bands of the score, highest first, with the lowest score of each (detection.md, "Detection"). */
export const SCORE_BANDS = [
  { band: 'very_high', from: 80 },
  { band: 'strong', from: 60 },
  { band: 'moderate', from: 40 },
  { band: 'informational', from: 0 },
] as const;

/** The band of a score of 0 to 100: 80 and above very high, 60 strong, 40 moderate, below informational. */
export function scoreBandOf(score: number): (typeof SCORE_BANDS)[number]['band'] {
  return SCORE_BANDS.find(({ from }) => score >= from)?.band ?? 'informational';
}
