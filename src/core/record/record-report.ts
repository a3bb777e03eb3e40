import type { FollowerResult, PriceMove } from './measured-market.ts';

/*
 * The record as it is published (docs/method.md). Instants are ISO 8601 texts in UTC with milliseconds, days are
 * `YYYY-MM-DD`. Prices, moves and results are USDC a share with 6 decimals.
 */

/** All figures of a stage, in the order in which they are shown. Those of `rivals_…` are of buys, the others of alerts. */
export const FIGURES = [
  'impact',
  'move_1h',
  'move_24h',
  'move_24h_from_entry',
  'controls_move_24h',
  'move_24h_minus_controls',
  'won_minus_price',
  'position_won_minus_price',
  'follower_free',
  'follower_pro',
  'rivals_1000_move_24h',
  'rivals_1000_won_minus_price',
  'rivals_5000_move_24h',
  'rivals_5000_won_minus_price',
  'rivals_by_usdc_move_24h',
  'rivals_by_usdc_won_minus_price',
  'rivals_by_to_win_move_24h',
  'rivals_by_to_win_won_minus_price',
] as const;
export type FigureName = (typeof FIGURES)[number];

/** A mean of counted alerts or, for rivals, of buys. */
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

/** The bettor of the primary figure, `move_24h`. */
export interface MoveBettor extends RecordBettor {
  /** Mean move of the closed bets, USDC a share; null without one. */
  readonly mean: number | null;
  /** The 96 % interval of the mean move, valid at any time; null where it has no end. */
  readonly low: number | null;
  readonly high: number | null;
  /** The capital over time, ascending, of some hundred points at most; none without a bet. */
  readonly course: readonly RecordCoursePoint[];
}

/** The capital of both bettors at a moment. */
export interface RecordCoursePoint {
  readonly at: string;
  readonly bought: number;
  readonly sold: number;
}

/** Counted alerts by the state of their move: each is in exactly one. */
export type MoveCounts = Readonly<Record<PriceMove['state'], number>>;
/** The same by the state of a follower. */
export type FollowerCounts = Readonly<Record<FollowerResult['state'], number>>;

/** How many alerts there are, and why some of the counted ones have no figure. */
export interface RecordCounts {
  readonly alerts: number;
  /** The first of each wallet, market and outcome: all that follows counts only these. */
  readonly counted: number;
  readonly events: number;
  readonly settled: number;
  /** Settled alerts whose outcome paid the whole dollar, and those whose outcome paid nothing. */
  readonly right: number;
  readonly wrong: number;
  readonly move_24h: MoveCounts;
  readonly follower_free: FollowerCounts;
  readonly follower_pro: FollowerCounts;
}

/** What the controls of the counted alerts are like: mean sizes in USDC, null without one. */
export interface RecordControls {
  readonly eligible: number;
  readonly measured: number;
  readonly mean_usdc: number | null;
  readonly alerts_mean_usdc: number | null;
}

/** Positions that were sold on the market before their market was settled, all shares together. USDC before fees; without a verdict. */
export interface RecordExits {
  /** Positions of wallets, each once; only in settled markets. */
  readonly positions: number;
  /** Proceeds of the sales minus the cost of the shares. */
  readonly realized_usdc: number;
  /** What the same shares would have brought if they had been held to the settlement. */
  readonly held_usdc: number;
}

/** Counted alerts of a kind. Groups have no verdicts: among so many one looks good by chance. */
export interface RecordGroup {
  /** A month (`2027-03`, UTC, by publication), alert type, band of the score, category, or version of the rules. */
  readonly name: string;
  readonly alerts: number;
  readonly events: number;
  readonly move_24h: RecordMean;
  readonly won_minus_price: RecordMean;
}

/** The same alerts divided in five ways. */
export type RecordGroups = Readonly<
  Record<'months' | 'types' | 'bands' | 'categories' | 'rules', readonly RecordGroup[]>
>;

/** The alerts before or since the start of the plan, of all versions of the rules. */
export interface RecordStage {
  readonly stage: RecordStageName;
  readonly first_alert_at: string;
  readonly last_alert_at: string;
  readonly conclusion: string;
  readonly bettor: MoveBettor;
  readonly holder: RecordBettor;
  readonly counts: RecordCounts;
  /** `won_minus_price` of the alerts with a measured move, and of the others: whether they are alike. */
  readonly coverage: { readonly measured: RecordMean; readonly rest: RecordMean };
  readonly figures: Readonly<Record<FigureName, RecordMean>>;
  readonly controls: RecordControls;
  readonly exits: RecordExits;
  readonly groups: RecordGroups;
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

const CSV_COLUMNS = ['stage', 'month', 'figure', 'alerts', 'events', 'mean'] as const;
const CSV_FIGURES = ['move_24h', 'won_minus_price'] as const;

/** Months as CSV (RFC 4180): a row per stage, month and figure, newest stage first (docs/method.md). */
export function recordCsv({ stages }: Pick<RecordReport, 'stages'>): string {
  const rows = stages.flatMap(({ stage, groups }) =>
    groups.months.flatMap((month) =>
      CSV_FIGURES.map((figure) => {
        const { alerts, events, mean } = month[figure];
        return [stage, month.name, figure, String(alerts), String(events), String(mean ?? '')];
      }),
    ),
  );
  return [CSV_COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
