/** Metrics of the feed health. */
export interface FeedHealthMetrics {
  /** How old the last moment is up to which every trade is known, milliseconds; and what the feed sees. */
  feedConfirmed(ageMs: number, sight: FeedVisibility): void;
}

/** `unconfirmed`: trades are shown by a source that vouches for nothing. */
export type FeedVisibility = 'seen' | 'unconfirmed' | 'blind';
