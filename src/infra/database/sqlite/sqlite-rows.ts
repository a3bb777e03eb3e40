import { realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UserError } from '../../../core/base/user-error.ts';
import { requireVersion, SCHEMA_VERSION, UNFINISHED_TRANSFER } from '../schema-version.ts';
import type {
  RowSource,
  RowTarget,
  TablePosition,
  TableRow,
  TransferTable,
} from '../transfer/transfer-table.ts';
import { openReader, openWriter, prepareQuery, transaction } from './connection.ts';
import { DamagedFile, sqliteFailure } from './open-failure.ts';
import { createPrivateFile } from './private-file.ts';
import { checkVersion, createTables, versionOf } from './schema.ts';
import { SqliteCollection } from './sqlite-collection.ts';

class SqliteRows implements RowSource {
  readonly name: string;
  readonly isFrozen = true;
  protected readonly db: DatabaseSync;
  readonly #tables = new Map<string, SqliteCollection<Record<string, unknown>>>();

  constructor(db: DatabaseSync, path: string) {
    this.db = db;
    this.name = `sqlite:${realpathSync(path)}`;
  }

  async read(table: TransferTable, after: TablePosition | null): Promise<readonly TableRow[]> {
    // A signal is noticed between two calls.
    await nextTurn();
    try {
      return await this.table(table).page(after, table.batch);
    } catch (error) {
      // Not SQLite's error: what the row should be could not be made of it.
      if (error instanceof Error && 'errcode' in error) throw error;
      throw new DamagedFile(`a row of ${table.name} cannot be read`);
    }
  }

  async count({ name }: TransferTable): Promise<number> {
    const query = prepareQuery<{ count: number }>(this.db, `SELECT count(*) AS count FROM ${name}`);
    return query.get()?.count ?? 0;
  }

  async size(): Promise<number> {
    const pragma = (name: string) =>
      Number(Object.values(prepareQuery<Record<string, number>>(this.db, `PRAGMA ${name}`).get() ?? {})[0]);
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }

  async close(): Promise<void> {
    if (this.db.isOpen) this.db.close();
  }

  protected table({ name, declaration }: TransferTable): SqliteCollection<Record<string, unknown>> {
    const known = this.#tables.get(name) ?? new SqliteCollection(this.db, declaration);
    this.#tables.set(name, known);
    return known;
  }
}

/**
 * Opens an existing file to be read, at one moment: one read transaction, while a service may write. `isChecked`: all of it is
 * read first, so that damage is found before anything is written elsewhere. Throws `SchemaMismatch` for a schema other than
 * this build's.
 */
export function openSqliteSource(path: string, { isChecked = false } = {}): RowSource {
  const db = openReader(path);
  try {
    db.exec('BEGIN');
    requireVersion(versionOf(db));
    if (isChecked) checkPages(db);
    return new SqliteRows(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkPages(db: DatabaseSync): void {
  const { quick_check: found = '' } =
    prepareQuery<{ quick_check: string }>(db, 'PRAGMA quick_check(1)').get() ?? {};
  // Its first line may be a heading.
  if (found !== 'ok') throw new DamagedFile(found.split('\n').at(-1));
}

class SqliteRowTarget extends SqliteRows implements RowTarget {
  async unfinishedFrom(): Promise<string | null> {
    if (versionOf(this.db) !== UNFINISHED_TRANSFER) return null;
    const query = prepareQuery<{ source: string }>(this.db, 'SELECT source FROM unfinished_transfer');
    return query.get()?.source ?? null;
  }

  async begin(source: string): Promise<void> {
    transaction(this.db, () => {
      this.db.exec('CREATE TABLE unfinished_transfer (source TEXT NOT NULL) STRICT');
      this.db.prepare('INSERT INTO unfinished_transfer (source) VALUES (?)').run(source);
      this.db.exec(`PRAGMA user_version = ${UNFINISHED_TRANSFER}`);
    });
  }

  async write(table: TransferTable, rows: readonly TableRow[]): Promise<void> {
    const { isAppendOnly, key } = table.declaration;
    const [name = ''] = key;
    const target = this.table(table);
    // Tables that only grow refuse rows that are there.
    const [newest] = isAppendOnly ? await target.find({ sort: [`-${name}`], limit: 1 }) : [];
    const isNew = (row: TableRow) => newest === undefined || Number(row[name]) > Number(newest[name]);
    await target.insertNew(rows.filter(isNew));
  }

  async clear(tables: readonly TransferTable[]): Promise<void> {
    for (const table of tables) await this.table(table).delete({});
  }

  /** In one file: its log is written back. */
  async finish(): Promise<void> {
    transaction(this.db, () => {
      this.db.exec(`DROP TABLE unfinished_transfer; PRAGMA user_version = ${SCHEMA_VERSION}`);
    });
    this.db.exec('PRAGMA journal_mode = DELETE');
  }
}

/** Opens a file to be filled. Throws while another process has it open, and for another build's schema. */
export function openSqliteTarget(path: string): RowTarget {
  createPrivateFile(path);
  const db = openAlone(path);
  try {
    if (versionOf(db) !== UNFINISHED_TRANSFER) createTables(db);
    return new SqliteRowTarget(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
}

function checkFillable(db: DatabaseSync): void {
  if (versionOf(db) !== UNFINISHED_TRANSFER) checkVersion(db);
}

/** No other process reads or writes the file until it is closed. */
function openAlone(path: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = openWriter(path, 'NORMAL', checkFillable);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    return db;
  } catch (error) {
    db?.close();
    if (sqliteFailure(error) !== 'locked') throw error;
    throw new UserError(`${path} is open in another process: stop it first.`);
  }
}
