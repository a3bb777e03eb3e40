import type { Lease, LeaseStore } from './lease-store.ts';

/** Where a source stands and what the detector knew there. Written whole or not at all. */
export interface Snapshot {
  /** Names the source, so that another tape starts from its own beginning. */
  readonly source: string;
  /** The source's position and time mapping, plain JSON. */
  readonly checkpoint: unknown;
  /** The detector's state, JSON text in pieces of at most about 1 MB; null before the first trade. */
  readonly chunks: readonly string[] | null;
}

/** The one-writer lease, and the snapshot that only its holder may write. */
export interface IngestStore extends LeaseStore {
  readSnapshot(source: string): Promise<Snapshot | null>;
  /** Replaces the snapshot of its source. False, and nothing written, when the lease's epoch is no longer current. */
  writeSnapshot(lease: Lease, snapshot: Snapshot): Promise<boolean>;
}
