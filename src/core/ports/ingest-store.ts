import type { EpochMs } from '../trade.ts';

/** Where a source stands and what the detector knew there. Written whole or not at all. */
export interface Snapshot {
  /** Names the source, so that another tape starts from its own beginning. */
  readonly source: string;
  /** The source's position and time mapping, plain JSON. */
  readonly checkpoint: unknown;
  /** The detector's state, JSON text in pieces of at most about 1 MB; null before the first trade. */
  readonly chunks: readonly string[] | null;
}

/** A lease held by one ingesting process. `epoch` grows with every change of hands. */
export interface Lease {
  readonly epoch: number;
}

/** The one-writer lease, and the snapshot that only its holder may write. */
export interface IngestStore {
  /** Null while another owner holds an unexpired lease, unless `isGone(owner)` says that owner no longer lives. */
  acquire(claim: {
    owner: string;
    now: EpochMs;
    ttlMs: number;
    isGone(owner: string): boolean;
  }): Promise<Lease | null>;
  /** False when the lease is no longer ours. */
  renew(lease: Lease, claim: { owner: string; now: EpochMs; ttlMs: number }): Promise<boolean>;
  /** Ends the lease if it is ours; the epoch stays, so that the next holder gets a larger one. */
  release(lease: Lease): Promise<void>;
  readSnapshot(source: string): Promise<Snapshot | null>;
  /** Replaces the snapshot of its source. False, and nothing written, when the lease's epoch is no longer current. */
  writeSnapshot(lease: Lease, snapshot: Snapshot): Promise<boolean>;
}
