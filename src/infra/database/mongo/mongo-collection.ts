import type { Connection, mongo } from 'mongoose';
import type {
  Change,
  Collection,
  Declaration,
  Filter,
  FindQuery,
  Name,
  Scalar,
  Update,
} from '../stores/collection.ts';
import { isDuplicateKey, nativeCollection, type ReadOptions, takenOf } from './connect.ts';
import { isScalar, MongoFields, type StoredDocument } from './mongo-fields.ts';

/** A reader takes all: without this the server sends 101 documents, and the others when it is asked again. */
const BATCH_SIZE = 10_000;

export interface MongoCollectionOptions {
  /** Default: until the time limit of the connection. */
  readonly reads?: ReadOptions;
  readonly writeConcern?: mongo.WriteConcernSettings;
}

/** Rows as the documents of a collection of MongoDB. The driver's own: mongoose would make a document object of each. */
export class MongoCollection<Row extends object> implements Collection<Row> {
  readonly #documents: mongo.Collection<StoredDocument>;
  readonly #declaration: Declaration<Row>;
  readonly #fields: MongoFields<Row>;
  readonly #limit: ReadOptions;

  constructor(
    connection: Connection,
    declaration: Declaration<Row>,
    { reads, writeConcern }: MongoCollectionOptions = {},
  ) {
    this.#documents = nativeCollection(connection, declaration.name, writeConcern && { writeConcern });
    this.#declaration = declaration;
    this.#fields = new MongoFields(declaration);
    this.#limit = reads ?? { maxTimeMS: connection.get('maxTimeMS') };
  }

  async get(...key: readonly Scalar[]): Promise<Row | null> {
    return this.#toRow(await this.#documents.findOne({ _id: this.#fields.id(key) }, this.#limit));
  }

  async find(query: FindQuery<Row> = {}): Promise<Row[]> {
    const options = { ...this.#options(query), batchSize: BATCH_SIZE };
    return this.#rows(this.#documents.find(this.#fields.beyond(query), options));
  }

  async pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>) {
    const paths = fields.map((field) => [this.#fields.path(field), 1] as const);
    const projection = { _id: 0, ...Object.fromEntries(paths) };
    const options = { ...this.#options(query), batchSize: BATCH_SIZE, projection };
    const found = this.#documents.find(this.#fields.beyond(query), options);
    return (await found.toArray()).map((document) => this.#fields.toFields(fields, document));
  }

  count(where?: Filter<Row>, index?: string): Promise<number> {
    return this.#documents.countDocuments(this.#fields.filter(where), this.#options({ index }));
  }

  async countBy<Field extends Name<Row>>(field: Field, where?: Filter<Row>) {
    const group = { $group: { _id: `$${this.#fields.path(field)}`, held: { $sum: 1 } } };
    const stages = [{ $match: this.#fields.filter(where) }, group];
    const found = this.#documents.aggregate<{ _id: Row[Field]; held: number }>(stages, this.#limit);
    return new Map((await found.toArray()).map(({ _id, held }) => [_id, held]));
  }

  async sum<Field extends Name<Row>>(where: Filter<Row>, fields: readonly Field[]) {
    const sums = fields.map((field) => [field, { $sum: `$${field}` }] as const);
    const stages = [
      { $match: this.#fields.filter(where) },
      { $group: { _id: null, ...Object.fromEntries(sums) } },
    ];
    const [found] = await this.#documents.aggregate<Record<Field, number>>(stages, this.#limit).toArray();
    return Object.fromEntries(fields.map((field) => [field, found?.[field] ?? 0])) as Record<Field, number>;
  }

  async insertNew(rows: readonly Row[]): Promise<readonly Row[]> {
    if (rows.length === 0) return [];
    try {
      await this.#documents.insertMany(
        rows.map((row) => this.#document(row)),
        { ordered: false },
      );
      return rows;
    } catch (error) {
      const taken = new Set(takenOf(error));
      return rows.filter((_, index) => !taken.has(index));
    }
  }

  async insertInOrder(rows: readonly Row[]): Promise<boolean> {
    return isWritten(() => this.#documents.insertMany(rows.map((row) => this.#document(row))));
  }

  async put(row: Row, over?: Filter<Row>): Promise<boolean> {
    const { _id, ...fields } = this.#document(row);
    const filter = { ...this.#fields.filter(over), _id };
    const replace = () => onceMore(() => this.#documents.replaceOne(filter, fields, { upsert: true }));
    // Where the row does not match `over` this inserts, which `_id` refuses.
    return isWritten(replace, '_id');
  }

  async page(after: readonly Scalar[] | null, limit: number): Promise<Row[]> {
    const filter = after === null ? {} : { _id: { $gt: this.#fields.id(after) } };
    return this.#rows(this.#documents.find(filter, { ...this.#limit, sort: { _id: 1 }, limit }));
  }

  async update(where: Filter<Row>, change: Change<Row>): Promise<number> {
    const filter = this.#fields.filter(where);
    const update = this.#update(change);
    const { matchedCount } = this.#isOne(filter)
      ? await this.#documents.updateOne(filter, update)
      : await this.#documents.updateMany(filter, update);
    return matchedCount;
  }

  async updateEach(updates: readonly Update<Row>[]): Promise<number> {
    const writes = updates.map(({ where, change }) => ({
      updateOne: { filter: this.#fields.filter(where), update: this.#update(change) },
    }));
    return this.#bulkWrite(writes);
  }

  async delete(where: Filter<Row>): Promise<number> {
    return (await this.#documents.deleteMany(this.#fields.filter(where))).deletedCount;
  }

  #options({ sort, limit, index, isCommitted }: FindQuery<Row>): mongo.FindOptions {
    const on = this.#declaration.indexes?.[index ?? '']?.on;
    return {
      ...this.#limit,
      ...(sort && { sort: this.#fields.sort(sort) }),
      ...(limit !== undefined && { limit }),
      ...(index !== undefined && on !== 'sqlite' && { hint: index }),
      ...(isCommitted && { readConcern: { level: 'majority' } }),
    };
  }

  async #bulkWrite(writes: mongo.AnyBulkWriteOperation<StoredDocument>[]): Promise<number> {
    if (writes.length === 0) return 0;
    return (await this.#documents.bulkWrite(writes, { ordered: false })).matchedCount;
  }

  #update({ set }: Change<Row>): mongo.UpdateFilter<StoredDocument> {
    return { $set: this.#fields.encode(set) };
  }

  /** Whether a filter names one document. The driver retries writes of one document. */
  #isOne(filter: mongo.Filter<StoredDocument>): boolean {
    return ['_id', ...(this.#declaration.unique ?? [])].some((name) => isScalar(filter[name]));
  }

  #document(row: Row): StoredDocument {
    return { _id: this.#fields.idOf(row), ...this.#fields.encode(row) };
  }

  async #rows(found: mongo.FindCursor<StoredDocument>): Promise<Row[]> {
    return (await found.toArray()).map((document) => this.#fields.toRow(document));
  }

  #toRow(document: StoredDocument | null): Row | null {
    return document === null ? null : this.#fields.toRow(document);
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
