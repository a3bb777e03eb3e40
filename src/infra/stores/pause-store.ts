import type { Pause, PauseStore } from '../../core/operations/pause-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export const PAUSES: Declaration<Pause> = {
  name: 'switches',
  fields: { name: 'text', at: 'integer', by: 'text' },
  key: ['name'],
};

export function createPauseStore(open: OpenCollection): PauseStore {
  const pauses = open(PAUSES);
  return {
    list: () => pauses.find({ sort: ['name'] }),
    pause: async (pause) => (await pauses.insertNew([pause])).length === 1,
    resume: async (name) => (await pauses.delete({ name })) === 1,
  };
}
