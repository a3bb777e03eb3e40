import type { DatabaseSync } from 'node:sqlite';
import type { Alert } from '../../../core/alerts/alert.ts';
import { threadKey } from '../../../core/alerts/ledger/thread.ts';
import type { Logger } from '../../../core/base/logger.ts';
import { SchemaMismatch } from '../schema-version.ts';
import { prepareQuery, transaction } from './connection.ts';
import { STEP_4 } from './schema/step-4.ts';
import { STEP_9 } from './schema/step-9.ts';
import { STEP_10 } from './schema/step-10.ts';
import { STEP_11 } from './schema/step-11.ts';
import { STEP_1, STEP_2, STEP_3 } from './schema/steps-1-to-3.ts';
import { STEP_5, STEP_6, STEP_7, STEP_8 } from './schema/steps-5-to-8.ts';

/**
 * Step n leads from version n to n + 1; a step that was released never changes.
 *
 * An alert is two rows: `alerts` has all of it, `alert_facets` only the fields that searches use. A filter without an index
 * reads all facets, a fraction of the bytes.
 */
const MIGRATIONS = [STEP_1, STEP_2, STEP_3, STEP_4, STEP_5, STEP_6, STEP_7, STEP_8, STEP_9, STEP_10, STEP_11];

/** The version of this build. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Throws `SchemaMismatch` for a version that this build must not open: a newer one, and without `migrates` an older one. */
export function checkVersion(db: DatabaseSync, { migrates }: { readonly migrates: boolean }): void {
  const found = versionOf(db);
  const isOlder = found > 0 && found < SCHEMA_VERSION;
  if (found > SCHEMA_VERSION || (isOlder && !migrates)) throw new SchemaMismatch(found, SCHEMA_VERSION);
}

/** Brings the database to this build's version and logs each step; refuses a newer version. A new database is not logged. */
export function migrate(db: DatabaseSync, logger?: Pick<Logger, 'info'>): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  transaction(db, () => {
    // Read again under the lock: another process may have migrated it.
    const found = versionOf(db);
    if (found > MIGRATIONS.length) throw new SchemaMismatch(found, MIGRATIONS.length);
    for (const [index, step] of MIGRATIONS.entries()) {
      if (index < found) continue;
      const fields = { from: index, to: index + 1 };
      if (found > 0) logger?.info(fields, 'database migration started');
      const startedAt = performance.now();
      db.exec(step);
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      if (found > 0) logger?.info({ ...fields, seconds }, 'database migration finished');
    }
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
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

const BATCH_SIZE = 2_000;

/** Oldest first, from the index of threads. */
export const UNFILLED_QUERY = `
  SELECT id, wallet, coalesce(body ->> '$.type', '') AS type, coalesce(body ->> '$.marketId', '') AS marketId,
    coalesce(body ->> '$.side', '') AS side, coalesce(body ->> '$.outcome', '') AS outcome
  FROM alerts WHERE thread = '' ORDER BY id LIMIT ?`;

const PLACE = `
  UPDATE alerts SET thread = :thread,
    thread_id = coalesce((SELECT min(id) FROM alerts WHERE thread = :thread AND id < :id), :id),
    supersedes = (SELECT max(id) FROM alerts WHERE thread = :thread AND id < :id)
  WHERE id = :id`;

type Unfilled = Pick<Alert, 'id' | 'type' | 'wallet' | 'marketId' | 'side' | 'outcome'>;

/** Gives alerts their threads that a build before version 6 appended after the migration; other alerts stay as they are. */
export function fillThreads(db: DatabaseSync): void {
  const unfilled = prepareQuery<Unfilled>(db, UNFILLED_QUERY);
  const place = db.prepare(PLACE);
  while (unfilled.get(1) !== undefined) {
    transaction(db, () => {
      for (const alert of unfilled.all(BATCH_SIZE)) place.run({ id: alert.id, thread: threadKey(alert) });
    });
  }
}
