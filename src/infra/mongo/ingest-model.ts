import { type Connection, type Model, Schema } from 'mongoose';
import type { LeaseName } from '../../core/ports/lease-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** Where a source's snapshot is: chunks of one version, never changed once they are named here. */
export interface SnapshotPointer {
  readonly version: string;
  /** JSON, so that no key of it can mean anything to the database. */
  readonly checkpoint: string;
  readonly chunkCount: number | null;
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
  /** Version and position. */
  readonly _id: string;
  readonly source: string;
  readonly epoch: number;
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
chunkSchema.index({ source: 1, epoch: 1 });

export function createLeaseModel(connection: Connection): Model<LeaseDocument> {
  return connection.model<LeaseDocument>('Lease', leaseSchema);
}

export function createChunkModel(connection: Connection): Model<ChunkDocument> {
  return connection.model<ChunkDocument>('SnapshotChunk', chunkSchema);
}
