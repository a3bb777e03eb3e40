/**
 * Since when alerts count for the record (docs/method.md). It is a part of the rules, so that the log proves that it was
 * fixed before the alerts it judges. The detector does not use it.
 */
export interface RecordPlan {
  /** The first day whose alerts are judged, `YYYY-MM-DD`, UTC. */
  readonly startsAt: string;
}

/** Alerts count from the first day of 2027. */
export const DEFAULT_PLAN: RecordPlan = { startsAt: '2027-01-01' };
