import type { DatabaseSync } from 'node:sqlite';
import type { LogEntry, LogHead, LogKind } from '../../core/log/log-entry.ts';
import type { LogStore } from '../../core/log/log-store.ts';
import { prepareQuery, unsynced } from './connection.ts';

interface Row extends Omit<LogEntry, 'body'> {
  readonly body: string;
}

const COLUMNS = 'sequence, at, kind, subject, previous, hash, body';
const INSERT = `
  INSERT INTO log (${COLUMNS}) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
  WHERE NOT EXISTS (SELECT 1 FROM log WHERE sequence = ?1)`;
const NEWEST = 'ORDER BY sequence DESC LIMIT 1';

/**
 * Triggers of the schema refuse every change and removal, and an entry that leaves a gap.
 */
export function createSqliteLogStore(db: DatabaseSync): LogStore {
  const insert = db.prepare(INSERT);
  const select = (rest: string) => prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM log ${rest}`);
  const last = select(NEWEST);
  const lastAbout = select(`WHERE subject = ? ${NEWEST}`);
  const lastOf = select(`WHERE kind = ? ${NEWEST}`);
  const after = select('WHERE sequence > ? ORDER BY sequence LIMIT ?');
  const afterUntil = select(
    `WHERE sequence > ?1 AND sequence < coalesce(
       (SELECT sequence FROM log WHERE at >= ?3 ORDER BY at, sequence LIMIT 1), ${Number.MAX_SAFE_INTEGER}
     ) ORDER BY sequence LIMIT ?2`,
  );
  const headAt = prepareQuery<LogHead>(
    db,
    'SELECT sequence, hash FROM log WHERE at <= ? ORDER BY at DESC, sequence DESC LIMIT 1',
  );
  const firstSince = prepareQuery<Pick<LogHead, 'sequence'>>(
    db,
    'SELECT sequence FROM log WHERE at >= ? ORDER BY at, sequence LIMIT 1',
  );
  return {
    async append({ sequence, at, kind, subject, previous, hash, body }, options) {
      const values = [sequence, at, kind, subject, previous, hash, JSON.stringify(body)] as const;
      const append = () => insert.run(...values);
      const { changes } = options?.isRestorable === true ? unsynced(db, append) : append();
      return changes === 0 ? 'taken' : 'appended';
    },
    last: async () => toEntry(last.get()),
    headAt: async (until) => {
      const row = headAt.get(until);
      return row === undefined ? null : { ...row };
    },
    after: async (sequence, { before, limit }) => {
      const rows =
        before === undefined ? after.all(sequence, limit) : afterUntil.all(sequence, limit, before);
      return rows.flatMap((row) => toEntry(row) ?? []);
    },
    firstSince: async (moment) => firstSince.get(moment)?.sequence ?? null,
    lastAbout: async (subject) => toEntry(lastAbout.get(subject)),
    lastOf: async (kind: LogKind) => toEntry(lastOf.get(kind)),
  };
}

function toEntry(row: Row | undefined): LogEntry | null {
  return row === undefined ? null : { ...row, body: JSON.parse(row.body) };
}
