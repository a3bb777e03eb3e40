import { type Connection, type Model, Schema } from 'mongoose';
import type { CustomerRecord, CustomerStore } from '../../core/customers/customer-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { createMongoHandles, type HandleDocument } from './handles.ts';
import { createMongoLinkCodes, type LinkCodeDocument } from './link-codes.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface CustomerDocument extends Omit<CustomerRecord, 'id'> {
  readonly _id: string;
}

/** `_id` is the mark. */
export interface PastTrialDocument {
  readonly _id: string;
}

const customerSchema = new Schema<CustomerDocument>(
  {
    _id: String,
    trial: { type: Schema.Types.Mixed, default: null },
    bannedAt: { type: Number, default: null },
    createdAt: Number,
    mergedInto: { type: String, default: null },
    isMoved: Boolean,
    erasingAt: { type: Number, default: null },
    version: Number,
  },
  { ...SCHEMA_OPTIONS, collection: 'customers' },
);
customerSchema.index({ 'trial.endsAt': 1 });
customerSchema.index({ createdAt: 1 });
/** Neither null. By comparison, as a search for a value would not use an index that asks for a `$type`. */
const MERGED = { mergedInto: { $gt: '' } } as const;
const ERASING = { erasingAt: { $gte: 0 } } as const;
customerSchema.index({ mergedInto: 1, isMoved: 1 }, { partialFilterExpression: MERGED });
customerSchema.index({ erasingAt: 1 }, { partialFilterExpression: ERASING });

const pastTrialSchema = new Schema<PastTrialDocument>(
  { _id: String },
  { ...SCHEMA_OPTIONS, collection: 'past_trials' },
);

export function createCustomerModel(connection: Connection): Model<CustomerDocument> {
  return connection.model<CustomerDocument>('Customer', customerSchema);
}

export function createPastTrialModel(connection: Connection): Model<PastTrialDocument> {
  return connection.model<PastTrialDocument>('PastTrial', pastTrialSchema);
}

interface CustomerModels {
  readonly customers: Model<CustomerDocument>;
  readonly handles: Model<HandleDocument>;
  readonly linkCodes: Model<LinkCodeDocument>;
  readonly pastTrials: Model<PastTrialDocument>;
}

export function createMongoCustomerStore(models: CustomerModels): CustomerStore {
  const { customers, handles, linkCodes, pastTrials } = models;
  return {
    ...createRecords(customers),
    ...createMongoHandles(handles),
    ...createMongoLinkCodes(linkCodes),
    async addPastTrials(marks) {
      const writes = marks.map((_id) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: { _id } }, upsert: true },
      }));
      if (writes.length > 0) await pastTrials.bulkWrite(writes, { ordered: false });
    },
    hasPastTrial: async (marks) => (await pastTrials.exists({ _id: { $in: [...marks] } })) !== null,
  };
}

const LIVING = { mergedInto: null, erasingAt: null } as const;

type Records = Pick<
  CustomerStore,
  'insert' | 'get' | 'replace' | 'remove' | 'mergedInto' | 'unfinished' | 'page' | 'count'
>;

function createRecords(customers: Model<CustomerDocument>): Records {
  return {
    async insert({ id, ...fields }) {
      try {
        await customers.insertOne({ _id: id, ...fields });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async get(id) {
      const document = await customers.findById(id).lean();
      return document === null ? null : toRecord(document);
    },
    async replace({ id: _id, version, ...fields }) {
      const change = { $set: { ...fields, version: version + 1 } };
      return (await customers.updateOne({ _id, version }, change)).matchedCount === 1;
    },
    remove: async (id) => void (await customers.deleteOne({ _id: id })),
    mergedInto: async (id) => (await customers.find({ mergedInto: id }).lean()).map(toRecord),
    async unfinished(limit) {
      const found = await customers
        .find({ $or: [ERASING, { ...MERGED, isMoved: false }] })
        .limit(limit)
        .lean();
      return found.map(toRecord);
    },
    async page({ after = '', limit, trialEnds }) {
      const ends = trialEnds && { 'trial.endsAt': { $gt: trialEnds.from, $lte: trialEnds.until } };
      const found = await customers
        .find({ ...LIVING, bannedAt: null, _id: { $gt: after }, ...ends })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return found.map(toRecord);
    },
    async count(since) {
      const [total, recent] = await Promise.all([
        customers.countDocuments(LIVING),
        customers.countDocuments({ ...LIVING, createdAt: { $gte: since } }),
      ]);
      return { total, new: recent };
    },
  };
}

function toRecord({ _id, ...fields }: CustomerDocument): CustomerRecord {
  return { id: _id, ...fields };
}
