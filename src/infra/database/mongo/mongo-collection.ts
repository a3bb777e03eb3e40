import { type Connection, mongo } from 'mongoose';
import type { Change, Collection, Declaration, FindQuery, Update } from '../stores/collection.ts';
import type { Filter, Name, Scalar } from '../stores/filter.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { insertWithin } from './insert-within.ts';
import { isScalar, MongoFields, SLOT, type StoredDocument } from './mongo-fields.ts';
import { nativeCollection, type ReadLimit, readLimit } from './native-collection.ts';

/** A reader takes all: without this the server sends 101 documents, and the others when it is asked again. */
const BATCH_SIZE = 10_000;

/** Rows as the documents of a collection of MongoDB. The driver's own: mongoose would make a document object of each. */
export class MongoCollection<Row extends object> implements Collection<Row> {
  readonly #documents: mongo.Collection<StoredDocument>;
  readonly #declaration: Declaration<Row>;
  readonly #fields: MongoFields<Row>;
  readonly #limit: ReadLimit;

  constructor(connection: Connection, declaration: Declaration<Row>) {
    this.#documents = nativeCollection(connection, declaration.name);
    this.#declaration = declaration;
    this.#fields = new MongoFields(declaration);
    this.#limit = readLimit(connection);
  }

  async get(...key: readonly Scalar[]): Promise<Row | null> {
    return this.#toRow(await this.#documents.findOne({ _id: this.#fields.id(key) }, this.#limit));
  }

  async find(query: FindQuery<Row> = {}): Promise<Row[]> {
    const documents = await this.#documents.find(this.#fields.beyond(query), this.#options(query)).toArray();
    return documents.map((document) => this.#fields.toRow(document));
  }

  async pick<Field extends Name<Row>>(fields: readonly Field[], query: FindQuery<Row>) {
    const paths = fields.map((field) => [this.#fields.path(field), 1] as const);
    const projection = { _id: 0, ...Object.fromEntries(paths) };
    const found = this.#documents.find(this.#fields.beyond(query), { ...this.#options(query), projection });
    return (await found.toArray()).map((document) => this.#fields.toFields(fields, document));
  }

  count(where?: Filter<Row>, index?: FindQuery<Row>['index']): Promise<number> {
    const options = { ...this.#limit, ...(index?.mongo !== undefined && { hint: index.mongo }) };
    return this.#documents.countDocuments(this.#fields.filter(where), options);
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

  async distinct<Field extends Name<Row>>(field: Field): Promise<Row[Field][]> {
    return (
      await this.#documents.distinct(this.#fields.path(field), {}, this.#limit)
    ).toSorted() as Row[Field][];
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

  async insertWithin(row: Row, cap: number): Promise<boolean> {
    const by = this.#declaration.cappedBy as Name<Row>;
    const within = { held: { [by]: row[by] }, cap, limit: this.#limit };
    return (await insertWithin(this.#documents, this.#document(row), within)) === 'inserted';
  }

  async append(row: Omit<Row, keyof Row & ('seq' | 'number')>): Promise<number> {
    const document = this.#fields.encode(row as unknown as Row);
    const options = { ...this.#limit, sort: { _id: -1 }, projection: { _id: 1 } } as const;
    for (;;) {
      const newest = await this.#documents.findOne({}, options);
      const number = Number(newest?._id ?? 0) + 1;
      try {
        await this.#documents.insertOne({ _id: number, ...document });
        return number;
      } catch (error) {
        // Another process has inserted this number, and so made progress: the loop ends.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async put(row: Row, over?: Filter<Row>): Promise<boolean> {
    const { _id, ...fields } = this.#document(row);
    const filter = { ...this.#fields.filter(over), _id };
    try {
      await onceMore(() => this.#documents.replaceOne(filter, fields, { upsert: true }));
      return true;
    } catch (error) {
      // Where the row does not match `over` this inserts, which `_id` refuses.
      if (isDuplicateKey(error, '_id')) return false;
      throw error;
    }
  }

  async upsert(row: Row, fields: readonly Name<Row>[]): Promise<Row> {
    const { _id, ...all } = this.#document(row);
    const isSet = (name: string) => (fields as readonly string[]).includes(name);
    const part = (isWanted: boolean) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => isSet(name) === isWanted));
    const update = { $set: part(true), $setOnInsert: part(false) };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const kept = await onceMore(() => this.#documents.findOneAndUpdate({ _id }, update, options));
    return this.#toRow(kept) ?? row;
  }

  async increment(
    field: Name<Row>,
    prefix: readonly Scalar[],
    amounts: ReadonlyMap<string, number>,
  ): Promise<void> {
    const writes = Array.from(amounts, ([last, amount]) => ({
      updateOne: {
        filter: { _id: this.#fields.id([...prefix, last]) },
        update: { $inc: { [field]: amount } },
        upsert: true,
      },
    }));
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

  async updateOne(where: Filter<Row>, change: Change<Row>): Promise<Row | null> {
    const options = { returnDocument: 'after' } as const;
    const filter = this.#fields.filter(where);
    const update = this.#update(change);
    const isEmpty = Object.keys(update).length === 0;
    return this.#toRow(
      isEmpty
        ? await this.#documents.findOne(filter, this.#limit)
        : await this.#documents.findOneAndUpdate(filter, update, options),
    );
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
    return {
      ...this.#limit,
      batchSize: BATCH_SIZE,
      ...(sort && { sort: this.#fields.sort(sort) }),
      ...(limit !== undefined && { limit }),
      ...(index?.mongo !== undefined && { hint: index.mongo }),
      ...(isCommitted && { readConcern: { level: 'majority' } }),
    };
  }

  /** Gives the number of documents that matched. */
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
    return { _id: this.#fields.idOf(row), ...this.#fields.encode(row), ...this.#declaration.mongoExtras };
  }

  #toRow(document: StoredDocument | null): Row | null {
    return document === null ? null : this.#fields.toRow(document);
  }
}

/** Of two calls that insert the same row, one fails: the row is there then. */
function onceMore<Result>(write: () => Promise<Result>): Promise<Result> {
  return write().catch((error: unknown) => (isDuplicateKey(error, '_id') ? write() : Promise.reject(error)));
}
