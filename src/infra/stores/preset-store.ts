import type { Preset } from '../../core/presets/preset.ts';
import type { PresetStore } from '../../core/presets/preset-store.ts';
import type { Declaration, OpenCollection } from './collection.ts';

export const PRESETS: Declaration<Preset> = {
  name: 'presets',
  fields: { id: 'text', keyId: 'text', name: 'text', filters: 'json', createdAt: 'integer' },
  key: ['id'],
  cappedBy: 'keyId',
  sqliteIndexes: { presets_by_key: { fields: ['keyId', 'createdAt', 'id'] } },
};

export function createPresetStore(open: OpenCollection): PresetStore {
  const presets = open(PRESETS);
  return {
    insert: (preset, cap) => presets.insertWithin(preset, cap),
    listByKey: (keyId) => presets.find({ where: { keyId }, sort: ['createdAt', 'id'] }),
    get: async (keyId, id) => (await presets.find({ where: { id, keyId } }))[0] ?? null,
    replace: async ({ id, keyId, ...set }) => (await presets.update({ id, keyId }, { set })) === 1,
    remove: async (keyId, id) => (await presets.delete({ id, keyId })) === 1,
  };
}
