import type { Lease } from '../base/lease/lease.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** Ordered chunks of a state, under an id that is never reused. */
export interface ChunkSet {
  readonly id: string;
  /** Chunks from position 0 that belong to the snapshot; the store may have more. */
  readonly count: number;
}

/** Position of a source, and the chunks with the detector's state at that position. */
export interface Snapshot {
  /** Name of the source, so that another tape starts at its own beginning. */
  readonly source: string;
  /** The source's position and time mapping, plain JSON. */
  readonly checkpoint: unknown;
  /** In the order in which they must be read; null before the first trade. */
  readonly sets: readonly ChunkSet[] | null;
}

/** A piece of the detector's state. */
export interface Chunk {
  readonly set: string;
  readonly position: number;
  /** At most about 1 MB. */
  readonly text: string;
}

/** Snapshots, which only the holder of the lease may write. */
export interface SnapshotStore {
  readSnapshot(source: string): Promise<Snapshot | null>;
  /** Chunks of a set in order; fewer than the limit at its end, or when a newer snapshot has replaced the set. */
  readChunks(
    set: string,
    range: { readonly first: number; readonly limit: number },
  ): Promise<readonly string[]>;
  /**
   * Adds chunks of a source, at most a few MB. They belong to no snapshot until `writeSnapshot` names them. False, and
   * nothing written, when the lease's epoch is no longer current.
   */
  writeChunks(lease: Lease, source: string, chunks: readonly Chunk[]): Promise<boolean>;
  /** Replaces the snapshot of its source atomically; its chunks are stored already. False as in `writeChunks`. */
  writeSnapshot(lease: Lease, snapshot: Snapshot): Promise<boolean>;
  /**
   * Deletes at most `limit` chunks that the source's snapshot does not name, left by older snapshots and killed writers.
   * Returns the number of deleted chunks. Must not be called while chunks of a new snapshot are being written.
   */
  dropChunks(lease: Lease, source: string, limit: number): Promise<number>;
}

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
