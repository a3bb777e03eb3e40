import type { DatabaseSync } from 'node:sqlite';
import { FIRST_VERSION, requireOpenable, SchemaMismatch } from '../schema-version.ts';
import { prepareQuery, transaction } from './connection.ts';
import { CUSTOMER_TABLES } from './schema/customer-tables.ts';
import { MARKET_TABLES } from './schema/market-tables.ts';

/** Step n leads to version `FIRST_VERSION` + n. The first is edited until 1.0.0; a step that was released never changes. */
export const STEPS: readonly string[] = [MARKET_TABLES + CUSTOMER_TABLES];

/** The version of this build. */
export const SCHEMA_VERSION = FIRST_VERSION + STEPS.length - 1;

/** Throws `SchemaMismatch` for a database that this build must not open. */
export function checkVersion(db: DatabaseSync, { migrates }: { readonly migrates: boolean }): void {
  requireOpenable(versionOf(db), SCHEMA_VERSION, migrates);
}

/** Creates the schema of an empty database, and brings that of an earlier step forward. */
export function migrate(db: DatabaseSync, steps: readonly string[] = STEPS): void {
  const version = FIRST_VERSION + steps.length - 1;
  if (versionOf(db) === version) return;
  transaction(db, () => {
    // Read again under the lock: another process may have migrated it.
    const found = versionOf(db);
    requireOpenable(found, version, true);
    for (const step of steps.slice(Math.max(0, found - FIRST_VERSION + 1))) db.exec(step);
    db.exec(`PRAGMA user_version = ${version}`);
  });
}

/** The version of a database; 0 for an empty one. Throws `SchemaMismatch` for a file of another program. */
export function versionOf(db: DatabaseSync): number {
  const version = prepareQuery<{ user_version: number }>(db, 'PRAGMA user_version').get()?.user_version ?? 0;
  const { tables = 0, own = 0 } = prepareQuery<{ tables: number; own: number }>(db, COUNT_TABLES).get() ?? {};
  if (version === 0 ? tables > 0 : own === 0) throw new SchemaMismatch(null, SCHEMA_VERSION);
  return version;
}

/** Every version of this program has the table of alerts. */
const COUNT_TABLES =
  "SELECT count(*) AS tables, count(*) FILTER (WHERE name = 'alerts') AS own FROM sqlite_schema";
