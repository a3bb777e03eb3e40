import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sqliteFailure } from './open-failure.ts';

/** While a file is opened; nothing is served yet. */
const BUSY_TIMEOUT_MS = 5000;
const RETRY_EVERY_MS = 10;

/** `FULL` survives a power cut, `NORMAL` may lose its last writes; `check` may throw before any change. */
export function openWriter(
  path: string,
  synchronous: 'NORMAL' | 'FULL',
  check: (db: DatabaseSync) => void = () => {},
): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    check(db);
    useWal(db);
    db.exec(`PRAGMA synchronous = ${synchronous}`);
    // What is deleted is overwritten in the file.
    db.exec('PRAGMA secure_delete = ON');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** While another process does the same to a new file, SQLite refuses the change of mode immediately, despite the timeout. */
function useWal(db: DatabaseSync): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (sqliteFailure(error) !== 'locked' || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_EVERY_MS);
    }
  }
}

/** From now on a lock of another process fails a call immediately. SQLite's own wait would block the event loop. */
export function neverWait(db: DatabaseSync): void {
  db.exec('PRAGMA busy_timeout = 0');
}

export function openReader(path: string): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
}

export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export interface Query<Row> {
  get(...values: readonly SQLInputValue[]): Row | undefined;
  all(...values: readonly SQLInputValue[]): Row[];
}

/** `Row` must match the statement's columns; it is not checked. */
export function prepareQuery<Row>(db: DatabaseSync, sql: string): Query<Row> {
  return db.prepare(sql) as unknown as Query<Row>;
}
