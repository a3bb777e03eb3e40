import type { DatabaseSync } from 'node:sqlite';
import type { AuditEntry, AuditLog } from '../../core/operations/audit-log.ts';
import { prepareQuery } from './connection.ts';

/** Triggers of the schema refuse every change and removal, and an entry that is not the newest. */
export function createSqliteAuditLog(db: DatabaseSync): AuditLog {
  const insert = db.prepare(
    `INSERT INTO audit (seq, at, actor, command, args, outcome)
     VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM audit), ?, ?, ?, ?, ?)`,
  );
  const list = prepareQuery<AuditEntry>(
    db,
    `SELECT seq, at, actor, command, args, outcome FROM audit WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  );
  return {
    append: async ({ at, actor, command, args, outcome }) => {
      insert.run(at, actor, command, args, outcome);
    },
    list: async ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      list.all(before, limit).map((row) => ({ ...row })),
  };
}
