import type { DatabaseSync } from 'node:sqlite';
import { type AgendaJobRow, fromRow, type StoredJob, toRow } from './agenda-job-row.ts';
import { prepareQuery } from './connection.ts';

/** The rows that Agenda's jobs are. */
export type AgendaTable = ReturnType<typeof createAgendaTable>;

const LOCK = `UPDATE agenda_jobs SET locked_at = :now, body = json_set(body, '$.lastModifiedBy', :by)`;

export function createAgendaTable(db: DatabaseSync) {
  const query = (sql: string) => prepareQuery<AgendaJobRow>(db, sql);
  const all = query('SELECT * FROM agenda_jobs ORDER BY id');
  const byId = query('SELECT * FROM agenda_jobs WHERE id = ?');
  const single = query(`SELECT * FROM agenda_jobs WHERE name = ? AND type = 'single'`);
  const write = db.prepare(
    `INSERT OR REPLACE INTO agenda_jobs (id, name, type, next_run_at, locked_at, priority, is_disabled, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM agenda_jobs WHERE id = ?');
  const unlock = db.prepare('UPDATE agenda_jobs SET locked_at = NULL WHERE id = ?');
  const lockNext = query(
    `${LOCK} WHERE id = (
       SELECT id FROM agenda_jobs
       WHERE name = :name AND is_disabled = 0
         AND ((locked_at IS NULL AND next_run_at <= :nextScanAt) OR locked_at <= :lockDeadline)
       ORDER BY next_run_at, priority DESC LIMIT 1
     ) RETURNING *`,
  );
  const lock = query(
    `${LOCK} WHERE id = :id AND name = :name AND is_disabled = 0 AND locked_at IS NULL AND next_run_at IS :nextRunAt
     RETURNING *`,
  );
  const first = ([row]: readonly AgendaJobRow[]) => (row === undefined ? undefined : fromRow(row));
  return {
    list: () => all.all().map(fromRow),
    find: (id: string) => first(byId.all(id)),
    /** The one job of a name that is to be there once. */
    single: (name: string) => first(single.all(name)),
    put(job: StoredJob): StoredJob {
      const row = toRow(job);
      const { id, name, type, next_run_at, locked_at, priority, is_disabled, body } = row;
      write.run(id, name, type, next_run_at, locked_at, priority, is_disabled, body);
      return fromRow(row);
    },
    remove: (id: string) => remove.run(id).changes === 1,
    unlock: (id: string) => unlock.run(id).changes === 1,
    /** Locks the job of this name that is due first: one that is free, or whose lock is as old as the deadline. */
    lockNext: (asked: {
      name: string;
      nextScanAt: number;
      lockDeadline: number;
      now: number;
      by: string | null;
    }) => first(lockNext.all(asked)),
    /** Locks this job if it is free and due at the moment that is known of it. */
    lock: (asked: { id: string; name: string; nextRunAt: number | null; now: number; by: string | null }) =>
      first(lock.all(asked)),
  };
}
