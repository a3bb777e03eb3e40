import { type Connection, type Model, Schema } from 'mongoose';
import type { ApiKey } from '../../core/keys/api-key.ts';
import type { KeyStore } from '../../core/ports/key-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface KeyDocument extends Omit<ApiKey, 'id'> {
  readonly _id: string;
}

const AGE_INDEX = { createdAt: 1, _id: 1 } as const;

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
  },
  { ...SCHEMA_OPTIONS, collection: 'api_keys' },
);
keySchema.index({ lookup: 1 }, { unique: true });
keySchema.index(AGE_INDEX);
keySchema.index({ 'handover.request': 1 }, unique('handover.request'));
keySchema.index({ 'previous.lookup': 1 }, unique('previous.lookup'));
keySchema.index({ customerId: 1, createdAt: 1, _id: 1 });
keySchema.index({ tier: 1, trialEndsAt: 1 });

/** Unique among the keys that have it. */
function unique(path: string) {
  return { unique: true, partialFilterExpression: { [path]: { $type: 'string' } } } as const;
}

export function createKeyModel(connection: Connection): Model<KeyDocument> {
  return connection.model<KeyDocument>('ApiKey', keySchema);
}

export function createMongoKeyStore(keys: Model<KeyDocument>): KeyStore {
  const one = (document: KeyDocument | null) => (document === null ? null : toKey(document));
  return {
    async insert({ id, ...fields }) {
      try {
        await keys.insertOne({ _id: id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error) && (await keys.exists({ lookup: fields.lookup })) !== null) return false;
        throw error;
      }
    },
    byLookup: async (lookup) => one(await keys.findOne({ lookup }).lean()),
    byId: async (id) => one(await keys.findById(id).lean()),
    byIds: async (ids) => (await keys.find({ _id: { $in: [...ids] } }).lean()).map(toKey),
    list: async () => (await keys.find().sort(AGE_INDEX).lean()).map(toKey),
    async revoke(id, at) {
      const revokedAt = { $ifNull: ['$revokedAt', at] };
      const { matchedCount } = await keys.updateOne({ _id: id }, [{ $set: { revokedAt } }], {
        updatePipeline: true,
      });
      return matchedCount === 1;
    },
    async setTier(id, tier, trialEndsAt) {
      const { matchedCount } = await keys.updateOne({ _id: id }, { $set: { tier, trialEndsAt } });
      return matchedCount === 1;
    },
  };
}

function toKey({ _id, ...fields }: KeyDocument): ApiKey {
  return { id: _id, ...fields };
}
