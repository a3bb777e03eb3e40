import type { Heartbeat, HeartbeatStore } from '../../core/operations/heartbeat-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export const HEARTBEATS: Declaration<Heartbeat> = {
  name: 'pulses',
  fields: { owner: 'text', roles: 'value', at: 'integer', checks: 'json' },
  key: ['owner'],
};

export function createHeartbeatStore(open: OpenCollection): HeartbeatStore {
  const heartbeats = open(HEARTBEATS);
  return {
    beat: async (heartbeat) => void (await heartbeats.put(heartbeat)),
    list: () => heartbeats.find({ sort: ['-at', 'owner'] }),
    remove: async (owner) => void (await heartbeats.delete({ owner })),
    prune: async (before) => void (await heartbeats.delete({ at: { lt: before } })),
  };
}
