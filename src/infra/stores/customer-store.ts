import type { CustomerRecord, CustomerStore, LinkCode } from '../../core/customers/customer-store.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';
import { createHandleStore } from './handle-store.ts';

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
  sqliteIndexes: {
    customers_by_trial_end: { fields: ['trial.endsAt'], where: { 'trial.endsAt': { present: true } } },
    customers_merged: { fields: ['mergedInto'], where: MERGED },
    customers_unfinished: { fields: ['id'], where: UNFINISHED },
  },
  mongoIndexes: [
    { fields: ['trial.endsAt'] },
    { fields: ['createdAt'] },
    { fields: ['mergedInto', 'isMoved'], where: MERGED },
    { fields: ['erasingAt'], where: ERASING },
  ],
};

export const LINK_CODES: Declaration<LinkCode> = {
  name: 'link_codes',
  fields: { customerId: 'text', hash: 'text', expiresAt: 'integer' },
  key: ['customerId'],
  unique: ['hash'],
  mongoIndexes: [{ fields: ['expiresAt'] }],
};

export const PAST_TRIALS: Declaration<{ readonly mark: string }> = {
  name: 'past_trials',
  fields: { mark: 'text' },
  key: ['mark'],
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
