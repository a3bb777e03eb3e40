import { type Connection, type mongo, Schema } from 'mongoose';
import type { Lease, LeaseName } from '../../../core/base/lease/lease.ts';
import type { ChunkSet } from '../../../core/ingest/snapshot-store.ts';
import {
  ALERT_FIELDS,
  ALERT_INDEXES,
  type AlertDocument,
  LISTING_FIELDS,
  type ListingDocument,
} from './alert-model.ts';
import {
  BOOLEAN,
  createModel,
  type ModelFields,
  type ModelIndex,
  NUMBER,
  TEXT,
  VALUE,
} from './create-model.ts';
import {
  RATE_WINDOW_FIELDS,
  RATE_WINDOW_INDEXES,
  RATE_WINDOWS,
  type RateWindowDocument,
} from './rate-limiter.ts';

interface ObservedMarketDocument {
  /** The market's id. */
  readonly _id: string;
  /** Counted from 1; the keys of its hours begin with it. */
  readonly number: number;
  /** Of the lease under which it was written last. */
  readonly epoch: number;
  readonly isOpen: boolean;
  /** JSON of the whole market. */
  readonly body: string;
}

interface ObservedHourDocument {
  /** `hourKey`. */
  readonly _id: number;
  readonly epoch: number;
  /** Packed by `packText`. */
  readonly text: mongo.Binary;
}

const OBSERVED_MARKET_FIELDS: ModelFields<ObservedMarketDocument> = {
  _id: TEXT,
  number: NUMBER,
  epoch: NUMBER,
  isOpen: BOOLEAN,
  body: TEXT,
};

const OBSERVED_HOUR_FIELDS: ModelFields<ObservedHourDocument> = {
  _id: NUMBER,
  epoch: NUMBER,
  text: { type: Schema.Types.Buffer, required: true },
};

const OBSERVED_MARKET_INDEXES: readonly ModelIndex[] = [
  [{ number: 1 }, { unique: true }],
  [{ isOpen: 1, _id: 1 }, { partialFilterExpression: { isOpen: true } }],
];

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
interface LeaseDocument {
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

const LEASE_FIELDS: ModelFields<LeaseDocument> = {
  _id: TEXT,
  epoch: NUMBER,
  owner: String,
  expiresAt: NUMBER,
  snapshots: VALUE,
};

const CHUNK_FIELDS: ModelFields<ChunkDocument> = {
  _id: TEXT,
  source: TEXT,
  epoch: NUMBER,
  version: TEXT,
  position: NUMBER,
  text: TEXT,
};

const CHUNK_INDEXES: readonly ModelIndex[] = [
  [{ version: 1, position: 1 }],
  // Chunks that no snapshot names are found without reading the others.
  [{ source: 1, version: 1, epoch: 1 }],
];

/** Matches the ingest lease while it is held under this epoch. */
export function heldBy({ epoch }: Lease) {
  return { _id: 'ingest', epoch, owner: { $ne: null } } as const;
}

/** The collections that are not declared for both databases, with their indexes. */
export function createModels(connection: Connection) {
  return {
    alerts: createModel<AlertDocument>(connection, 'alerts', ALERT_FIELDS, ALERT_INDEXES),
    listings: createModel<ListingDocument>(connection, 'listings', LISTING_FIELDS, [[{ marketId: 1 }]]),
    leases: createModel<LeaseDocument>(connection, 'lease', LEASE_FIELDS),
    chunks: createModel<ChunkDocument>(connection, 'snapshot_chunks', CHUNK_FIELDS, CHUNK_INDEXES),
    rateWindows: createModel<RateWindowDocument>(
      connection,
      RATE_WINDOWS,
      RATE_WINDOW_FIELDS,
      RATE_WINDOW_INDEXES,
    ),
    observedMarkets: createModel<ObservedMarketDocument>(
      connection,
      'observed_markets',
      OBSERVED_MARKET_FIELDS,
      OBSERVED_MARKET_INDEXES,
    ),
    observedHours: createModel<ObservedHourDocument>(connection, 'observed_hours', OBSERVED_HOUR_FIELDS),
  };
}

export type Models = ReturnType<typeof createModels>;
