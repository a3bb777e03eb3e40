import type { ApiKey, KeyStore, UsageStore } from '../../../core/accounts/keys/api-key.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createChangeCount } from './cursors.ts';

const EXISTS = { $exists: true };

export const KEYS: Declaration<ApiKey> = {
  name: 'api_keys',
  fields: {
    id: 'text',
    lookup: 'text',
    hash: 'text',
    name: 'text',
    tier: 'text',
    createdAt: 'integer',
    trialEndsAt: 'integer?',
    revokedAt: 'integer?',
    customerId: 'text?',
    handover: { request: 'text', isShown: 'boolean' },
    previous: { lookup: 'text', hash: 'text', endsAt: 'integer' },
    limits: 'value?',
    firstUsedAt: 'integer?',
  },
  columns: { 'handover.request': 'request', 'handover.isShown': 'is_shown' },
  key: ['id'],
  unique: ['lookup'],
  sqliteIndexes: {
    api_keys_by_request: {
      fields: ['handover.request'],
      isUnique: true,
      where: { 'handover.request': { present: true } },
    },
    api_keys_by_former_secret: {
      fields: ['previous.lookup'],
      isUnique: true,
      where: { 'previous.lookup': { present: true } },
    },
    api_keys_by_customer: {
      fields: ['customerId', 'createdAt', 'id'],
      where: { customerId: { present: true } },
    },
    api_keys_in_trial: { fields: ['trialEndsAt', 'id'], where: { tier: 'pro', revokedAt: null } },
  },
  mongoIndexes: [
    { fields: ['createdAt', 'id'] },
    { fields: ['customerId', 'createdAt', 'id'] },
    { fields: ['tier', 'revokedAt', 'trialEndsAt', 'id'] },
  ],
  // Not by `$type`: a search for a value would not use such an index.
  otherMongoIndexes: [
    { key: { 'handover.request': 1 }, unique: true, partialFilterExpression: { 'handover.request': EXISTS } },
    { key: { 'previous.lookup': 1 }, unique: true, partialFilterExpression: { 'previous.lookup': EXISTS } },
    { key: { customerId: 1, slot: 1 }, unique: true, partialFilterExpression: { slot: { $gte: 0 } } },
    { key: { pastRequests: 1 } },
  ],
};

/** What depends on where a database keeps the requests of former secrets, and on more than one row. */
export type SpecialKeyStore = Pick<
  KeyStore,
  'insert' | 'insertWithin' | 'byRequest' | 'rotate' | 'retire' | 'removeAll'
>;

export function createKeyStore(open: OpenCollection, special: SpecialKeyStore): KeyStore {
  const keys = open(KEYS);
  const { read: changes, counted } = createChangeCount(open, 'key_changes');
  const oldestFirst = { sort: ['createdAt', 'id'] } as const;
  return {
    ...special,
    rotate: counted((id, rotation) => special.rotate(id, rotation)),
    retire: counted((id, at) => special.retire(id, at)),
    removeAll: counted((customerId) => special.removeAll(customerId)),
    changes,
    byLookup: async (lookup) =>
      (await keys.find({ where: { or: [{ lookup }, { 'previous.lookup': lookup }] } }))[0] ?? null,
    byId: (id) => keys.get(id),
    byIds: (ids) => keys.find({ where: { id: { in: ids } } }),
    byCustomer: (customerId) => keys.find({ where: { customerId, revokedAt: null }, ...oldestFirst }),
    idsOf: async (customerId) => (await keys.pick(['id'], { where: { customerId } })).map(({ id }) => id),
    list: () => keys.find(oldestFirst),
    endedTrials: ({ from, until, limit, after }) => {
      const where = { tier: 'pro', revokedAt: null, trialEndsAt: { gt: from, lte: until } } as const;
      const last = after && { trialEndsAt: after.trialEndsAt, id: after.id };
      return keys.find({ where, sort: ['trialEndsAt', 'id'], limit, after: last });
    },
    revoke: counted(async (id, revokedAt) => {
      const revoked = await keys.update({ id, revokedAt: null }, { set: { revokedAt }, freesSlot: true });
      return revoked === 1 || (await keys.get(id)) !== null;
    }),
    rename: async (id, name) => (await keys.update({ id }, { set: { name } })) === 1,
    confirmShown: async (id, request) =>
      (await keys.update({ id, 'handover.request': request }, { set: { 'handover.isShown': true } })) === 1,
    async markFirstUsed(id, firstUsedAt) {
      const isUnused = { id, firstUsedAt: null };
      const isOnlySecret = { 'previous.lookup': null, 'handover.isShown': false };
      const set = { firstUsedAt, 'handover.isShown': true };
      if ((await keys.update({ ...isUnused, ...isOnlySecret }, { set })) === 1) return true;
      return (await keys.update(isUnused, { set: { firstUsedAt } })) === 1;
    },
    setTier: counted(
      async (id, tier, trialEndsAt) => (await keys.update({ id }, { set: { tier, trialEndsAt } })) === 1,
    ),
    moveTrial: counted(
      async (id, from, set) => (await keys.update({ id, trialEndsAt: from }, { set })) === 1,
    ),
    async moveAll(from, to) {
      await keys.update({ customerId: from }, { set: { customerId: to }, freesSlot: true });
    },
  };
}

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
    async history(keyId, days) {
      const rows = await usage.find({ where: { or: days.map((day) => ({ day, keyId })) } });
      return new Map(rows.map(({ day, calls }) => [day, calls]));
    },
    prune: (beforeDay) => usage.delete({ day: { lt: beforeDay } }),
  };
}
