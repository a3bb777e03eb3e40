import type { DatabaseSync } from 'node:sqlite';
import { requireVersion, SCHEMA_VERSION, SchemaMismatch } from '../schema-version.ts';
import { prepareQuery, transaction } from './connection.ts';

/** The versions of the kinds of documents. */
export const KINDS_TABLE = 'document_kinds';
const CREATE_KINDS = `CREATE TABLE IF NOT EXISTS ${KINDS_TABLE} (kind TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) STRICT`;

/** Throws `SchemaMismatch` for a database that this build must not open. Returns whether it is empty. */
export function checkVersion(db: DatabaseSync): boolean {
  const found = versionOf(db);
  if (found !== 0) requireVersion(found);
  return found === 0;
}

/** Prepares an empty database for documents. Throws `SchemaMismatch` for another that is not of this build. */
export function createTables(db: DatabaseSync): void {
  if (!checkVersion(db)) return;
  transaction(db, () => {
    // Read again under the lock: another process may have created them.
    if (!checkVersion(db)) return;
    db.exec(CREATE_KINDS);
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

/** Every version of this program has the table of kinds. */
const COUNT_TABLES = `SELECT count(*) AS tables, count(*) FILTER (WHERE name = '${KINDS_TABLE}') AS own FROM sqlite_schema`;
