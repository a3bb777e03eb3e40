import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface ObservedMarketDocument {
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

export interface ObservedHourDocument {
  /** `hourKey`. */
  readonly _id: number;
  readonly epoch: number;
  /** Packed by `packText`. */
  readonly text: mongo.Binary;
}

const marketSchema = new Schema<ObservedMarketDocument>(
  { _id: String, number: Number, epoch: Number, isOpen: Boolean, body: String },
  { ...SCHEMA_OPTIONS, collection: 'observed_markets' },
);
marketSchema.index({ number: 1 }, { unique: true });
marketSchema.index({ isOpen: 1, _id: 1 }, { partialFilterExpression: { isOpen: true } });

const hourSchema = new Schema<ObservedHourDocument>(
  { _id: Number, epoch: Number, text: Buffer },
  { ...SCHEMA_OPTIONS, collection: 'observed_hours' },
);

export function createObservedMarketModel(connection: Connection): Model<ObservedMarketDocument> {
  return connection.model<ObservedMarketDocument>('ObservedMarket', marketSchema);
}

export function createObservedHourModel(connection: Connection): Model<ObservedHourDocument> {
  return connection.model<ObservedHourDocument>('ObservedHour', hourSchema);
}
