import type { Connection, mongo } from 'mongoose';
import type { StoredDocument } from './mongo-fields.ts';

/** The driver's collection: mongoose would make a document object of each row. Its reads get `readLimit` as options. */
export function nativeCollection(connection: Connection, name: string): mongo.Collection<StoredDocument> {
  if (connection.db === undefined) throw new Error('MongoDB: the connection is not open.');
  return connection.db.collection<StoredDocument>(name) as unknown as mongo.Collection<StoredDocument>;
}

/** When the server ends a read; none on a connection without a limit. */
export type ReadLimit = Pick<mongo.FindOptions, 'maxTimeMS'>;

/** The limit that mongoose gives the reads of the models. */
export function readLimit(connection: Connection): ReadLimit {
  const maxTimeMS: unknown = connection.get('maxTimeMS');
  return typeof maxTimeMS === 'number' ? { maxTimeMS } : {};
}
