import type { EpochMs } from '../trade.ts';
import type { BlindWindow } from './blind-window.ts';

/** How far a live feed has come, kept so that the next start knows what it missed. */
export interface FeedPosition {
  /** When the feed began to watch for the first time. */
  readonly since: EpochMs;
  /** Every trade up to this moment that the market listed was offered, but for those of blind windows. */
  readonly confirmedUntil: EpochMs;
  /** The time of the oldest trade that was offered and is not judged yet (it waits for facts); null when none waits. */
  readonly oldestWaiting: EpochMs | null;
}

/** The record of what a live feed saw and did not see. */
export interface FeedHealthStore {
  /** Inserts or replaces the window with this id. */
  putWindow(window: BlindWindow): Promise<void>;
  /** Newest first by start: those that overlap [since, until], at most `limit`. */
  windows(query: { since: EpochMs; until: EpochMs; limit: number }): Promise<readonly BlindWindow[]>;
  /** Those that began at or after `since` or are not over, and are not known to be backfilled. Newest first, at most 1,000. */
  unsettled(since: EpochMs): Promise<readonly BlindWindow[]>;
  readPosition(): Promise<FeedPosition | null>;
  writePosition(position: FeedPosition): Promise<void>;
}

/** The most windows that `unsettled` gives. */
export const UNSETTLED_WINDOWS_MAX = 1_000;
