import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../../../src/core/base/database-errors.ts';
import { UserError } from '../../../../src/core/base/user-error.ts';
import { databaseFailure, openDatabase } from '../../../../src/infra/database/database.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tipoff-failure-')));
  file = join(folder, 'tipoff.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A database of this build with a page of it overwritten. */
async function overwritten(position: number): Promise<void> {
  await (await openDatabase(`sqlite:${file}`)).close();
  const opened = await open(file, 'r+');
  await opened.write(Buffer.alloc(64, 0xff), 0, 64, position);
  await opened.close();
}

/** What hinders, and the remedy: the operator must change something first. */
describe('an SQLite file that cannot be used is named with its setting, path and remedy:', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['a folder', () => mkdir(file), 'is a folder. Name a file, for example '],
    [
      'no database',
      () => writeFile(file, 'some text'.repeat(1_000)),
      'is not an SQLite database, or its header is damaged. Restore it from a backup, or name',
    ],
    ['a damaged header', () => overwritten(0), 'is not an SQLite database, or its header is damaged.'],
    ['a damaged schema', () => overwritten(100), 'is damaged (database disk image is malformed). Restore it'],
  ])('%s', async (_, make, remedy) => {
    await make();

    const error = await openDatabase(`sqlite:${file}`).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(`DATABASE_URL: ${file} ${remedy}`);
  });

  test('a folder that cannot be made', async () => {
    await writeFile(file, '');

    const opening = openDatabase(`sqlite:${join(file, 'new', 'tipoff.db')}`);

    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(
      `cannot be created: ${file} is a file. Name a path whose folders exist.`,
    );
  });
});

describe('what may pass is unavailable, named with its setting, path and remedy:', () => {
  test.each<[string, (db: DatabaseSync) => void, string]>([
    [
      'a full disk',
      (db) => db.exec('PRAGMA max_page_count = 1; CREATE TABLE some (text)'),
      'cannot be written: the disk is full. Free space on it.',
    ],
    [
      'a lock of another process',
      (db) => {
        new DatabaseSync(file).exec('BEGIN EXCLUSIVE');
        db.exec('CREATE TABLE some (text)');
      },
      'is locked by another process. End the process that holds it',
    ],
  ])('%s', (_, fail, remedy) => {
    const db = new DatabaseSync(file, { timeout: 0 });
    let error: unknown = null;
    try {
      fail(db);
    } catch (reason) {
      error = databaseFailure(reason, `sqlite:${file}`);
    }
    db.close();

    expect(error).toBeInstanceOf(DatabaseUnavailable);
    expect(String(error)).toContain(`DATABASE_URL: ${file} ${remedy}`);
  });
});

/** Opens three databases as a user without rights, and prints each error. */
const SCRIPT = `
  import { openDatabase } from './src/infra/database/database.ts';
  process.setuid(65534);
  for (const file of process.argv.slice(1))
    console.log(String(await openDatabase('sqlite:' + file).catch((error) => error)));`;

test.skipIf(process.getuid?.() !== 0)(
  'a file or a folder without the rights is named, with the user',
  async () => {
    await (await openDatabase(`sqlite:${file}`)).close();
    const readOnly = join(folder, 'read', 'only.db');
    await mkdir(join(folder, 'read'));
    await writeFile(readOnly, '');
    await Promise.all([chmod(folder, 0o755), chmod(join(folder, 'read'), 0o777), chmod(readOnly, 0o444)]);

    const args = ['--input-type=module', '--eval', SCRIPT, file, readOnly, join(folder, 'new', 'tipoff.db')];
    const cwd = join(import.meta.dirname, '../../../..');
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });

    const [unreadable, unwritable, unmade] = stdout.trim().split('\n');
    const remedy = 'Change its owner or mode, or name a file elsewhere.';
    expect(unreadable).toBe(
      `UserError: DATABASE_URL: ${file} cannot be opened: user 65534 may not write ${file}. ${remedy}`,
    );
    expect(unwritable).toContain(`user 65534 may not write ${readOnly}. ${remedy}`);
    expect(unmade).toContain(
      `${join(folder, 'new', 'tipoff.db')} cannot be opened: user 65534 may not write ${folder}.`,
    );
  },
);
