import { type Connection, type Model, Schema } from 'mongoose';
import type { SecretStore } from '../../core/operations/secret-store.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface SecretDocument {
  readonly _id: string;
  readonly secret: string;
}

const secretSchema = new Schema<SecretDocument>(
  { _id: String, secret: String },
  { ...SCHEMA_OPTIONS, collection: 'secrets' },
);

export function createSecretModel(connection: Connection): Model<SecretDocument> {
  return connection.model<SecretDocument>('Secret', secretSchema);
}

export function createMongoSecretStore(secrets: Model<SecretDocument>): SecretStore {
  return {
    async getOrCreate(name, candidate) {
      // Answered once a majority has it, whoever wrote it: what is derived from it must not change again.
      const kept = await secrets
        .findOneAndUpdate(
          { _id: name },
          { $setOnInsert: { secret: candidate } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean();
      return kept.secret;
    },
  };
}
