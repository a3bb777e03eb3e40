import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import type { LogEntry } from '../../core/log/log-entry.ts';
import type { LogStore } from '../../core/log/log-store.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { SCHEMA_OPTIONS } from './schema-options.ts';

export interface LogDocument extends Omit<LogEntry, 'sequence' | 'body'> {
  /** `LogEntry.sequence`. */
  readonly _id: number;
  /** JSON: its numbers and keys are none of the database's business. */
  readonly body: string;
}

const logSchema = new Schema<LogDocument>(
  { _id: Number, at: Number, kind: String, subject: String, previous: String, hash: String, body: String },
  { ...SCHEMA_OPTIONS, collection: 'log' },
);
logSchema.index({ at: 1, _id: 1 });
logSchema.index({ subject: 1, _id: 1 });
logSchema.index({ kind: 1, _id: 1 });

/** The primary alone: what it loses in an election, the entry after it finds missing. */
const PRIMARY_ALONE = { writeConcern: { w: 1, j: false } };

export function createLogModel(connection: Connection): Model<LogDocument> {
  return connection.model<LogDocument>('LogEntry', logSchema);
}

/**
 * Inserts and reads are all that is ever done to the collection. Whatever is read was acknowledged by a majority: a hash that
 * was published or continued must never be rolled back.
 */
export function createMongoLogStore(log: Model<LogDocument>): LogStore {
  const collection = log.collection as unknown as mongo.Collection<LogDocument>;

  async function newest(filter: mongo.Filter<LogDocument>): Promise<LogEntry | null> {
    const [document] = await log.find(filter).sort({ _id: -1 }).limit(1).readConcern('majority').lean();
    return document === undefined ? null : toEntry(document);
  }

  async function firstSince(moment: number): Promise<number | null> {
    const query = log.find({ at: { $gte: moment } }, { _id: 1 }).sort({ at: 1, _id: 1 });
    const [document] = await query.limit(1).readConcern('majority').lean();
    return document?._id ?? null;
  }

  return {
    async append({ sequence, body, ...fields }, options) {
      const isNext = sequence === 1 || (await log.exists({ _id: sequence - 1 })) !== null;
      if (!isNext) throw new Error(`log: no entry ${sequence - 1}, so that ${sequence} cannot be appended`);
      try {
        const document = { _id: sequence, ...fields, body: JSON.stringify(body) };
        await collection.insertOne(document, options?.isRestorable === true ? PRIMARY_ALONE : {});
        return 'appended';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    last: () => newest({}),
    async headAt(until) {
      const query = log.find({ at: { $lte: until } }, { hash: 1 }).sort({ at: -1, _id: -1 });
      const [document] = await query.limit(1).readConcern('majority').lean();
      return document === undefined ? null : { sequence: document._id, hash: document.hash };
    },
    async after(sequence, { before, limit }) {
      const first = before === undefined ? null : await firstSince(before);
      const query = log.find({
        _id: { $gt: sequence, ...(first === null ? {} : { $lt: first }) },
        // An entry that came since has no part in the search above.
        ...(before === undefined ? {} : { at: { $lt: before } }),
      });
      const found = await query.sort({ _id: 1 }).limit(limit).readConcern('majority').lean();
      return found.map(toEntry);
    },
    firstSince,
    lastAbout: (subject) => newest({ subject }),
    lastOf: (kind) => newest({ kind }),
  };
}

function toEntry({ _id, body, ...fields }: LogDocument): LogEntry {
  return { sequence: _id, ...fields, body: JSON.parse(body) };
}
