import {
  type CustomerRecord,
  type CustomerStore,
  type Handle,
  type LinkCode,
  type OwnedHandle,
  PLATFORMS,
} from '../../../core/accounts/customers/customer.ts';
import type { Declaration, OpenCollection } from './collection.ts';

const MERGED = { mergedInto: { present: true } } as const;
const ERASING = { erasingAt: { present: true } } as const;
/** Merges and removals that began and did not end. */
const UNFINISHED = { or: [ERASING, { ...MERGED, isMoved: false }] };
const LIVING = { mergedInto: null, erasingAt: null };

export const CUSTOMERS: Declaration<CustomerRecord> = {
  name: 'customers',
  fields: {
    id: 'text',
    trial: { request: 'text', startedAt: 'integer', endsAt: 'integer' },
    bannedAt: 'integer?',
    createdAt: 'integer',
    mergedInto: 'text?',
    isMoved: 'boolean',
    erasingAt: 'integer?',
    version: 'integer',
  },
  key: ['id'],
  indexes: {
    customers_by_trial_end: { fields: ['trial.endsAt'], where: { 'trial.endsAt': { present: true } } },
    customers_merged: { fields: ['mergedInto', 'isMoved'], where: MERGED },
    customers_unfinished: { fields: ['id'], where: UNFINISHED, on: 'sqlite' },
    customers_by_age: { fields: ['createdAt'], on: 'mongodb' },
    customers_erasing: { fields: ['erasingAt'], where: ERASING, on: 'mongodb' },
  },
};

export const LINK_CODES: Declaration<LinkCode> = {
  name: 'link_codes',
  fields: { customerId: 'text', hash: 'text', expiresAt: 'integer' },
  key: ['customerId'],
  isClustered: true,
  unique: ['hash'],
  indexes: { link_codes_by_end: { fields: ['expiresAt'], on: 'mongodb' } },
};

export const PAST_TRIALS: Declaration<{ readonly mark: string }> = {
  name: 'past_trials',
  fields: { mark: 'text' },
  key: ['mark'],
  isClustered: true,
};

export function createCustomerStore(open: OpenCollection): CustomerStore {
  return {
    ...createRecords(open),
    ...createHandleStore(open),
    ...createCodes(open),
    ...createPastTrials(open),
  };
}

function createRecords(open: OpenCollection) {
  const customers = open(CUSTOMERS);
  return {
    insert: async (record) => (await customers.insertNew([record])).length === 1,
    get: (id) => customers.get(id),
    byIds: (ids) => customers.find({ where: { id: { in: ids } } }),
    async replace({ id, version, ...fields }) {
      const set = { ...fields, version: version + 1 };
      return (await customers.update({ id, version }, { set })) === 1;
    },
    remove: async (id) => void (await customers.delete({ id })),
    mergedInto: (id) => customers.find({ where: { mergedInto: id } }),
    unfinished: (limit) => customers.find({ where: UNFINISHED, limit }),
    page: ({ after = '', limit, trialEnds }) => {
      const ends = trialEnds && { gt: trialEnds.from, lte: trialEnds.until };
      const where = { ...LIVING, bannedAt: null, id: { gt: after }, 'trial.endsAt': ends };
      return customers.find({ where, sort: ['id'], limit });
    },
    async count(since) {
      const recent = { ...LIVING, createdAt: { gte: since } };
      return { total: await customers.count(LIVING), new: await customers.count(recent) };
    },
  } satisfies Partial<CustomerStore>;
}

function createCodes(open: OpenCollection) {
  const codes = open(LINK_CODES);
  return {
    putCode: async (code) => void (await codes.put(code)),
    code: async (hash) => (await codes.find({ where: { hash } }))[0] ?? null,
    takeCode: async (hash) => (await codes.delete({ hash })) === 1,
    removeCodesOf: async (customerId) => void (await codes.delete({ customerId })),
    pruneCodes: (now) => codes.delete({ expiresAt: { lte: now } }),
  } satisfies Partial<CustomerStore>;
}

function createPastTrials(open: OpenCollection) {
  const trials = open(PAST_TRIALS);
  return {
    addPastTrials: async (marks) => void (await trials.insertNew(marks.map((mark) => ({ mark })))),
    hasPastTrial: async (marks) =>
      (await trials.pick(['mark'], { where: { mark: { in: marks } }, limit: 1 })).length > 0,
  } satisfies Partial<CustomerStore>;
}

interface HandleRow extends OwnedHandle {
  readonly nameLower: string | null;
}

const NAMED = { nameLower: { present: true } } as const;

/** A person of a platform belongs to one customer at most. */
const HANDLES: Declaration<HandleRow> = {
  name: 'handles',
  fields: {
    platform: 'text',
    userId: 'text',
    customerId: 'text',
    name: 'text?',
    nameLower: 'text?',
    chat: 'text',
    isReachable: 'boolean',
  },
  key: ['platform', 'userId'],
  separator: ':',
  indexes: {
    handles_by_customer: { fields: ['customerId'] },
    handles_by_name: { fields: ['nameLower'], where: NAMED },
  },
};

function createHandleStore(open: OpenCollection) {
  const handles = open(HANDLES);
  const touch: CustomerStore['touch'] = async (visitor, customerId) => {
    const { platform, userId, name, chat } = visitor;
    const known = await handles.get(platform, userId);
    // Most visits change nothing, and need not wait for the disk.
    if (known?.name === name && known.chat === chat && known.isReachable) return known.customerId;
    const nameLower = name?.toLowerCase() ?? null;
    const facts = { name, nameLower, chat, isReachable: true };
    const row = { platform, userId, customerId, ...facts };
    if ((await handles.insertNew([row])).length === 1) return customerId;
    await handles.update({ platform, userId }, { set: facts });
    // It may have been removed in between.
    return (await handles.get(platform, userId))?.customerId ?? touch(visitor, customerId);
  };
  return {
    touch,
    async handle({ platform, userId }) {
      const row = await handles.get(platform, userId);
      return row === null ? null : toHandle(row);
    },
    handlesOf: async (customerIds) =>
      (await handles.find({ where: { customerId: { in: customerIds } } })).map(toHandle).toSorted(byPlatform),
    handlesByName: async (name, limit) => {
      const where = { nameLower: name.toLowerCase() };
      return (await handles.find({ where, sort: ['platform', 'userId'], limit })).map(toHandle);
    },
    async markUnreachable(platform, userId) {
      await handles.update({ platform, userId }, { set: { isReachable: false } });
    },
    async moveHandles(from, to) {
      await handles.update({ customerId: from }, { set: { customerId: to } });
    },
    async blankHandles(customerId) {
      await handles.update({ customerId }, { set: { name: null, nameLower: null } });
    },
    removeHandles: async (customerId) => void (await handles.delete({ customerId })),
  } satisfies Partial<CustomerStore>;
}

function toHandle({ nameLower, ...handle }: HandleRow): OwnedHandle {
  return handle;
}

/** Sorts handles by the order of `PLATFORMS`, then by user id. */
function byPlatform(a: Handle, b: Handle): number {
  const places = PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform);
  return places === 0 ? Number(a.userId > b.userId) - Number(a.userId < b.userId) : places;
}
