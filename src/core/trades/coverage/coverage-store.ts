import type { EpochMs } from '../../base/time/duration.ts';
import type { BlindWindow } from './blind-window.ts';

/** Progress of a live feed, stored so that the next start knows what it missed. */
export interface FeedPosition {
  /** When the feed was started for the first time. */
  readonly since: EpochMs;
  /** Every trade up to this moment that the market listed was enqueued, except those of blind windows. */
  readonly confirmedUntil: EpochMs;
  /** Time of the oldest trade that is enqueued and not judged yet; null when there is none. */
  readonly oldestWaiting: EpochMs | null;
}

/** Stores which times a live feed covered and which it missed. */
export interface CoverageStore {
  /** Inserts or replaces the window with this id. */
  putWindow(window: BlindWindow): Promise<void>;
  /** Windows that overlap [since, until], newest first by start, at most `limit`. */
  windows(query: { since: EpochMs; until: EpochMs; limit: number }): Promise<readonly BlindWindow[]>;
  /** Windows without `backfilledAt` that began at or after `since` or are open. Newest first, at most 1,000. */
  unsettled(since: EpochMs): Promise<readonly BlindWindow[]>;
  readPosition(): Promise<FeedPosition | null>;
  writePosition(position: FeedPosition): Promise<void>;
}

/** The most windows that `unsettled` returns. */
export const UNSETTLED_WINDOWS_MAX = 1_000;
