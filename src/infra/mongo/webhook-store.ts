import { type Connection, type Model, Schema } from 'mongoose';
import type { WebhookStore } from '../../core/ports/webhook-store.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
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
    createdAt: Number,
    delivered: Number,
    failed: Number,
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
    remove: async (keyId, id) => (await webhooks.deleteOne({ _id: id, keyId })).deletedCount === 1,
  };
}

function toWebhook({ _id, slot, ...fields }: WebhookDocument): Webhook {
  return { id: _id, ...fields };
}
