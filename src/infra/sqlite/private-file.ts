import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../../core/ports/logger.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OF_OTHERS = 0o077;

/**
 * Makes the database's file, and its folder where there is none, for this user alone: it holds chat ids and perhaps the
 * secret that signs webhooks. SQLite gives its log and index the mode of the file. One of an earlier version is closed to
 * others. What keeps the file from being opened is left for SQLite to report.
 */
export function makePrivateFile(path: string, logger?: Logger): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  try {
    // Never a file that is there: to close it would drop the locks that this process has on it (POSIX).
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch {
    if (process.platform !== 'win32') closeToOthers(path, logger);
  }
}

function closeToOthers(path: string, logger?: Logger): void {
  const mode = modeOf(path);
  if ((mode & OF_OTHERS) === 0) return;
  const fields = { file: path, mode: mode.toString(8) };
  const file = realpathSync(path);
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(one, PRIVATE_FILE);
    } catch {
      // Not there, another user's, or on a file system without modes.
    }
  }
  if ((modeOf(path) & OF_OTHERS) === 0)
    logger?.warn(fields, 'other users could read the database file; its mode is 600 now');
  else logger?.warn(fields, 'other users can read the database file; its owner should chmod it to 600');
}

/** Of a file that is not there, as if others had no right to it. */
function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
}
