import type { Lease } from '../lease/lease-store.ts';
import type { EpochMs } from '../trade.ts';

/** Rows that a live feed handed over together. */
export interface JournalBatch {
  /** Position of its first row. Positions are dense and start at 1. */
  readonly first: number;
  /** The wall clock when they were accepted. */
  readonly acceptedAt: EpochMs;
  /** Lines of a tape, without line ends; never empty. */
  readonly lines: readonly string[];
}

/** What a live feed handed over, in order, written before it is judged. One writer: the holder of the ingest lease. */
export interface JournalStore {
  /** Writes durably. False, and nothing written, when the lease is no longer current or the position is not the next. */
  append(lease: Lease, batch: JournalBatch): Promise<boolean>;
  /** Batches that hold a row at or after the position, ascending, at most `limit`. */
  from(position: number, limit: number): Promise<readonly JournalBatch[]>;
  /** Position of the oldest row that is kept, and of the next one to be written; both 1 when nothing was ever written. */
  bounds(): Promise<{ readonly oldest: number; readonly next: number }>;
  /**
   * Deletes the oldest batches that lie wholly before the position and were accepted before the moment, at most `limit`;
   * the last batch stays, so that positions go on. Returns how many it deleted.
   */
  prune(bound: { position: number; acceptedBefore: EpochMs; limit: number }): Promise<number>;
}
