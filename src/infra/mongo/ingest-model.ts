import type { ChunkSet } from '../../core/ingest/snapshot-store.ts';
import type { Lease, LeaseName } from '../../core/lease/lease-store.ts';
import type { ModelIndex } from './create-model.ts';

/** Names the chunks of a source's snapshot, which never change from then on. */
export interface SnapshotPointer {
  /** JSON text, so that the database does not interpret its keys. */
  readonly checkpoint: string;
  readonly sets: readonly ChunkSet[] | null;
}

/**
 * The lease, with the snapshots that its epoch fences in the same document: one conditional update both checks the epoch and
 * moves the pointer. `owner` is null when no process holds it.
 */
export interface LeaseDocument {
  readonly _id: LeaseName;
  readonly epoch: number;
  readonly owner: string | null;
  readonly expiresAt: number;
  /** By the name of the source, in base64url, since a path must not contain dots or dollars. */
  readonly snapshots: Readonly<Record<string, SnapshotPointer>>;
}

export interface ChunkDocument {
  /** Set and position. */
  readonly _id: string;
  readonly source: string;
  /** Of the lease under which it was written. */
  readonly epoch: number;
  /** The id of its set. */
  readonly version: string;
  readonly position: number;
  readonly text: string;
}

export const CHUNK_INDEXES: readonly ModelIndex[] = [
  [{ version: 1, position: 1 }],
  // Chunks that no snapshot names are found without reading the others.
  [{ source: 1, version: 1, epoch: 1 }],
];

/** Matches the ingest lease while it is held under this epoch. */
export function heldBy({ epoch }: Lease) {
  return { _id: 'ingest', epoch, owner: { $ne: null } } as const;
}
