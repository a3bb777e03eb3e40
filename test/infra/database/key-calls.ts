import { START } from '../../support/rows.ts';
import type { Calls } from './store-calls.ts';

const NAMED = { keyId: 'key_a', name: 'a', fingerprint: 'f' };
const REQUEST = { ...NAMED, resourceId: 'wh_a', createdAt: START, isCreated: false };
const PRESET = { id: 'p', keyId: 'key_a', name: 'desk', filters: {}, createdAt: START };

/** Every method of the stores of what keys have, as in `CALLS`. */
export const KEY_CALLS: Pick<Calls, 'idempotency' | 'presets' | 'usage'> = {
  idempotency: {
    markCreated: (requests) => requests.markCreated(NAMED),
    prune: (requests) => requests.prune(START),
    removeOf: (requests) => requests.removeOf('key_a'),
    take: (requests) => requests.take(REQUEST, START),
  },
  presets: {
    get: (presets) => presets.get('key_a', 'p'),
    insert: (presets) => presets.insert(PRESET, 10),
    listByKey: (presets) => presets.listByKey('key_a'),
    remove: (presets) => presets.remove('key_a', 'p'),
    replace: (presets) => presets.replace(PRESET),
  },
  usage: {
    add: (usage) => usage.add('2026-11-20', new Map([['key_a', 1]])),
    get: (usage) => usage.get('key_a', '2026-11-20'),
    history: (usage) => usage.history('key_a', ['2026-11-20', '2026-11-21']),
    prune: (usage) => usage.prune('2026-11-20'),
  },
};
