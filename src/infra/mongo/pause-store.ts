import { type Connection, type Model, Schema } from 'mongoose';
import type { PausableName, Pause, PauseStore } from '../../core/operations/pause-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface PauseDocument extends Omit<Pause, 'name'> {
  readonly _id: PausableName;
}

const pauseSchema = new Schema<PauseDocument>(
  { _id: String, at: Number, by: String },
  { ...SCHEMA_OPTIONS, collection: 'switches' },
);

export function createPauseModel(connection: Connection): Model<PauseDocument> {
  return connection.model<PauseDocument>('Switch', pauseSchema);
}

export function createMongoPauseStore(pauses: Model<PauseDocument>): PauseStore {
  return {
    list: async () =>
      (await pauses.find().sort({ _id: 1 }).lean()).map(({ _id, at, by }) => ({ name: _id, at, by })),
    async pause({ name, at, by }) {
      try {
        await pauses.insertOne({ _id: name, at, by });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    resume: async (name) => (await pauses.deleteOne({ _id: name })).deletedCount === 1,
  };
}
