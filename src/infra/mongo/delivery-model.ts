import { type Connection, type Model, Schema } from 'mongoose';
import type { Delivery } from '../../core/webhooks/delivery.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface DeliveryDocument extends Omit<Delivery, 'id'> {
  readonly _id: string;
  /** Who sends it, since when; and the call that changed it last. Null before. */
  readonly owner: string | null;
  readonly claimedAt: number | null;
  readonly call: string | null;
}

export interface DeliveryCursorDocument {
  readonly _id: string;
  readonly alertId: number;
}

/** Named, so that a query can say which one it is for. */
export const PENDING_INDEX = 'pending';
export const CLAIMED_INDEX = 'claimed';

const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: String,
    webhookId: String,
    alertId: Number,
    state: String,
    createdAt: Number,
    finishedAt: Number,
    result: Schema.Types.Mixed,
    owner: String,
    claimedAt: Number,
    call: String,
  },
  { ...SCHEMA_OPTIONS, collection: 'deliveries' },
);
deliverySchema.index({ webhookId: 1, state: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ createdAt: 1 });
deliverySchema.index(
  { createdAt: 1, _id: 1 },
  { name: PENDING_INDEX, partialFilterExpression: { state: 'pending' } },
);
deliverySchema.index(
  { claimedAt: 1, _id: 1 },
  { name: CLAIMED_INDEX, partialFilterExpression: { state: 'claimed' } },
);

const cursorSchema = new Schema<DeliveryCursorDocument>(
  { _id: String, alertId: Number },
  { ...SCHEMA_OPTIONS, collection: 'delivery_cursor' },
);

export function createDeliveryModel(connection: Connection): Model<DeliveryDocument> {
  return connection.model<DeliveryDocument>('Delivery', deliverySchema);
}

export function createDeliveryCursorModel(connection: Connection): Model<DeliveryCursorDocument> {
  return connection.model<DeliveryCursorDocument>('DeliveryCursor', cursorSchema);
}
