import { type Connection, type Model, Schema } from 'mongoose';
import type { WalletAge, WalletAgeStore } from '../../core/source/wallet-age-store.ts';
import { insertNew } from './insert-new.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface WalletAgeDocument extends Omit<WalletAge, 'wallet'> {
  readonly _id: string;
}

const walletAgeSchema = new Schema<WalletAgeDocument>(
  { _id: String, createdAt: Number, source: String },
  { ...SCHEMA_OPTIONS, collection: 'wallet_ages' },
);

export function createWalletAgeModel(connection: Connection): Model<WalletAgeDocument> {
  return connection.model<WalletAgeDocument>('WalletAge', walletAgeSchema);
}

export function createMongoWalletAgeStore(ages: Model<WalletAgeDocument>): WalletAgeStore {
  return {
    async get(wallet) {
      const found = await ages.findById(wallet).lean();
      return found === null ? null : { wallet, createdAt: found.createdAt, source: found.source };
    },
    async put({ wallet, createdAt, source }) {
      await insertNew(ages, [{ _id: wallet, createdAt, source }]);
    },
  };
}
