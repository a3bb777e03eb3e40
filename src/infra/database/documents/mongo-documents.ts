import type { Connection, mongo } from 'mongoose';
import { withTimeout } from '../../../core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS } from '../../../core/base/database-errors.ts';
import type {
  CallOptions,
  Change,
  Declaration,
  Documents,
  Identified,
  Query,
  Update,
  Where,
} from '../../../core/base/documents/documents.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { isDuplicateKey, nativeCollection, takenOf } from '../mongo/connect.ts';
import { filterOf, isOne, type MongoFilter, type StoredDocument } from '../mongo/mongo-fields.ts';
import { timeLimit } from '../time-limit.ts';
import { type Conditions, indexFor } from './index-for.ts';

/** A reader takes all: without this the server sends 101 documents, and the others when it is asked again. */
const BATCH_SIZE = 10_000;
/** What a majority of a replica set has: what is read is never rolled back. */
const READ_CONCERN = { level: 'majority' } as const;

/**
 * Documents of one kind in a collection, their ids in `_id`. The driver's own calls: a schema of mongoose would check and cast again
 * what the declaration's has parsed.
 */
export class MongoDocuments<T extends Identified> implements Documents<T> {
  readonly #documents: mongo.Collection<StoredDocument>;
  readonly #declaration: Declaration<T>;
  readonly #clock: Pick<Clock, 'sleep'>;
  /** Resolves when the collection and its indexes are there. */
  readonly #ready: () => Promise<void>;

  constructor(
    connection: Connection,
    declaration: Declaration<T>,
    { clock, ready }: { readonly clock: Pick<Clock, 'sleep'>; readonly ready: () => Promise<void> },
  ) {
    this.#documents = nativeCollection(connection, declaration.kind);
    this.#declaration = declaration;
    this.#clock = clock;
    this.#ready = ready;
  }

