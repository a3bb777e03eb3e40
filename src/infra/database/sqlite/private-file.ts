import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../../core/base/logger.ts';
import { prepareQuery } from './connection.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OF_OTHERS = 0o077;

/**
 * Creates the database's file, and its folder, for this user alone where there is none: it holds chat ids and perhaps the
 * secret that signs webhooks. SQLite gives its log and index the mode of the file. Existing files are not changed, and
 * SQLite reports why a file cannot be created.
 */
export function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  // Never a file that is there: to close it would drop the locks that this process has on it (POSIX). A link to no file
  // does not exist either, and opening it creates what it points to.
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'a', PRIVATE_FILE));
  } catch {
    // SQLite reports it.
  }
}

/** Closes the file of an opened database, as SQLite names it, with log and index to other users. */
export function closeToOthers(db: DatabaseSync, logger?: Logger): void {
  const file = fileOf(db);
  if (process.platform === 'win32' || !isOpenToOthers(file)) return;
  const fields = { file, mode: (statSync(file).mode & 0o777).toString(8) };
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(one, PRIVATE_FILE);
    } catch {
      // It is not there, another user's, or on a file system without modes. A database that stays open is logged below.
    }
  }
  if (isOpenToOthers(file))
    logger?.warn(fields, 'other users can read the database file; its owner should chmod it to 600');
  else logger?.warn(fields, 'other users could read the database file; its mode is 600 now');
}

/** With links resolved; empty for a database in memory. */
function fileOf(db: DatabaseSync): string {
  const databases = prepareQuery<{ name: string; file: string }>(db, 'PRAGMA database_list').all();
  return databases.find(({ name }) => name === 'main')?.file ?? '';
}

function isOpenToOthers(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && (stats.mode & OF_OTHERS) !== 0;
}
