import { type Connection, type Model, Schema } from 'mongoose';
import type { Preset, PresetFilters } from '../../core/presets/preset.ts';
import type { PresetStore } from '../../core/presets/preset-store.ts';
import { type Capped, insertWithinCap, SLOT_INDEX } from './insert-within-cap.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface PresetDocument extends Capped {
  readonly name: string;
  /** JSON, so that no name in it can mean anything to the database. */
  readonly filters: string;
  readonly createdAt: number;
}

const presetSchema = new Schema<PresetDocument>(
  { _id: String, keyId: String, slot: Number, name: String, filters: String, createdAt: Number },
  { ...SCHEMA_OPTIONS, collection: 'presets' },
);
presetSchema.index(...SLOT_INDEX);

export function createPresetModel(connection: Connection): Model<PresetDocument> {
  return connection.model<PresetDocument>('Preset', presetSchema);
}

export function createMongoPresetStore(presets: Model<PresetDocument>): PresetStore {
  return {
    insert({ id: _id, keyId, name, filters, createdAt }, cap) {
      const document = { _id, keyId, name, filters: JSON.stringify(filters), createdAt };
      const insert = (slot: number) => presets.insertOne({ ...document, slot });
      return insertWithinCap(presets, { _id, keyId, cap, insert });
    },
    listByKey: async (keyId) =>
      (await presets.find({ keyId }).sort({ createdAt: 1, _id: 1 }).lean()).map(toPreset),
    async get(keyId, id) {
      const document = await presets.findOne({ _id: id, keyId }).lean();
      return document === null ? null : toPreset(document);
    },
    async replace({ id, keyId, name, filters, createdAt }) {
      const change = { name, filters: JSON.stringify(filters), createdAt };
      const { matchedCount } = await presets.updateOne({ _id: id, keyId }, { $set: change });
      return matchedCount === 1;
    },
    remove: async (keyId, id) => (await presets.deleteOne({ _id: id, keyId })).deletedCount === 1,
  };
}

function toPreset({ _id, keyId, name, filters, createdAt }: PresetDocument): Preset {
  return { id: _id, keyId, name, filters: JSON.parse(filters) as PresetFilters, createdAt };
}
