/*
 * The record as it is published (docs/method.md). Instants are ISO 8601 texts in UTC with milliseconds, days are
 * `YYYY-MM-DD`. Prices, moves and results are USDC a share with 6 decimals.
 */

/** The figures of a stage: the move of the price in a day, and what held shares paid. */
export const FIGURES = ['move_24h', 'won_minus_price'] as const;
export type FigureName = (typeof FIGURES)[number];

/** A mean of those counted alerts that have the figure. */
export interface RecordMean {
  readonly alerts: number;
  readonly events: number;
  /** Mean of the events, each the mean of its alerts. Null where there is none. */
  readonly mean: number | null;
  /** Mean of the alerts, each with one vote. */
  readonly per_alert: number | null;
}

/** `rehearsal`: alerts from before the plan's start. */
export const STAGES = ['rehearsal', 'plan'] as const;
export type RecordStageName = (typeof STAGES)[number];

/** `not_shown`: neither bettor ever reached the threshold; `above`: who bought did, `below`: who bet against it did. */
export const RECORD_VERDICTS = ['not_shown', 'above', 'below'] as const;
export type Verdict = (typeof RECORD_VERDICTS)[number];

/** The capital of a bettor who began with $1. */
export interface RecordCapital {
  /** Free now: what is staked counts as lost. */
  readonly now: number;
  readonly highest: number;
  /** When it first reached the threshold; null if never. */
  readonly reached_at: string | null;
}

/** A bettor on the alerts and one against them. */
export interface RecordBettor {
  /**
   * USDC from which the capital shows that prices are not fair: chance alone reaches it with a probability of at most 1 in this
   * number.
   */
  readonly threshold: number;
  readonly bets: number;
  readonly open: number;
  readonly bought: RecordCapital;
  readonly sold: RecordCapital;
  readonly verdict: Verdict;
}

/** The capital of a bettor on the alerts after a closed bet. */
export interface RecordCapitalPoint {
  readonly at: string;
  readonly capital: number;
}

/** The bettor of the primary figure, `move_24h`. */
export interface MoveBettor extends RecordBettor {
  /** Ascending by time. */
  readonly course: readonly RecordCapitalPoint[];
  /** Mean move of the closed bets, USDC a share; null without one. */
  readonly mean: number | null;
  /** The 96 % interval of the mean move, valid at any time; null where it has no end. */
  readonly low: number | null;
  readonly high: number | null;
}

/** How many alerts there are, and what became of them. */
export interface RecordCounts {
  readonly alerts: number;
  /** The first of each wallet, market and outcome: all that follows counts only these. */
  readonly counted: number;
  readonly events: number;
  readonly settled: number;
  /** Settled alerts whose outcome paid the whole dollar, and those whose outcome paid nothing. */
  readonly right: number;
  readonly wrong: number;
}

/** The alerts before or since the start of the plan, of all versions of the rules. */
export interface RecordStage {
  readonly stage: RecordStageName;
  readonly first_alert_at: string;
  readonly last_alert_at: string;
  readonly conclusion: string;
  readonly bettor: MoveBettor;
  readonly holder: RecordBettor;
  readonly counts: RecordCounts;
  readonly figures: Readonly<Record<FigureName, RecordMean>>;
}

/** A verdict of an earlier record that was withdrawn because data was corrected. */
export interface WithdrawnVerdict {
  readonly stage: RecordStageName;
  readonly bettor: 'bettor' | 'holder';
  readonly verdict: Exclude<Verdict, 'not_shown'>;
  readonly reached_at: string;
  /** `as_of` of the first record without it. */
  readonly withdrawn_at: string;
}

/** The record as it is published (`record.json`). Its dates are on the clock of the alerts, which a replay moves. */
export interface RecordReport {
  /** The time up to which everything is used. */
  readonly as_of: string;
  readonly rules: { readonly version: string; readonly sha256: string };
  /** The first day (UTC) whose alerts count for the plan. */
  readonly plan: { readonly starts_at: string };
  /** The conclusion of the newest stage. */
  readonly conclusion: string;
  /** How many of the newest stage's settled bets were right, and what their prices needed, in words; null without one. */
  readonly results: string | null;
  /** Newest first. */
  readonly stages: readonly RecordStage[];
  /** Oldest first. */
  readonly withdrawn: readonly WithdrawnVerdict[];
}
