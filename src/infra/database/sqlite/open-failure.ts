import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseUnavailable } from '../../../core/base/database-errors.ts';
import { UserError } from '../../../core/base/user-error.ts';
import { IF_UNUSABLE, SchemaMismatch, schemaFailure } from '../schema-version.ts';

/** Throws when this user may not write an existing file or its folder: SQLite would open it for reading alone. */
export function checkAccess(path: string): void {
  for (const one of [dirname(path), path])
    if (existsSync(one)) accessSync(one, constants.R_OK | constants.W_OK);
}

/** An error of an SQLite file as an operator is shown it: setting, path and remedy; others as they are. */
export function sqliteFileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const file = resolve(path);
  const at = `DATABASE_URL: ${file}`;
  if (error instanceof SchemaMismatch) return schemaFailure(error, at);
  const failure = sqliteFailure(error) ?? systemFailure(error);
  if (failure === null) return error;
  if (isFolder(file))
    return new UserError(`${at} is a folder. Name a file, for example ${join(file, 'tipoff.db')}.`);
  if (failure === 'full' || (failure === 'io_error' && isDiskFull(file)))
    return new DatabaseUnavailable(`${at} cannot be written: the disk is full. Free space on it.`);
  if (failure === 'damaged')
    return new UserError(`${at} is damaged (${printable(error.message)}). ${IF_UNUSABLE}`);
  if (failure === 'not_a_database')
    return new UserError(`${at} is not an SQLite database, or its header is damaged. ${IF_UNUSABLE}`);
  if (failure === 'locked')
    return new DatabaseUnavailable(
      `${at} is locked by another process. End the process that holds it, for example a shell of sqlite3.`,
    );
  if (failure === 'io_error')
    return new DatabaseUnavailable(
      `${at} cannot be read or written (${error.message}). Check the disk and its file system.`,
    );
  return new UserError(`${at} ${accessProblem(file, error.message)}`);
}

/** SQLite quotes what it finds in a damaged file. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, '?');
}

/** Of an error of Node, from the creation of the folder and the check of access. */
function systemFailure(error: Error): SqliteFailure | null {
  if (!('syscall' in error && 'code' in error)) return null;
  if (error.syscall !== 'mkdir' && error.syscall !== 'access') return null;
  return error.code === 'ENOSPC' ? 'full' : 'cannot_open';
}

/** Names what hinders: the file, or the nearest folder above it that exists. */
function accessProblem(file: string, reason: string): string {
  const folder = nearestFolder(dirname(file));
  if (!isFolder(folder)) return `cannot be created: ${folder} is a file. Name a path whose folders exist.`;
  for (const one of [file, folder]) {
    const code = accessCode(one);
    if (code === 'EROFS')
      return 'is on a read-only file system. Mount it writable, or name a file elsewhere.';
    if (code === 'EACCES' || code === 'EPERM')
      return `cannot be opened: user ${process.getuid?.() ?? ''} may not write ${one}. Change its owner or mode, or name a file elsewhere.`;
  }
  return `cannot be opened (${reason}). Check the file and its folder, or name another file.`;
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function accessCode(path: string): unknown {
  try {
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** SQLite calls it an I/O error when the index of its log does not fit. */
function isDiskFull(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < 64 * 1_024;
}

/** Result codes of an unavailable or unusable database: https://www.sqlite.org/rescode.html */
const FAILURES = {
  3: 'not_permitted',
  5: 'locked',
  6: 'locked',
  8: 'read_only',
  10: 'io_error',
  11: 'damaged',
  13: 'full',
  14: 'cannot_open',
  15: 'locked',
  26: 'not_a_database',
} as const;

/** What this program finds wrong in a file that SQLite can read. */
export class DamagedFile extends Error {
  readonly errcode = 11;
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_ROWID. */
const TAKEN: ReadonlySet<unknown> = new Set([1_555, 2_067, 2_579]);

/** Whether a statement failed because another row has its key or one of its unique values. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && TAKEN.has(error.errcode);
}

type SqliteFailure = (typeof FAILURES)[keyof typeof FAILURES];

/** Null for other errors: what a statement itself did wrong, and what is not of SQLite. */
export function sqliteFailure(error: unknown): SqliteFailure | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  // The extension of a code is in the upper bits.
  const code = Number(error.errcode) & 0xff;
  return code in FAILURES ? FAILURES[code as keyof typeof FAILURES] : null;
}
