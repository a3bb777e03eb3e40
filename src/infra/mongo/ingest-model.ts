import { type Connection, type Model, Schema } from 'mongoose';
import type { ChunkSet } from '../../core/ingest/snapshot-store.ts';
import type { Lease, LeaseName } from '../../core/lease/lease-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** Where a source's snapshot is: chunks that never change once they are named here. */
export interface SnapshotPointer {
  /** JSON, so that no key of it can mean anything to the database. */
  readonly checkpoint: string;
  readonly sets: readonly ChunkSet[] | null;
}

/**
 * The lease, and within the same document what its epoch fences: one conditional update both checks the epoch and
 * moves the pointer. `owner` is null when nobody holds it.
 */
export interface LeaseDocument {
  readonly _id: LeaseName;
  readonly epoch: number;
  readonly owner: string | null;
  readonly expiresAt: number;
  /** By the name of the source, in base64url: dots and dollars mean something in a path. */
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

const leaseSchema = new Schema<LeaseDocument>(
  { _id: String, epoch: Number, owner: String, expiresAt: Number, snapshots: Schema.Types.Mixed },
  { ...SCHEMA_OPTIONS, collection: 'lease' },
);

const chunkSchema = new Schema<ChunkDocument>(
  { _id: String, source: String, epoch: Number, version: String, position: Number, text: String },
  { ...SCHEMA_OPTIONS, collection: 'snapshot_chunks' },
);
chunkSchema.index({ version: 1, position: 1 });
// Chunks that no snapshot names are found without reading the others.
chunkSchema.index({ source: 1, version: 1, epoch: 1 });

/** Finds the lease of the ingest while it is held under this epoch. */
export function heldBy({ epoch }: Lease) {
  return { _id: 'ingest', epoch, owner: { $ne: null } } as const;
}

export function createLeaseModel(connection: Connection): Model<LeaseDocument> {
  return connection.model<LeaseDocument>('Lease', leaseSchema);
}

export function createChunkModel(connection: Connection): Model<ChunkDocument> {
  return connection.model<ChunkDocument>('SnapshotChunk', chunkSchema);
}
