import type { Connection, mongo } from 'mongoose';
import type { StoredDocument } from './mongo-fields.ts';

/** The driver's collection. The server ends its reads after the `maxTimeMS` of the connection, as those of the models. */
export function nativeCollection(connection: Connection, name: string): mongo.Collection<StoredDocument> {
  if (connection.db === undefined) throw new Error('MongoDB: the connection is not open.');
  const collection = connection.db.collection<StoredDocument>(name);
  const maxTimeMS: unknown = connection.get('maxTimeMS');
  if (typeof maxTimeMS === 'number') limitReads(collection, maxTimeMS);
  return collection as unknown as mongo.Collection<StoredDocument>;
}

/** Methods that read, with the position of their options. */
const READS = { find: 1, findOne: 1, countDocuments: 1, aggregate: 1, distinct: 2 } as const;

type Method = (...args: unknown[]) => unknown;

function limitReads(collection: object, maxTimeMS: number): void {
  for (const [name, position] of Object.entries(READS)) {
    const read: Method = Reflect.get(collection, name);
    const limited: Method = (...args) => {
      const options = { maxTimeMS, ...(args[position] as object | undefined) };
      return read.apply(collection, Object.assign([], args, { [position]: options }));
    };
    Reflect.set(collection, name, limited);
  }
}
