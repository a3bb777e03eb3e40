import { type Connection, type Model, Schema } from 'mongoose';
import type { UsageStore } from '../../core/keys/key-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `_id` is the day and the key: one document that every process adds to. */
export interface UsageDocument {
  readonly _id: string;
  readonly calls: number;
}

const usageSchema = new Schema<UsageDocument>(
  { _id: String, calls: Number },
  { ...SCHEMA_OPTIONS, collection: 'usage' },
);

export function createUsageModel(connection: Connection): Model<UsageDocument> {
  return connection.model<UsageDocument>('Usage', usageSchema);
}

export function createMongoUsageStore(usage: Model<UsageDocument>): UsageStore {
  return {
    async add(day, counts) {
      if (counts.size === 0) return;
      const writes = [...counts].map(([keyId, calls]) => ({
        updateOne: { filter: { _id: usageId(day, keyId) }, update: { $inc: { calls } }, upsert: true },
      }));
      await usage.bulkWrite(writes, { ordered: false });
    },
    get: async (keyId, day) => (await usage.findById(usageId(day, keyId)).lean())?.calls ?? 0,
    prune: async (beforeDay) => (await usage.deleteMany({ _id: { $lt: beforeDay } })).deletedCount,
  };
}

function usageId(day: string, keyId: string): string {
  return `${day} ${keyId}`;
}
