import { type Connection, type Model, Schema } from 'mongoose';
import type { CustomerStore } from '../../core/customers/customer-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

/** `_id` is the customer, who has one code at a time. */
export interface LinkCodeDocument {
  readonly _id: string;
  readonly hash: string;
  readonly expiresAt: number;
}

const linkCodeSchema = new Schema<LinkCodeDocument>(
  { _id: String, hash: String, expiresAt: Number },
  { ...SCHEMA_OPTIONS, collection: 'link_codes' },
);
linkCodeSchema.index({ hash: 1 }, { unique: true });
linkCodeSchema.index({ expiresAt: 1 });

export function createLinkCodeModel(connection: Connection): Model<LinkCodeDocument> {
  return connection.model<LinkCodeDocument>('LinkCode', linkCodeSchema);
}

type LinkCodes = Pick<CustomerStore, 'putCode' | 'code' | 'takeCode' | 'removeCodesOf' | 'pruneCodes'>;

export function createMongoLinkCodes(codes: Model<LinkCodeDocument>): LinkCodes {
  return {
    async putCode({ customerId: _id, hash, expiresAt }) {
      await codes.updateOne({ _id }, { $set: { hash, expiresAt } }, { upsert: true });
    },
    async code(hash) {
      const document = await codes.findOne({ hash }).lean();
      return document === null ? null : { customerId: document._id, hash, expiresAt: document.expiresAt };
    },
    takeCode: async (hash) => (await codes.deleteOne({ hash })).deletedCount === 1,
    removeCodesOf: async (customerId) => void (await codes.deleteOne({ _id: customerId })),
    pruneCodes: async (now) => (await codes.deleteMany({ expiresAt: { $lte: now } })).deletedCount,
  };
}
