import type { Lease } from '../base/lease/lease.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** Rows that a live feed delivered together. */
export interface JournalBatch {
  /** Position of its first row. Positions are dense and start at 1. */
  readonly first: number;
  readonly acceptedAt: EpochMs;
  /** Lines of a tape, without line ends; never empty. */
  readonly lines: readonly string[];
}

/** The rows a live feed delivered, in order, written before they are judged. Its only writer holds the lease. */
export interface JournalStore {
  /** Writes durably. False, and nothing written, when the lease is not current or the position is not the next. */
  append(lease: Lease, batch: JournalBatch): Promise<boolean>;
  /** Batches with a row at or after the position, ascending, at most `limit`. */
  from(position: number, limit: number): Promise<readonly JournalBatch[]>;
  /** Position of the oldest stored row and of the next row to be written; both 1 in a new journal. */
  bounds(): Promise<{ readonly oldest: number; readonly next: number }>;
  /**
   * Deletes the oldest batches that lie completely before the position and were accepted before the moment, at most
   * `limit`. The last batch stays, so that positions continue. Returns the number of deleted batches.
   */
  prune(bound: { position: number; acceptedBefore: EpochMs; limit: number }): Promise<number>;
}
