import type { UsageStore } from '../../core/keys/key-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

/** Calls of a key on a UTC day. */
interface UsageRow {
  readonly day: string;
  readonly keyId: string;
  readonly calls: number;
}

export const USAGE: Declaration<UsageRow> = {
  name: 'usage',
  fields: { day: 'text', keyId: 'text', calls: 'integer' },
  key: ['day', 'keyId'],
  separator: ' ',
  isKeyOnly: true,
};

export function createUsageStore(open: OpenCollection): UsageStore {
  const usage = open(USAGE);
  return {
    add: (day, counts) => usage.increment('calls', [day], counts),
    get: async (keyId, day) => (await usage.get(day, keyId))?.calls ?? 0,
    prune: (beforeDay) => usage.delete({ day: { lt: beforeDay } }),
  };
}
