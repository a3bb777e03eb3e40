import { type Connection, type Model, Schema } from 'mongoose';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import type { WebhookCounts, WebhookStore } from '../../core/webhooks/webhook-store.ts';
import { type Capped, insertWithinCap, SLOT_INDEX } from './insert-within-cap.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface WebhookDocument extends Capped, Omit<Webhook, 'id'> {
  readonly _id: string;
}

const webhookSchema = new Schema<WebhookDocument>(
  {
    _id: String,
    keyId: String,
    slot: Number,
    url: String,
    categories: [String],
    minScore: Number,
    secretVersion: Number,
    rotatedAt: { type: Number, default: null },
    isPaused: { type: Boolean, default: false },
    createdAt: Number,
    delivered: Number,
    failed: Number,
    failuresInRow: { type: Number, default: 0 },
  },
  { ...SCHEMA_OPTIONS, collection: 'webhooks' },
);
webhookSchema.index(...SLOT_INDEX);

export function createWebhookModel(connection: Connection): Model<WebhookDocument> {
  return connection.model<WebhookDocument>('Webhook', webhookSchema);
}

export function createMongoWebhookStore(webhooks: Model<WebhookDocument>): WebhookStore {
  return {
    insert({ id: _id, ...fields }, cap) {
      const insert = (slot: number) => webhooks.insertOne({ _id, ...fields, slot });
      return insertWithinCap(webhooks, { _id, keyId: fields.keyId, cap, insert });
    },
    listByKey: async (keyId) =>
      (await webhooks.find({ keyId }).sort({ createdAt: 1, _id: 1 }).lean()).map(toWebhook),
    active: async () => (await webhooks.find({ isPaused: false }).lean()).map(toWebhook),
    byIds: async (ids) => (await webhooks.find({ _id: { $in: [...ids] } }).lean()).map(toWebhook),
    update: async (keyId, _id, change) =>
      one(await webhooks.findOneAndUpdate({ _id, keyId }, { $set: change }, CHANGED).lean()),
    rotate: async (keyId, _id, rotatedAt) =>
      one(
        await webhooks
          .findOneAndUpdate({ _id, keyId }, { $inc: { secretVersion: 1 }, $set: { rotatedAt } }, CHANGED)
          .lean(),
      ),
    async addCounts(counts) {
      if (counts.length === 0) return [];
      await webhooks.bulkWrite(counts.map(toUpdate), { ordered: false });
      return this.byIds(counts.map(({ id }) => id));
    },
    remove: async (keyId, id) => (await webhooks.deleteOne({ _id: id, keyId })).deletedCount === 1,
  };
}

const CHANGED = { returnDocument: 'after' } as const;

function toUpdate({ id: _id, delivered, failed, failuresAtEnd }: WebhookCounts) {
  const counts = { delivered, failed };
  const update =
    delivered > 0
      ? { $inc: counts, $set: { failuresInRow: failuresAtEnd } }
      : { $inc: { ...counts, failuresInRow: failuresAtEnd } };
  return { updateOne: { filter: { _id }, update } };
}

function one(document: WebhookDocument | null): Webhook | null {
  return document === null ? null : toWebhook(document);
}

function toWebhook({ _id, slot, ...fields }: WebhookDocument): Webhook {
  return { id: _id, ...fields };
}
