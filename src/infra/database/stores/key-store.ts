import type { ApiKey, KeyStore, UsageStore } from '../../../core/accounts/keys/api-key.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const HAS_REQUEST = { 'handover.request': { present: true } } as const;
const HAS_FORMER = { 'previous.lookup': { present: true } } as const;

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
  key: ['id'],
  unique: ['lookup'],
  cap: { by: 'customerId', where: { revokedAt: null } },
  indexes: {
    api_keys_by_request: { fields: ['handover.request'], isUnique: true, where: HAS_REQUEST },
    api_keys_by_former_secret: { fields: ['previous.lookup'], isUnique: true, where: HAS_FORMER },
    api_keys_by_customer: { fields: ['customerId', 'createdAt', 'id'] },
    api_keys_in_trial: { fields: ['tier', 'revokedAt', 'trialEndsAt', 'id'] },
    api_keys_by_age: { fields: ['createdAt', 'id'], on: 'mongodb' },
  },
};

export function createKeyStore(open: OpenCollection): KeyStore {
  const keys = open(KEYS);
  const oldestFirst = { sort: ['createdAt', 'id'] } as const;
  return {
    async insert(key) {
      if ((await keys.insertNew([key])).length === 0)
        throw new Error(`${key.id}: the id, the secret or the request is taken`);
    },
    async insertWithin(key, cap) {
      const held = await keys.count({ customerId: key.customerId, revokedAt: null });
      return held < cap ? keys.insertWithin(key, cap) : 'too_many';
    },
    async rotate({ id, lookup, handover }, set) {
      const asRead = {
        'handover.request': handover?.request ?? null,
        'handover.isShown': handover?.isShown ?? null,
      };
      return (await keys.update({ id, lookup, revokedAt: null, ...asRead }, { set })) === 1;
    },
    async retire(id, revokedAt) {
      const unseen = { id, 'handover.isShown': false, 'previous.lookup': null };
      return (await keys.update(unseen, { set: { revokedAt, handover: null }, freesSlot: true })) === 1;
    },
    removeAll: async (customerId) => void (await keys.delete({ customerId })),
    byRequest: async (request) => (await keys.find({ where: { 'handover.request': request } }))[0] ?? null,
    byLookup: async (lookup) =>
      (await keys.find({ where: { or: [{ lookup }, { 'previous.lookup': lookup }] } }))[0] ?? null,
    byId: (id) => keys.get(id),
    byIds: (ids) => keys.find({ where: { id: { in: ids } } }),
    byCustomer: (customerId) => keys.find({ where: { customerId, revokedAt: null }, ...oldestFirst }),
    byCustomers: (customerIds) => keys.find({ where: { customerId: { in: customerIds }, revokedAt: null } }),
    idsOf: async (customerId) => (await keys.pick(['id'], { where: { customerId } })).map(({ id }) => id),
    list: () => keys.find(oldestFirst),
    endedTrials: ({ from, until, limit, after }) => {
      const where = { tier: 'pro', revokedAt: null, trialEndsAt: { gt: from, lte: until } } as const;
      const last = after && { trialEndsAt: after.trialEndsAt, id: after.id };
      return keys.find({ where, sort: ['trialEndsAt', 'id'], limit, after: last });
    },
    async revoke(id, revokedAt) {
      const revoked = await keys.update({ id, revokedAt: null }, { set: { revokedAt }, freesSlot: true });
      return revoked === 1 || (await keys.get(id)) !== null;
    },
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
    setTier: async (id, tier, trialEndsAt) =>
      (await keys.update({ id }, { set: { tier, trialEndsAt } })) === 1,
  };
}

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
  indexes: { usage_by_day: { fields: ['day'], on: 'mongodb' } },
};

export function createUsageStore(open: OpenCollection): UsageStore {
  const usage = open(USAGE);
  return {
    add: (day, counts) => usage.increment('calls', [day], counts),
    get: async (keyId, day) => (await usage.get(day, keyId))?.calls ?? 0,
    prune: (beforeDay) => usage.delete({ day: { lt: beforeDay } }),
  };
}
