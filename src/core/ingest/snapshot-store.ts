import type { Lease, LeaseStore } from '../lease/lease-store.ts';

/** Chunks of a state in order, under an id that is used once. */
export interface ChunkSet {
  readonly id: string;
  /** Those from position 0 on that belong to the snapshot; there may be more. */
  readonly count: number;
}

/** Where a source stands, and which chunks hold what the detector knew there. */
export interface Snapshot {
  /** Names the source, so that another tape starts from its own beginning. */
  readonly source: string;
  /** The source's position and time mapping, plain JSON. */
  readonly checkpoint: unknown;
  /** In the order in which they are to be read; null before the first trade. */
  readonly sets: readonly ChunkSet[] | null;
}

/** A piece of the detector's state. */
export interface Chunk {
  /** The id of its set. */
  readonly set: string;
  readonly position: number;
  /** Of at most about 1 MB. */
  readonly text: string;
}

/** The one-writer lease, and the snapshots that only its holder may write. */
export interface SnapshotStore extends LeaseStore {
  readSnapshot(source: string): Promise<Snapshot | null>;
  /** Chunks of a set in order; fewer than the limit where it has no more, or where a newer snapshot has replaced it. */
  readChunks(
    set: string,
    range: { readonly first: number; readonly limit: number },
  ): Promise<readonly string[]>;
  /**
   * Adds chunks of a source, of a few MB at most. They are no part of a snapshot until `writeSnapshot` names them. False, and
   * nothing written, when the lease's epoch is no longer current.
   */
  writeChunks(lease: Lease, source: string, chunks: readonly Chunk[]): Promise<boolean>;
  /** Replaces the snapshot of its source in one step; its chunks are there already. False like `writeChunks`. */
  writeSnapshot(lease: Lease, snapshot: Snapshot): Promise<boolean>;
  /**
   * Deletes chunks of the source that its snapshot does not name, at most so many, and says how many: those of snapshots
   * before, and those of writers that were killed. Not to be called while chunks of a new snapshot are being written.
   */
  dropChunks(lease: Lease, source: string, limit: number): Promise<number>;
}
