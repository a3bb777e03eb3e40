import { type Connection, type Model, Schema } from 'mongoose';
import type { ApiKey } from '../../core/keys/api-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface KeyDocument extends Omit<ApiKey, 'id'> {
  readonly _id: string;
  /** Its place among the customer's keys, unique; null for a key that was not inserted within a cap, or is revoked. */
  readonly slot?: number | null;
  /** Requests of secrets that were shown and then replaced. */
  readonly pastRequests?: readonly string[];
}

/** Oldest first. */
export const AGE_INDEX = { createdAt: 1, _id: 1 } as const;

const keySchema = new Schema<KeyDocument>(
  {
    _id: String,
    lookup: String,
    hash: String,
    name: String,
    tier: String,
    createdAt: Number,
    trialEndsAt: { type: Number, default: null },
    revokedAt: { type: Number, default: null },
    customerId: { type: String, default: null },
    handover: { type: Schema.Types.Mixed, default: null },
    previous: { type: Schema.Types.Mixed, default: null },
    limits: { type: Schema.Types.Mixed, default: null },
    firstUsedAt: { type: Number, default: null },
    slot: { type: Number, default: null },
    pastRequests: { type: [String], default: undefined },
  },
  { ...SCHEMA_OPTIONS, collection: 'api_keys' },
);
keySchema.index({ lookup: 1 }, { unique: true });
keySchema.index(AGE_INDEX);
keySchema.index({ 'handover.request': 1 }, unique('handover.request', { $exists: true }));
keySchema.index({ 'previous.lookup': 1 }, unique('previous.lookup', { $exists: true }));
keySchema.index({ customerId: 1, createdAt: 1, _id: 1 });
keySchema.index({ customerId: 1, slot: 1 }, unique('slot', { $gte: 0 }));
keySchema.index({ pastRequests: 1 });
keySchema.index({ tier: 1, revokedAt: 1, trialEndsAt: 1, _id: 1 });

/** Unique among the keys that have it. Not by `$type`: a search for a value would not use such an index. */
function unique(path: string, there: { readonly $exists: true } | { readonly $gte: number }) {
  return { unique: true, partialFilterExpression: { [path]: there } };
}

export function createKeyModel(connection: Connection): Model<KeyDocument> {
  return connection.model<KeyDocument>('ApiKey', keySchema);
}
