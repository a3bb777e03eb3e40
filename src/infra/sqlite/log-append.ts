import type { DatabaseSync } from 'node:sqlite';
import type { LogStore } from '../../core/log/log-store.ts';
import { unsynced } from './connection.ts';

/** Triggers of the schema refuse an entry that leaves a gap. */
export function createSqliteLogAppend(db: DatabaseSync): LogStore['append'] {
  const insert = db.prepare(
    `INSERT INTO log (sequence, at, kind, subject, previous, hash, body) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
     WHERE NOT EXISTS (SELECT 1 FROM log WHERE sequence = ?1)`,
  );
  return async ({ sequence, at, kind, subject, previous, hash, body }, options) => {
    const append = () => insert.run(sequence, at, kind, subject, previous, hash, JSON.stringify(body));
    const { changes } = options?.isRestorable === true ? unsynced(db, append) : append();
    return changes === 0 ? 'taken' : 'appended';
  };
}
