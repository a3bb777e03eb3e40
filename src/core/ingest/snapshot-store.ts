import type { Lease, LeaseStore } from '../base/lease/lease.ts';

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
  /** The id of its set. */
  readonly set: string;
  readonly position: number;
  /** At most about 1 MB. */
  readonly text: string;
}

/** The ingest lease, and the snapshots that only its holder may write. */
export interface SnapshotStore extends LeaseStore {
  readSnapshot(source: string): Promise<Snapshot | null>;
  /** Chunks of a set in order; fewer than the limit at its end, or when a newer snapshot has replaced the set. */
  readChunks(
    set: string,
    range: { readonly first: number; readonly limit: number },
  ): Promise<readonly string[]>;
  /**
   * Adds chunks of a source, at most a few MB. They belong to no snapshot until `writeSnapshot` names them. False, and
   * nothing written, when the lease's epoch is not current any more.
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
