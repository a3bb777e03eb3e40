import type {
  CustomerRecord,
  CustomerStore,
  HandleId,
  Visitor,
} from '../../../core/accounts/customers/customer.ts';
import type { Collection, Declaration, OpenCollection } from './collection.ts';

interface CustomerRow extends CustomerRecord {
  readonly nameLower: string | null;
}

const NAMED = { nameLower: { present: true } } as const;
const ERASING = { erasingAt: { present: true } } as const;
const LIVING = { erasingAt: null };

/** A person of a platform is one customer at most. */
export const CUSTOMERS: Declaration<CustomerRow> = {
  name: 'customers',
  fields: {
    id: 'text',
    platform: 'text',
    userId: 'text',
    name: 'text?',
    nameLower: 'text?',
    chat: 'text',
    isReachable: 'boolean',
    trial: { request: 'text', startedAt: 'integer', endsAt: 'integer' },
    bannedAt: 'integer?',
    createdAt: 'integer',
    erasingAt: 'integer?',
    version: 'integer',
  },
  key: ['id'],
  indexes: {
    customers_by_person: { fields: ['platform', 'userId'], isUnique: true },
    customers_by_name: { fields: ['nameLower'], where: NAMED },
    customers_by_trial_end: { fields: ['trial.endsAt'], where: { 'trial.endsAt': { present: true } } },
    customers_by_age: { fields: ['createdAt'], on: 'mongodb' },
    customers_erasing: { fields: ['erasingAt'], where: ERASING },
  },
};

export const PAST_TRIALS: Declaration<{ readonly mark: string }> = {
  name: 'past_trials',
  fields: { mark: 'text' },
  key: ['mark'],
  isClustered: true,
};

export function createCustomerStore(open: OpenCollection): CustomerStore {
  return { ...createRecords(open), ...createPastTrials(open) };
}

function createRecords(open: OpenCollection) {
  const customers = open(CUSTOMERS);
  return {
    touch: (visitor, candidate) => touch(customers, visitor, candidate),
    byPerson: (person) => byPerson(customers, person),
    async byName(name, limit) {
      const where = { nameLower: name.toLowerCase() };
      return (await customers.find({ where, sort: ['platform', 'userId'], limit })).map(toRecord);
    },
    async markUnreachable(platform, userId) {
      await customers.update({ platform, userId }, { set: { isReachable: false } });
    },
    async get(id) {
      const row = await customers.get(id);
      return row === null ? null : toRecord(row);
    },
    byIds: async (ids) => (await customers.find({ where: { id: { in: ids } } })).map(toRecord),
    async replace({ id, version, trial, bannedAt, erasingAt }) {
      const set = { trial, bannedAt, erasingAt, version: version + 1 };
      return (await customers.update({ id, version }, { set })) === 1;
    },
    async blank(id) {
      await customers.update({ id }, { set: { name: null, nameLower: null } });
    },
    remove: async (id) => void (await customers.delete({ id })),
    erasing: async (limit) => (await customers.find({ where: ERASING, limit })).map(toRecord),
    async page({ after = '', limit, trialEnds }) {
      const ends = trialEnds && { gt: trialEnds.from, lte: trialEnds.until };
      const where = { ...LIVING, bannedAt: null, id: { gt: after }, 'trial.endsAt': ends };
      return (await customers.find({ where, sort: ['id'], limit })).map(toRecord);
    },
    async count(since) {
      const recent = { ...LIVING, createdAt: { gte: since } };
      return { total: await customers.count(LIVING), new: await customers.count(recent) };
    },
  } satisfies Partial<CustomerStore>;
}

async function byPerson(
  customers: Collection<CustomerRow>,
  { platform, userId }: HandleId,
): Promise<CustomerRecord | null> {
  const [row] = await customers.find({ where: { platform, userId } });
  return row === undefined ? null : toRecord(row);
}

async function touch(
  customers: Collection<CustomerRow>,
  visitor: Visitor,
  candidate: Pick<CustomerRecord, 'id' | 'createdAt'>,
): Promise<string> {
  const { platform, userId, name, chat } = visitor;
  const known = await byPerson(customers, visitor);
  // Most visits change nothing, and need not wait for the disk.
  if (known?.name === name && known.chat === chat && known.isReachable) return known.id;
  const facts = { name, nameLower: name?.toLowerCase() ?? null, chat, isReachable: true };
  if (known !== null) {
    await customers.update({ id: known.id }, { set: facts });
    return known.id;
  }
  const [inserted] = await customers.insertNew([
    {
      id: candidate.id,
      platform,
      userId,
      ...facts,
      trial: null,
      bannedAt: null,
      createdAt: candidate.createdAt,
      erasingAt: null,
      version: 0,
    },
  ]);
  // Otherwise a concurrent visit inserted the person.
  return inserted?.id ?? touch(customers, visitor, candidate);
}

function createPastTrials(open: OpenCollection) {
  const trials = open(PAST_TRIALS);
  return {
    addPastTrial: async (mark) => void (await trials.insertNew([{ mark }])),
    hasPastTrial: async (mark) => (await trials.get(mark)) !== null,
  } satisfies Partial<CustomerStore>;
}

function toRecord({ nameLower, ...record }: CustomerRow): CustomerRecord {
  return record;
}
