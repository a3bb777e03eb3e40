import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, parseConfig } from '../config.ts';
import { UserError } from '../core/base/user-error.ts';
import type { Database } from '../core/database.ts';
import { databaseFailure, openDatabase, sqliteFile } from '../infra/database/database.ts';
import { PROGRAM } from '../infra/process/program.ts';

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const parsed = parseConfig(env);
  if (parsed.isOk) return parsed.config;
  throw new UserError(parsed.problems.join('\n'));
}

export const DATABASE_URL = process.env['DATABASE_URL'] || 'sqlite:./data/tipoff.db';

/**
 * Opens the database of a service, runs the task, and closes the database. A file that does not exist is not created: the
 * service would not use it. An error of the database names the setting and the remedy.
 */
export async function withDatabase<Result>(
  url: string,
  task: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (!isCreated(url))
    throw new UserError(
      `DATABASE_URL: there is no database at ${resolve(sqliteFile(url) ?? '')}. ${PROGRAM} start creates it; this command does not. ` +
        'If a service runs on this path, its file was deleted or moved.',
    );
  const database = await openDatabase(url);
  try {
    return await task(database);
  } catch (error) {
    throw databaseFailure(error, url);
  } finally {
    await database.close();
  }
}

export function isCreated(url: string): boolean {
  const file = sqliteFile(url);
  return file === null || file === ':memory:' || existsSync(file);
}
