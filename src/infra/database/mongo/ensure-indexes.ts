import { isDeepStrictEqual } from 'node:util';
import { type Connection, mongo } from 'mongoose';
import { UserError } from '../../../core/base/user-error.ts';
import { declarations } from '../stores/stores.ts';
import { MongoFields } from './mongo-fields.ts';
import { nativeCollection } from './native-collection.ts';
import { type ProgressLog, withProgress } from './progress.ts';
import { RATE_WINDOW_INDEXES, RATE_WINDOWS } from './rate-limiter.ts';
import { validatorOf } from './validator.ts';

/** Error codes of the server. */
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
const DUPLICATE_KEY = 11_000;
const CONFLICTS = [85, 86];

type Index = mongo.IndexDescription & { readonly name: string };
type Collection = Pick<mongo.Collection, 'collectionName' | 'indexes' | 'createIndexes'>;

/**
 * Creates the collections and indexes that are missing: one round trip per collection when none is. An index built on an
 * existing collection is logged. Throws a `UserError` when documents or another index prevent one.
 */
export async function ensureIndexes(connection: Connection, log: ProgressLog): Promise<void> {
  const declared = declarations().map((declaration) => ({
    name: declaration.name,
    indexes: new MongoFields(declaration).indexes() as Index[],
    validator: validatorOf(declaration),
  }));
  const all = [...declared, { name: RATE_WINDOWS, indexes: RATE_WINDOW_INDEXES, validator: {} }];
  await Promise.all(
    all.map(async ({ name, indexes, validator }) => {
      const collection: Collection = nativeCollection(connection, name);
      const existing = await existingIndexes(collection);
      if (existing === null) await createCollection(connection, name, validator);
      if (indexes.length === 0) return;
      const missing = indexes.filter((index) => existing?.has(index.name) === false);
      if (existing === null) await collection.createIndexes(indexes);
      else await build(collection, { declared: indexes, missing, log });
    }),
  );
}

/** Another process may create it first. */
async function createCollection(connection: Connection, name: string, validator: object): Promise<void> {
  await connection.db?.createCollection(name, { validator }).catch((error: unknown) => {
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

interface Build {
  readonly declared: Index[];
  readonly missing: readonly Index[];
  readonly log: ProgressLog;
}

/**
 * Builds what is missing in one scan. Existing indexes are named too: the server then waits for one that another
 * process is building, and refuses one with other options.
 */
async function build(collection: Collection, { declared, missing, log }: Build): Promise<void> {
  const fields = { collection: collection.collectionName, indexes: missing.map(({ name }) => name) };
  if (missing.length > 0) log.logger.info(fields, 'indexes missing; building them');
  try {
    const progress = { fields, message: 'index build in progress' };
    const seconds = await withProgress(log, progress, () => collection.createIndexes(declared));
    if (missing.length > 0) log.logger.info({ ...fields, seconds }, 'indexes built');
  } catch (error) {
    throw explained(error, collection, { declared, missing });
  }
}

function explained(
  error: unknown,
  collection: Collection,
  { declared, missing }: Pick<Build, 'declared' | 'missing'>,
): unknown {
  if (!(error instanceof mongo.MongoServerError)) return error;
  const { code, keyPattern, message } = error;
  if (code === DUPLICATE_KEY) {
    const index = declared.find(({ key }) => isDeepStrictEqual(key, keyPattern));
    return index === undefined ? error : duplicatesError(collection, index);
  }
  return CONFLICTS.includes(Number(code)) ? conflictError(collection, missing, message) : error;
}

/** The duplicate values are left out: some are hashes of codes. */
function duplicatesError({ collectionName }: Collection, index: Index): UserError {
  const { name, key, partialFilterExpression: part } = index;
  const fields = Object.keys(key).map((field) => `$${field}`);
  const stages = [
    ...(part === undefined ? [] : [{ $match: part }]),
    { $group: { _id: fields, ids: { $push: '$_id' } } },
    { $match: { 'ids.1': { $exists: true } } },
  ];
  const query = `db.${collectionName}.aggregate(${JSON.stringify(stages)})`;
  return new UserError(
    `MongoDB: the index ${name} of the collection ${collectionName} cannot be built: it must be unique, and documents ` +
      'have duplicate values. ' +
      `Restore a backup without duplicates, or remove all but one document of each group that ${query} lists.`,
  );
}

/** `reason` is the server's message, which names the conflicting index. */
function conflictError({ collectionName }: Collection, missing: readonly Index[], reason: string): UserError {
  const names = missing.map(({ name }) => name).join(', ');
  const which = names === '' ? 'an index' : `the index ${names}`;
  return new UserError(
    `MongoDB: ${which} of the collection ${collectionName} cannot be built: ${reason}. ` +
      `Drop the existing one with db.${collectionName}.dropIndex(NAME); the next start builds it.`,
  );
}
