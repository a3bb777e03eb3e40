/** Metrics of the feed health. */
export interface FeedHealthMetrics {
  /** Age of the moment up to which every trade is known, in milliseconds, and the current visibility. */
  feedConfirmed(ageMs: number, visibility: FeedVisibility): void;
}

/** `unconfirmed`: trades come only from a source that does not guarantee completeness. */
export type FeedVisibility = 'seen' | 'unconfirmed' | 'blind';
