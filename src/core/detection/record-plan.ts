/** What the record can compare (docs/method.md describes each). */
export const COMPARISONS = [
  'drift_24h_minus_controls',
  'won_minus_price',
  'follower_pro',
  'drift_1h_minus_controls',
  'drift_24h_minus_rivals_1000',
] as const;
export type ComparisonName = (typeof COMPARISONS)[number];

/**
 * What the record of the alerts is judged by, and when. It is a part of the rules, so that the log proves that it was fixed
 * before the alerts it judges. The detector does not use it. Days are `YYYY-MM-DD`, UTC.
 */
export interface RecordPlan {
  /** The first day whose alerts are judged. */
  readonly startsAt: string;
  /** The only days at whose end there is a verdict, ascending; it uses what was known then. */
  readonly verdictDays: readonly string[];
  /** The first is the primary one. The weights divide the error that a verdict may have, and add up to 1. */
  readonly comparisons: readonly { readonly name: ComparisonName; readonly weight: number }[];
}

/** The quarter ends of 2027. Four fifths of the error are for the primary comparison. */
export const DEFAULT_PLAN: RecordPlan = {
  startsAt: '2027-01-01',
  verdictDays: ['2027-03-31', '2027-06-30', '2027-09-30', '2027-12-31'],
  comparisons: COMPARISONS.map((name, index) => ({ name, weight: index === 0 ? 0.8 : 0.05 })),
};
