import { type Connection, mongo } from 'mongoose';
import type { StoredDocument } from './mongo-fields.ts';

export function nativeCollection(
  connection: Connection,
  name: string,
  options?: mongo.CollectionOptions,
): mongo.Collection<StoredDocument> {
  if (connection.db === undefined) throw new Error('MongoDB: the connection is not open.');
  return connection.db.collection<StoredDocument>(
    name,
    options,
  ) as unknown as mongo.Collection<StoredDocument>;
}

/** How documents are read: until a time limit, in a session at one moment, or what a majority has. */
export type ReadOptions = Pick<mongo.FindOptions, 'maxTimeMS' | 'session' | 'readConcern'>;

const DUPLICATE_KEY = 11_000;

/** Whether a write failed because a unique value is taken; that of these fields when they are given. */
export function isDuplicateKey(error: unknown, fields?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return fields === undefined || Object.keys(Object(error['keyPattern'])).join() === fields;
}