  get(id: T['id'], options?: CallOptions): Promise<T | null> {
    return this.#call('get', options, async (reads) => {
      const found = await this.#documents.findOne({ _id: id }, reads);
      return found === null ? null : this.#document(found);
    });
  }

  find(query: Query<T> = {}, options?: CallOptions): Promise<T[]> {
    const { where = {}, order, after, limit } = query;
    const filter = filterOf(where as Conditions, pathOf);
    const beyond = after === undefined ? [] : [beyondOf(order ?? 'id', after)];
    const hint = this.#hint(query);
    return this.#call('find', options, async (reads) => {
      const found = this.#documents.find(beyond.length === 0 ? filter : { $and: [filter, ...beyond] }, {
        ...reads,
        hint,
        batchSize: BATCH_SIZE,
        ...(order && { sort: sortOf(order) }),
        ...(limit !== undefined && { limit }),
      });
      return (await found.toArray()).map((document) => this.#document(document));
    });
  }

  count(where: Where<T> = {}, options?: CallOptions): Promise<number> {
    const hint = this.#hint({ where });
    const filter = filterOf(where as Conditions, pathOf);
    return this.#call('count', options, (reads) =>
      this.#documents.countDocuments(filter, { ...reads, hint }),
    );
  }

  insert(documents: readonly T[]): Promise<T['id'] | null> {
    const stored = this.#stored(documents);
    return this.#call('insert', {}, async () => {
      if (stored.length === 0) return null;
      try {
        await this.#documents.insertMany(stored);
        return null;
      } catch (error) {
        const [taken] = takenOf(error);
        return stored[taken as number]?._id ?? null;
      }
    });
  }

  insertMissing(documents: readonly T[]): Promise<readonly T[]> {
    const stored = this.#stored(documents);
    return this.#call('insertMissing', {}, async () => {
      if (stored.length === 0) return [];
      try {
        await this.#documents.insertMany(stored, { ordered: false });
        return documents;
      } catch (error) {
        const taken = new Set(takenOf(error));
        return documents.filter((_, index) => !taken.has(index));
      }
    });
  }

  put(documents: readonly T[], over: Where<T> = {}): Promise<boolean> {
    const filter = filterOf(over as Conditions, pathOf);
    const writes = this.#stored(documents).map(({ _id, ...replacement }) => ({
      replaceOne: { filter: { ...filter, _id }, replacement, upsert: true },
    }));
    return this.#call('put', {}, () => this.#putEach(writes, Object.keys(filter).length > 0));
  }

  update(where: Where<T>, change: Change<T>, options?: CallOptions): Promise<number> {
    const filter = filterOf(where as Conditions, pathOf);
    const hint = this.#hint({ where });
    const update = updateOf(change);
    return this.#call('update', options, async () => {
      const { matchedCount } = isOne(filter)
        ? await this.#documents.updateOne(filter, update)
        : await this.#documents.updateMany(filter, update, { hint });
      return matchedCount;
    });
  }

  updateEach(updates: readonly Update<T>[]): Promise<number> {
    const writes = updates.map(({ where, change }) => ({
      updateOne: {
        filter: filterOf(where as Conditions, pathOf),
        update: updateOf(change),
        hint: this.#hint({ where }),
      },
    }));
    return this.#call('updateEach', {}, async () => {
      if (writes.length === 0) return 0;
      return (await this.#documents.bulkWrite(writes, { ordered: false })).matchedCount;
    });
  }

  delete(where: Where<T>, options?: CallOptions): Promise<number> {
    const filter = filterOf(where as Conditions, pathOf);
    const hint = this.#hint({ where });
    return this.#call('delete', options, async () => {
      const { deletedCount } = isOne(filter)
        ? await this.#documents.deleteOne(filter)
        : await this.#documents.deleteMany(filter, { hint });
      return deletedCount;
    });
  }

  async #call<Answer>(
    name: keyof Documents<T>,
    { timeoutMs = DATABASE_TIMEOUT_MS }: CallOptions = {},
    call: (reads: mongo.FindOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const limit = timeLimit(`${this.#declaration.kind}.${name}`, timeoutMs, this.#clock);
    const reads = { maxTimeMS: timeoutMs, readConcern: READ_CONCERN };
    return withTimeout(
      limit,
      this.#ready().then(() => call(reads)),
    );
  }

  /** `isOver`: what does not match is inserted a second time, which its id refuses. */
  async #putEach(writes: mongo.AnyBulkWriteOperation<StoredDocument>[], isOver: boolean): Promise<boolean> {
    const write = () => this.#documents.bulkWrite(writes, { ordered: false });
    if (writes.length === 0) return true;
    try {
      await write();
    } catch (error) {
      if (!isDuplicateKey(error) || !String(error).includes(' index: _id_ ')) throw error;
      if (isOver) return false;
      // Another call inserted it first: it is replaced now.
      await write();
    }
    return true;
  }

  #hint(query: Pick<Query<T>, 'where' | 'order'>): string {
    return indexFor(this.#declaration, query).name ?? '_id_';
  }

  #stored(documents: readonly T[]): StoredDocument[] {
    return documents.map((document) => {
      const { id, ...fields } = this.#declaration.schema.parse(document);
      return { _id: id, ...fields };
    });
  }

  #document({ _id, ...fields }: StoredDocument): T {
    return { id: _id, ...fields } as unknown as T;
  }
}

export function mongoIndexes<T extends Identified>({ indexes = {} }: Declaration<T>) {
  return Object.entries(indexes).map(([name, index]) => {
    const { fields, isUnique, where } = index;
    const paths = [...fields.map(pathOf), ...(isUnique ? [] : ['_id'])];
    return {
      name,
      key: Object.fromEntries(paths.map((path) => [path, 1 as const])),
      ...(isUnique && { unique: true }),
      ...(where && { partialFilterExpression: filterOf(where as Conditions, pathOf) }),
    };
  });
}

function pathOf(path: string): string {
  return path === 'id' ? '_id' : path;
}

function sortOf(order: string): Record<string, 1 | -1> {
  const direction = order.startsWith('-') ? -1 : 1;
  return { [pathOf(order.replace('-', ''))]: direction, _id: direction };
}

function beyondOf(order: string, { value, id }: NonNullable<Query<Identified>['after']>): MongoFilter {
  const side = order.startsWith('-') ? '$lt' : '$gt';
  const path = pathOf(order.replace('-', ''));
  if (path === '_id' || value === undefined) return { _id: { [side]: id } } as MongoFilter;
  const beyond = [{ [path]: { [side]: value } }, { _id: { [side]: id } }];
  // The field is bounded on its own, too, so that the index is entered there.
  return { [path]: { [`${side}e`]: value }, $or: beyond } as MongoFilter;
}

function updateOf<T>({
  set = {},
  inc = {},
  max = {},
  unset = [],
}: Change<T>): mongo.UpdateFilter<StoredDocument> {
  const parts = {
    $set: set,
    $inc: inc,
    $max: max,
    $unset: Object.fromEntries(unset.map((path) => [path, 1])),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0));
}
