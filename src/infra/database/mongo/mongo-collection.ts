import type { Connection, mongo } from 'mongoose';
import { DATABASE_TIMEOUT_MS } from '../../../core/base/database-errors.ts';
import type { Where } from '../../../core/base/documents/documents.ts';
import type { Collection, Declaration, FindQuery, Name, Update } from '../stores/collection.ts';
import { isDuplicateKey, nativeCollection, type ReadOptions } from './connect.ts';
import { isOne, MongoFields, type StoredDocument } from './mongo-fields.ts';

/** A reader takes all: without this the server sends 101 documents, and the others when it is asked again. */
const BATCH_SIZE = 10_000;

export interface MongoCollectionOptions {
  /** Default: until the time limit of a call, after which its answer is not awaited. */
  readonly reads?: ReadOptions;
  readonly writeConcern?: mongo.WriteConcernSettings;
}

/** Rows as the documents of a collection of MongoDB. The driver's own: mongoose would make a document object of each. */
export class MongoCollection<Row extends object> implements Collection<Row> {
  readonly #documents: mongo.Collection<StoredDocument>;
  readonly #fields: MongoFields<Row>;
  readonly #limit: ReadOptions;

  constructor(
    connection: Connection,
    declaration: Declaration<Row>,
    { reads, writeConcern }: MongoCollectionOptions = {},
  ) {
    this.#documents = nativeCollection(connection, declaration.name, writeConcern && { writeConcern });
    this.#fields = new MongoFields(declaration);
    this.#limit = reads ?? { maxTimeMS: DATABASE_TIMEOUT_MS };
  }

  async find(query: FindQuery<Row>): Promise<Row[]> {
    const found = this.#documents.find(this.#fields.filter(query.where), this.#options(query));
    return (await found.toArray()).map((document) => this.#fields.toRow(document));
  }

  async pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>) {
    const paths = fields.map((field) => [this.#fields.path(field), 1] as const);
    const projection = { _id: 0, ...Object.fromEntries(paths) };
    const options = { ...this.#options(query), projection };
    const found = this.#documents.find(this.#fields.filter(query.where), options);
    return (await found.toArray()).map((document) => this.#fields.toFields(fields, document));
  }

  async distinct<Field extends Name<Row>>(field: Field, where: Where<Row>) {
    const stages = [
      { $match: this.#fields.filter(where) },
      { $group: { _id: `$${this.#fields.path(field)}` } },
    ];
    const found = this.#documents.aggregate<{ _id: Row[Field] }>(stages, this.#limit);
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async insertInOrder(rows: readonly Row[]): Promise<boolean> {
    return isWritten(() => this.#documents.insertMany(rows.map((row) => this.#fields.toDocument(row))));
  }

  async put(row: Row, over: Where<Row>): Promise<boolean> {
    const { _id, ...fields } = this.#fields.toDocument(row);
    const filter = { ...this.#fields.filter(over), _id };
    const replace = () => onceMore(() => this.#documents.replaceOne(filter, fields, { upsert: true }));
    // Where the row does not match `over` this inserts, which `_id` refuses.
    return isWritten(replace, '_id');
  }

  async update({ where, set }: Update<Row>): Promise<void> {
    const filter = this.#fields.filter(where);
    const update = { $set: this.#fields.encode(set) };
    if (isOne(filter)) await this.#documents.updateOne(filter, update);
    else await this.#documents.updateMany(filter, update);
  }

  async updateEach(updates: readonly Update<Row>[]): Promise<void> {
    if (updates.length === 0) return;
    const writes = updates.map(({ where, set }) => ({
      updateOne: { filter: this.#fields.filter(where), update: { $set: this.#fields.encode(set) } },
    }));
    await this.#documents.bulkWrite(writes, { ordered: false });
  }

  #options({ sort, limit, index, isCommitted }: FindQuery<Row>): mongo.FindOptions {
    return {
      ...this.#limit,
      batchSize: BATCH_SIZE,
      ...(sort && { sort: this.#fields.sort(sort) }),
      ...(limit !== undefined && { limit }),
      ...(index !== undefined && { hint: index }),
      ...(isCommitted && { readConcern: { level: 'majority' } }),
    };
  }
}

/** Of two calls that insert the same row, one fails: the row is there then. */
function onceMore<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error: unknown) => (isDuplicateKey(error, '_id') ? write() : Promise.reject(error)));
}

/** False when a unique index refused the write: this one, or any. */
async function isWritten(write: () => Promise<unknown>, index?: string): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isDuplicateKey(error, index)) return false;
    throw error;
  }
}
