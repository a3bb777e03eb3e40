import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOutage, isOutcomeUnknown } from '../../../../src/infra/database/outage.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tipoff-outages-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const SOME = 'CREATE TABLE some (text); INSERT INTO some VALUES (randomblob(100000))';

/** What makes SQLite fail, each as it happens to a file of a service. */
const FAILURES: Readonly<Record<string, (file: string) => void>> = {
  'a full disk'(file) {
    const db = new DatabaseSync(file);
    db.exec('PRAGMA max_page_count = 2');
    db.exec(SOME);
  },
  'a lock of another process'(file) {
    const [db, other] = [new DatabaseSync(file, { timeout: 0 }), new DatabaseSync(file)];
    other.exec('BEGIN EXCLUSIVE');
    db.exec(SOME);
  },
  'a file that is read-only'(file) {
    new DatabaseSync(file).exec(SOME);
    new DatabaseSync(file, { readOnly: true }).exec('DELETE FROM some');
  },
  'a folder that is gone'(file) {
    new DatabaseSync(join(file, 'gone', 'tipoff.db'));
  },
  'a file that is no database'(file) {
    writeFileSync(file, 'not a database'.repeat(1_000));
    new DatabaseSync(file).exec(SOME);
  },
  'a damaged page'(file) {
    new DatabaseSync(file).exec(SOME);
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.alloc(4_096, 0xff), 0, 4_096, 4_096);
    closeSync(opened);
    new DatabaseSync(file).exec('SELECT * FROM some');
  },
};

/** design.md: 503 where the database is away, 500 for faults alone. */
test.each(Object.entries(FAILURES))('%s is an outage, and the write was not made', (_, fail) => {
  const error = errorOf(() => fail(join(folder, 'tipoff.db')));

  expect(error).toMatchObject({ code: 'ERR_SQLITE_ERROR' });
  expect([isOutage(error), isOutcomeUnknown(error)]).toEqual([true, false]);
});

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

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}
