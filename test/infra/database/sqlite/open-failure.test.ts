import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/core/base/user-error.ts';
import { databaseFailure, openDatabase } from '../../../../src/infra/database/database.ts';
import { isOutage, isOutcomeUnknown } from '../../../../src/infra/database/outage.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tipoff-failure-')));
  file = join(folder, 'tipoff.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

const SOME = 'CREATE TABLE some (text); INSERT INTO some VALUES (randomblob(100000))';

/** What makes SQLite fail until an operator changes something, each as it happens to a file, with what is shown then. */
const FAILURES: Readonly<Record<string, readonly [fail: () => void, remedy: string]>> = {
  'a file that is read-only': [
    () => {
      new DatabaseSync(file).exec(SOME);
      new DatabaseSync(file, { readOnly: true }).exec('DELETE FROM some');
    },
    'cannot be opened (attempt to write a readonly database).',
  ],
  'a folder that is gone': [
    () => new DatabaseSync(join(folder, 'gone', 'tipoff.db')),
    'cannot be opened (unable to open database file).',
  ],
  'a damaged page': [
    () => {
      new DatabaseSync(file).exec(SOME);
      const opened = openSync(file, 'r+');
      writeSync(opened, Buffer.alloc(4_096, 0xff), 0, 4_096, 4_096);
      closeSync(opened);
      new DatabaseSync(file).exec('SELECT * FROM some');
    },
    'is damaged (database disk image is malformed)',
  ],
};

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

/** design.md: 503 where the database is away, 500 for faults alone. */
test.each(Object.entries(FAILURES))(
  '%s is an outage in which nothing was written, named with its setting, path and remedy',
  (_, [fail, remedy]) => {
    const error = errorOf(fail);

    expect([isOutage(error), isOutcomeUnknown(error)]).toEqual([true, false]);
    const failure = databaseFailure(error, `sqlite:${file}`);
    expect(failure).toBeInstanceOf(UserError);
    expect(String(failure)).toContain(`DATABASE_URL: ${file} ${remedy}`);
  },
);

test.each(['SELECT * FROM missing', 'INSERT INTO some VALUES (1); INSERT INTO some VALUES (1)'])(
  'a fault is no outage: %s',
  (sql) => {
    const db = new DatabaseSync(':memory:');
    db.exec('CREATE TABLE some (number UNIQUE)');

    const error = errorOf(() => db.exec(sql));

    expect(error).toMatchObject({ code: 'ERR_SQLITE_ERROR' });
    expect(isOutage(error)).toBe(false);
  },
);

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
