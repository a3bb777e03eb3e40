import { type Connection, type Model, Schema } from 'mongoose';
import type { Pause, SwitchName, SwitchStore } from '../../core/ports/switch-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface SwitchDocument extends Omit<Pause, 'name'> {
  readonly _id: SwitchName;
}

const switchSchema = new Schema<SwitchDocument>(
  { _id: String, at: Number, by: String },
  { ...SCHEMA_OPTIONS, collection: 'switches' },
);

export function createSwitchModel(connection: Connection): Model<SwitchDocument> {
  return connection.model<SwitchDocument>('Switch', switchSchema);
}

export function createMongoSwitchStore(switches: Model<SwitchDocument>): SwitchStore {
  return {
    list: async () =>
      (await switches.find().sort({ _id: 1 }).lean()).map(({ _id, at, by }) => ({ name: _id, at, by })),
    async pause({ name, at, by }) {
      try {
        await switches.insertOne({ _id: name, at, by });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    resume: async (name) => (await switches.deleteOne({ _id: name })).deletedCount === 1,
  };
}
