import type { DatabaseSync } from 'node:sqlite';
import { requireVersion, SCHEMA_VERSION, SchemaMismatch } from '../schema-version.ts';
import { type Declaration, type Kind, storedFields } from '../stores/collection.ts';
import { DECLARATIONS } from '../stores/stores.ts';
import { prepareQuery, transaction } from './connection.ts';
import { SqliteTable } from './sqlite-table.ts';

const TYPES: Readonly<Record<Kind, string>> = {
  text: 'TEXT',
  json: 'TEXT',
  value: 'TEXT',
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'INTEGER',
};

/** Throws `SchemaMismatch` for a database that this build must not open. Returns whether it is empty. */
export function checkVersion(db: DatabaseSync): boolean {
  const found = versionOf(db);
  if (found !== 0) requireVersion(found);
  return found === 0;
}

/** Creates the tables of an empty database. Throws `SchemaMismatch` for another that is not of this build. */
export function createTables(db: DatabaseSync): void {
  if (!checkVersion(db)) return;
  transaction(db, () => {
    // Read again under the lock: another process may have created them.
    if (!checkVersion(db)) return;
    for (const declaration of DECLARATIONS) db.exec(creation(declaration));
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** The version of a database; 0 for an empty one. Throws `SchemaMismatch` for a file of another program. */
export function versionOf(db: DatabaseSync): number {
  const version = prepareQuery<{ user_version: number }>(db, 'PRAGMA user_version').get()?.user_version ?? 0;
  const { tables = 0, own = 0 } = prepareQuery<{ tables: number; own: number }>(db, COUNT_TABLES).get() ?? {};
  if (version === 0 ? tables > 0 : own === 0) throw new SchemaMismatch(null);
  return version;
}

/** Every version of this program has the table of alerts. */
const COUNT_TABLES =
  "SELECT count(*) AS tables, count(*) FILTER (WHERE name = 'alerts') AS own FROM sqlite_schema";

function creation(declaration: Declaration<Record<string, unknown>>): string {
  const { unique = [], isAppendOnly, indexes = {} } = declaration;
  const table = new SqliteTable(declaration);
  const columns = storedFields(declaration).map(
    ({ column, kind, isNullable }) => `${column} ${TYPES[kind]}${isNullable ? '' : ' NOT NULL'}`,
  );
  const constraints = unique.map((name) => `UNIQUE (${table.column(name)})`);
  const definitions = [...columns, `PRIMARY KEY (${table.key})`, ...constraints].join(', ');
  const created = Object.entries(indexes).map(([name, { fields, where = {} }]) => {
    const indexed = fields.map((field) => table.column(field)).join(', ');
    return `CREATE INDEX ${name} ON ${table.name} (${indexed})${table.where(where, [], where)};`;
  });
  return [
    `CREATE TABLE ${table.name} (${definitions}) STRICT;`,
    ...created,
    isAppendOnly ? onlyAppended(table.name, table.key) : '',
  ].join('\n');
}

/** Triggers for a table whose rows are numbered 1, 2, 3 … and never change. */
function onlyAppended(table: string, key: string): string {
  const refuse = `BEGIN SELECT RAISE(ABORT, '${table}: rows are only appended, each with the next ${key}'); END;`;
  return `CREATE TRIGGER ${table}_is_dense BEFORE INSERT ON ${table}
  WHEN NEW.${key} IS NOT (SELECT COALESCE(MAX(${key}), 0) + 1 FROM ${table}) ${refuse}
CREATE TRIGGER ${table}_is_never_changed BEFORE UPDATE ON ${table} ${refuse}
CREATE TRIGGER ${table}_is_never_shortened BEFORE DELETE ON ${table} ${refuse}`;
}
