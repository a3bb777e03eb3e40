import { type Connection, mongo } from 'mongoose';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { SECOND_MS } from '../../../core/base/time/duration.ts';
import { UserError } from '../../../core/base/user-error.ts';
import { declaredKinds } from '../documents/declared-kinds.ts';
import { mongoIndexes } from '../documents/mongo-documents.ts';
import { requireVersion, SCHEMA_VERSION } from '../schema-version.ts';
import { nativeCollection } from './connect.ts';
import { RATE_WINDOW_INDEXES, RATE_WINDOWS } from './rate-limiter.ts';

/** The collection with the version of the schema, and those of the kinds of documents. */
export const VERSIONS = 'schema_version';

/** `isStart`: without it the collections of a database that is not empty are left as they are. */
export interface CreationOptions extends BuildLog {
  readonly isStart: boolean;
}

/**
 * Creates what is missing of this build's collections and indexes, at every start: a restore may have left them out. Throws
 * `SchemaMismatch` for a database that this build must not open. False where nothing had to be looked at.
 */
export async function createCollections(
  connection: Connection,
  { isStart, ...log }: CreationOptions,
): Promise<boolean> {
  const versions = nativeCollection(connection, VERSIONS);
  const found = Number((await versions.findOne({ _id: 'schema' }))?.['version'] ?? 0);
  if (found !== 0) requireVersion(found);
  if (found !== 0 && !isStart) return false;
  await ensureIndexes(connection, log);
  await versions.updateOne(
    { _id: 'schema' },
    { $setOnInsert: { version: SCHEMA_VERSION } },
    { upsert: true },
  );
  return true;
}

const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
/** Duplicate values; an index with other options or under another name. */
const REFUSALS = [11_000, 85, 86];

interface BuildLog {
  readonly clock: Clock;
  readonly logger: Logger;
}

type Index = mongo.IndexDescription & { readonly name: string };
type Collection = Pick<mongo.Collection, 'collectionName' | 'indexes' | 'createIndexes'>;

/** Creates missing collections and indexes. Throws a `UserError` when documents or an index prevent it. */
async function ensureIndexes(connection: Connection, log: BuildLog): Promise<void> {
  const declared = declaredKinds().map((declaration) => ({
    name: declaration.kind,
    indexes: mongoIndexes(declaration) as Index[],
  }));
  await Promise.all(
    [...declared, { name: RATE_WINDOWS, indexes: RATE_WINDOW_INDEXES }].map(async ({ name, indexes }) => {
      const collection: Collection = nativeCollection(connection, name);
      const existing = await existingIndexes(collection);
      if (existing === null) await createCollection(connection, name);
      if (indexes.length === 0) return;
      const missing = indexes.filter((index) => existing?.has(index.name) === false);
      if (existing === null) await collection.createIndexes(indexes);
      else await build(collection, indexes, log, missing);
    }),
  );
}

/** Another process may create it first. */
async function createCollection(connection: Connection, name: string): Promise<void> {
  await connection.db?.createCollection(name).catch((error: unknown) => {
    if (!(error instanceof mongo.MongoServerError && error.code === NAMESPACE_EXISTS)) throw error;
  });
}

/** Names; null when there is no such collection. */
async function existingIndexes(collection: Collection): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await collection.indexes()).map(({ name = '' }) => name));
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === NAMESPACE_NOT_FOUND) return null;
    throw error;
  }
}

/** Builds what is missing in one scan; existing ones are named, so that the server checks their options. */
async function build(
  collection: Collection,
  declared: Index[],
  { clock, logger }: BuildLog,
  missing: readonly Index[],
): Promise<void> {
  const fields = { collection: collection.collectionName, indexes: missing.map(({ name }) => name) };
  const startedAt = clock.now();
  if (missing.length > 0) logger.info(fields, 'indexes missing; building them');
  try {
    await collection.createIndexes(declared);
  } catch (error) {
    throw refused(error, collection);
  }
  const seconds = Math.round((clock.now() - startedAt) / SECOND_MS);
  if (missing.length > 0) logger.info({ ...fields, seconds }, 'indexes built');
}

/** The duplicate values are left out: some are hashes of codes. */
function refused(error: unknown, { collectionName }: Collection): unknown {
  if (!(error instanceof mongo.MongoServerError) || !REFUSALS.includes(Number(error.code))) return error;
  const reason = error.message.replace(/ dup key: .*/s, '');
  return new UserError(
    `MongoDB: the indexes of the collection ${collectionName} cannot be built (${reason}). Remove the documents with ` +
      `duplicate values, or the other index with db.${collectionName}.dropIndex(NAME); the next start builds them.`,
  );
}
