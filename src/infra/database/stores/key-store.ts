import type { ApiKey, KeyStore, UsageStore } from '../../../core/accounts/keys/api-key.ts';
import type { Collection, Declaration, OpenCollection } from './collection.ts';

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

/** The request of a former secret that was shown. */
interface KeyRequest {
  readonly request: string;
  readonly keyId: string;
}

const KEY_REQUESTS: Declaration<KeyRequest> = {
  name: 'key_requests',
  fields: { request: 'text', keyId: 'text' },
  key: ['request'],
  isClustered: true,
  indexes: { key_requests_by_key: { fields: ['keyId'] } },
};

export function createKeyStore(open: OpenCollection): KeyStore {
  const keys = open(KEYS);
  const oldestFirst = { sort: ['createdAt', 'id'] } as const;
  return {
    ...createSecrets(open),
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

/** What depends on the requests of all keys. */
function createSecrets(open: OpenCollection) {
  const keys = open(KEYS);
  const requests = open(KEY_REQUESTS);

  async function byRequest(request: string): Promise<ApiKey | null> {
    const [current] = await keys.find({ where: { 'handover.request': request } });
    if (current !== undefined) return current;
    const former = await requests.get(request);
    return former === null ? null : keys.get(former.keyId);
  }

  /** Whether another key has the request. */
  async function isTaken({ id, handover }: Pick<ApiKey, 'id' | 'handover'>): Promise<boolean> {
    const holder = handover && (await byRequest(handover.request));
    return holder !== null && holder.id !== id;
  }

  return {
    byRequest,
    async insert(key) {
      if ((await keys.insertNew([key])).length === 0)
        throw new Error(`${key.id}: the id, the secret or the request is taken`);
    },
    async insertWithin(key, cap) {
      if ((await keys.count({ customerId: key.customerId, revokedAt: null })) >= cap) return 'too_many';
      if (await isTaken(key)) return 'request_taken';
      const result = await keys.insertWithin(key, cap);
      if (result !== 'taken') return result;
      if (await isTaken(key)) return 'request_taken';
      throw new Error(`${key.id} is taken`);
    },
    rotate: createRotation(keys, requests, isTaken),
    ...createRemovals(keys, requests),
  } satisfies Partial<KeyStore>;
}

function createRotation(
  keys: Collection<ApiKey>,
  requests: Collection<KeyRequest>,
  isTaken: (key: Pick<ApiKey, 'id' | 'handover'>) => Promise<boolean>,
): KeyStore['rotate'] {
  return async (id, { from, ...set }) => {
    const same = { id, lookup: from, revokedAt: null };
    const [key] = await keys.find({ where: same });
    if (key === undefined) return 'changed';
    const { handover } = set;
    if (await isTaken({ id, handover })) return 'request_taken';
    const last = key.handover;
    // Before the key forgets it; until then it says the same as the key.
    if (last !== null && last.request !== handover.request)
      await requests.insertNew([{ request: last.request, keyId: id }]);
    // As it is now: a secret that is confirmed in between was shown, and must be looked at again.
    const unchanged = {
      'handover.request': last?.request ?? null,
      'handover.isShown': last?.isShown ?? null,
    };
    try {
      return (await keys.update({ ...same, ...unchanged }, { set })) === 1 ? 'rotated' : 'changed';
    } catch (error) {
      if (await isTaken({ id, handover })) return 'request_taken';
      throw error;
    }
  };
}

function createRemovals(keys: Collection<ApiKey>, requests: Collection<KeyRequest>) {
  return {
    async retire(id, at) {
      const unseen = { id, 'handover.isShown': false, 'previous.lookup': null };
      const end = async (revokedAt: null | { readonly present: true }, set: Partial<ApiKey>) =>
        (await keys.update(
          { ...unseen, revokedAt },
          { set: { ...set, handover: null }, freesSlot: true },
        )) === 1;
      const isRetired = (await end(null, { revokedAt: at })) || (await end({ present: true }, {}));
      if (isRetired) await requests.delete({ keyId: id });
      return isRetired;
    },
    async removeAll(customerId) {
      const ids = (await keys.pick(['id'], { where: { customerId } })).map(({ id }) => id);
      await requests.delete({ keyId: { in: ids } });
      await keys.delete({ customerId });
    },
  } satisfies Partial<KeyStore>;
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
