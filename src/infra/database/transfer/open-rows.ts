import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../../core/base/user-error.ts';
import { databaseFailure, isMongoUrl, sqliteFile } from '../database.ts';
import { withEachMethod } from '../each-method.ts';
import type { BuildLog } from '../mongo/schema.ts';
import { type DatabaseUse, OF_SERVICE } from '../schema-version.ts';
import { openSqliteSource, openSqliteTarget } from '../sqlite/sqlite-rows.ts';
import type { RowSource, RowTarget } from './transfer-table.ts';

export interface RowDatabase {
  readonly url: string;
  /** Default: the database of the service. */
  readonly use?: DatabaseUse;
}

/** Opens a database to be read; `isFrozen`: at one moment, `isChecked`: undamaged. Errors name it. */
export async function openRowSource(
  { url, use = OF_SERVICE }: RowDatabase,
  log: BuildLog,
  options: { readonly isFrozen: boolean; readonly isChecked?: boolean },
): Promise<RowSource> {
  const file = fileOf(url, use);
  if (file !== null && !existsSync(file))
    throw new UserError(`${use.setting}: there is no file ${resolve(file)}. Name one that exists.`);
  return named({ url, use }, async () =>
    file === null
      ? (await import('../mongo/mongo-rows.ts')).openMongoSource({ uri: url, use, ...log }, options)
      : openSqliteSource(file, options),
  );
}

/** Opens a database to be filled, and creates it where there is none. Errors are those of `openRowSource`. */
export async function openRowTarget(
  { url, use = OF_SERVICE }: RowDatabase,
  log: BuildLog,
): Promise<RowTarget> {
  const file = fileOf(url, use);
  return named({ url, use }, async () =>
    file === null
      ? (await import('../mongo/mongo-rows.ts')).openMongoTarget({ uri: url, use, ...log })
      : openSqliteTarget(file),
  );
}

/** Opens it, and names the database in every error, also of a later call. */
async function named<Rows extends RowSource>(
  { url, use }: RowDatabase,
  open: () => Promise<Rows>,
): Promise<Rows> {
  const naming = async <Result>(call: () => Promise<Result>) => {
    try {
      return await call();
    } catch (error) {
      throw databaseFailure(error, url, use);
    }
  };
  return withEachMethod(
    await naming(open),
    (_, method) =>
      (...args) =>
        naming(() => method(...args)),
  );
}

/** Null for MongoDB. */
function fileOf(url: string, { setting }: DatabaseUse): string | null {
  const file = sqliteFile(url);
  if (file === ':memory:')
    throw new UserError(`${setting}: sqlite::memory: ends with this command; name a file.`);
  if (file === null && !isMongoUrl(url))
    throw new UserError(`${setting}: expected sqlite:FILE or mongodb://HOST/NAME.`);
  return file;
}
