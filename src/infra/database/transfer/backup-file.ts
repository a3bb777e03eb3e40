import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UserError } from '../../../core/base/user-error.ts';
import { sqliteFile } from '../database.ts';
import type { BuildLog } from '../mongo/schema.ts';
import type { DatabaseUse } from '../schema-version.ts';
import { copyRows, isEqual, type TableReport, type TransferWatch } from './copy-rows.ts';
import { openRowSource, openRowTarget } from './open-rows.ts';
import type { RowTarget } from './transfer-table.ts';

/** SQLite's pages and indexes take more than the documents of MongoDB. */
const SPACE_FACTOR = 1.25;

const BACKUP: DatabaseUse = {
  setting: 'FILE',
  ifUnusable: 'Remove it, or name another file for the backup.',
};

export interface BackupOptions {
  /** Of the database; a service may run on it. */
  readonly url: string;
  /** Path of the backup. Replaced with `isForced` only, and only by a complete one. */
  readonly file: string;
  readonly isForced: boolean;
  readonly log: BuildLog;
  readonly watch: TransferWatch;
}

/** Writes a database to a new SQLite file for this user alone, whole or not at all. Throws a `UserError`. */
export async function writeBackup(options: BackupOptions): Promise<readonly TableReport[]> {
  const { url, file, isForced } = options;
  refuseFile(file, sqliteFile(url), isForced);
  const partial = `${file}.partial`;
  await removePartial(partial, options.log);
  try {
    const reports = await copyTo(partial, options);
    if (reports.every(isEqual)) replace(partial, file);
    return reports;
  } finally {
    removeFile(partial);
  }
}

/** At one moment where the database can be read so for as long as it takes; else table by table. */
async function copyTo(partial: string, options: BackupOptions): Promise<readonly TableReport[]> {
  try {
    return await copyAs(partial, options, true);
  } catch (error) {
    const isGone =
      !options.url.startsWith('sqlite:') && (await import('../mongo/mongo-rows.ts')).isSnapshotGone(error);
    if (!isGone) throw error;
    options.log.logger.info(
      {},
      'reading took longer than the server keeps the past; reading again, table by table',
    );
    removeFile(partial);
    return copyAs(partial, options, false);
  }
}

async function copyAs(
  partial: string,
  { url, file, log, watch }: BackupOptions,
  isFrozen: boolean,
): Promise<readonly TableReport[]> {
  const source = await openRowSource({ url }, log, { isFrozen });
  try {
    await refuseSmallDisk(file, SPACE_FACTOR * (await source.size()));
    const target = await openPartial(partial, log);
    try {
      return await copyRows({ source, target, isStill: source.isFrozen, watch });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function refuseFile(file: string, database: string | null, isForced: boolean): void {
  if (!existsSync(file)) return;
  if (database !== null && existsSync(database) && realpathSync(database) === realpathSync(file))
    throw new UserError(`${file} is the database; name another file for the backup.`);
  if (!statSync(file).isFile())
    throw new UserError(`${file} is not a file. Name another one for the backup.`);
  if (!isForced) throw new UserError(`${file} exists. --force replaces it.`);
  if (existsSync(`${file}-wal`))
    throw new UserError(
      `${file} is open, or was not closed: ${file}-wal exists. Name another file for the backup.`,
    );
}

async function refuseSmallDisk(file: string, needed: number): Promise<void> {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) return;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed)
    throw new UserError(
      `${folder} has ${megabytes(bavail * bsize)} free, and the backup needs about ${megabytes(needed)}.`,
    );
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}

/** What a killed backup left. Throws a `UserError` while another process writes it. */
async function removePartial(partial: string, log: BuildLog): Promise<void> {
  if (!existsSync(partial)) return;
  const target = await openPartial(partial, log);
  await target.close();
  removeFile(partial);
}

function openPartial(partial: string, log: BuildLog): Promise<RowTarget> {
  return openRowTarget({ url: `sqlite:${partial}`, use: BACKUP }, log);
}

function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
}

/** Survives a power cut. */
function replace(partial: string, file: string): void {
  sync(partial);
  renameSync(partial, file);
  sync(dirname(resolve(file)));
}

function sync(path: string): void {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}
