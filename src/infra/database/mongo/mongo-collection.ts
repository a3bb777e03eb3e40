import { type Connection, mongo } from 'mongoose';
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
import { isDuplicateKey, nativeCollection, type ReadOptions } from './connect.ts';
import { isScalar, MongoFields, SLOT, type StoredDocument } from './mongo-fields.ts';

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
      if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      const refused = [error.writeErrors].flat();
      if (refused.some(({ code }) => code !== error.code)) throw error;
      const taken = new Set(refused.map(({ index }) => index));
      return rows.filter((_, index) => !taken.has(index));
    }
  }

  async insertInOrder(rows: readonly Row[]): Promise<boolean> {
    return isWritten(() => this.#documents.insertMany(rows.map((row) => this.#document(row))));
  }

  /** Gives the document one of `cap` slots, which a unique index protects: no transaction is needed. */
  async insertWithin(row: Row, cap: number) {
    const { cap: counted } = this.#declaration;
    if (counted === undefined) throw new Error(`${this.#declaration.name}: not declared with a cap`);
    const { by, where } = counted;
    const held = this.#fields.filter({ ...where, [by]: row[by] } as Filter<Row>);
    const document = this.#document(row);
    for (;;) {
      const holders = await this.#documents
        .find(held, { ...this.#limit, projection: { [SLOT]: 1 } })
        .toArray();
      if (holders.length >= cap) return 'too_many';
      const taken = new Set(holders.map((holder) => holder[SLOT]));
      // The same for all calls that see the same documents, so that one of them succeeds, also where some have no slot.
      const free = Array.from({ length: cap }, (_, slot) => slot).find((slot) => !taken.has(slot));
      try {
        await this.#documents.insertOne({ ...document, [SLOT]: free });
        return 'inserted';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Another call has taken the slot, and so made progress: the loop ends.
        if (!isDuplicateKey(error, `${by},${SLOT}`)) return 'taken';
      }
    }
  }

  async put(row: Row, over?: Filter<Row>): Promise<boolean> {
    const { _id, ...fields } = this.#document(row);
    const filter = { ...this.#fields.filter(over), _id };
    const replace = () => onceMore(() => this.#documents.replaceOne(filter, fields, { upsert: true }));
    // Where the row does not match `over` this inserts, which `_id` refuses.
    return isWritten(replace, '_id');
  }

  async putEach(rows: readonly Row[], over: Filter<Row>): Promise<boolean> {
    const replaceOnes = rows.map((row) => {
      const { _id, ...replacement } = this.#document(row);
      return { replaceOne: { filter: { ...this.#fields.filter(over), _id }, replacement, upsert: true } };
    });
    return isWritten(() => this.#bulkWrite(replaceOnes));
  }

  async page(after: readonly Scalar[] | null, limit: number): Promise<Row[]> {
    const filter = after === null ? {} : { _id: { $gt: this.#fields.id(after) } };
    return this.#rows(this.#documents.find(filter, { ...this.#limit, sort: { _id: 1 }, limit }));
  }

  async increment(
    field: Name<Row>,
    prefix: readonly Scalar[],
    amounts: ReadonlyMap<string, number>,
  ): Promise<void> {
    const { key } = this.#declaration;
    const writes = Array.from(amounts, ([last, amount]) => {
      const values = [...prefix, last];
      const row = Object.fromEntries(key.map((name, index) => [name, values[index]]));
      const update = { $inc: { [field]: amount }, $setOnInsert: this.#fields.encode(row as Partial<Row>) };
      return { updateOne: { filter: { _id: this.#fields.id(values) }, update, upsert: true } };
    });
    await this.#bulkWrite(writes);
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
    const filter = this.#fields.filter(where);
    const { deletedCount } = this.#isOne(filter)
      ? await this.#documents.deleteOne(filter)
      : await this.#documents.deleteMany(filter);
    return deletedCount;
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

  #update({ set = {}, add = {}, freesSlot }: Change<Row>): mongo.UpdateFilter<StoredDocument> {
    const fields = { ...this.#fields.encode(set), ...(freesSlot && { [SLOT]: null }) };
    return {
      ...(Object.keys(fields).length > 0 && { $set: fields }),
      ...(Object.keys(add).length > 0 && { $inc: add as Record<string, number> }),
    };
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
