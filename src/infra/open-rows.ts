import { existsSync } from 'node:fs';
import { UserError } from '../core/user-error.ts';
import { isMongoUrl, sqliteFile } from './database.ts';
import type { ProgressLog } from './mongo/progress.ts';
import { openSqliteSource, openSqliteTarget } from './sqlite/sqlite-rows.ts';
import type { RowSource, RowTarget } from './transfer/row-store.ts';

/**
 * Opens the database of a URL to be read. `isFrozen`: at one moment, as far as it can be. Throws a `UserError` when there is none,
 * or its schema is not this build's.
 */
export async function openRowSource(
  url: string,
  log: ProgressLog,
  options: { readonly isFrozen: boolean },
): Promise<RowSource> {
  const file = fileOf(url);
  if (file === null)
    return (await import('./mongo/mongo-rows.ts')).openMongoSource({ uri: url, ...log }, options);
  if (!existsSync(file)) throw new UserError(`There is no ${file}.`);
  return openSqliteSource(file);
}

/** Opens the database of a URL to be filled, and creates it where there is none. */
export async function openRowTarget(url: string, log: ProgressLog): Promise<RowTarget> {
  const file = fileOf(url);
  if (file === null) return (await import('./mongo/mongo-rows.ts')).openMongoTarget({ uri: url, ...log });
  return openSqliteTarget(file);
}

/** Null for MongoDB. */
function fileOf(url: string): string | null {
  const file = sqliteFile(url);
  if (file === ':memory:') throw new UserError('sqlite::memory: ends with this command; name a file.');
  if (file === null && !isMongoUrl(url)) throw new UserError('Expected sqlite:FILE or mongodb://HOST/NAME.');
  return file;
}
