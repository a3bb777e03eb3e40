import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Alert } from '../../../core/alerts/alert.ts';
import {
  releasedLease,
  type TablePosition,
  type TableRow,
  type TransferTable,
} from '../transfer/transfer-table.ts';
import { ALERT_COLUMNS, type AlertRow, toAlert } from './alert-row.ts';
import { createAppend } from './alert-store.ts';
import { prepareQuery } from './connection.ts';
import { SqliteTable } from './sqlite-table.ts';

/** A table as rows that both databases share. */
export interface SqliteRowTable {
  read(after: TablePosition | null, limit: number): readonly TableRow[];
  /** Inserts a row that is not there. Must run in a transaction. */
  insert(row: TableRow): void;
}

export function sqliteRowTable(db: DatabaseSync, table: TransferTable): SqliteRowTable {
  if (table.form === 'alert') return alertTable(db);
  const plain = declaredTable(db, table);
  if (table.form === 'key') return keyTable(db, plain);
  if (table.form === 'lease')
    return { ...plain, read: (after, limit) => plain.read(after, limit).map(releasedLease) };
  return plain;
}

function declaredTable(db: DatabaseSync, { declaration }: TransferTable): SqliteRowTable {
  const table = new SqliteTable(declaration);
  const { name, columns, key } = table;
  const prepare = (rest: string) => {
    const statement = db.prepare(`SELECT ${columns} FROM ${name} ${rest} ORDER BY ${key} LIMIT ?`);
    statement.setReturnArrays(true);
    return (...values: readonly SQLInputValue[]) =>
      (statement.all(...values) as unknown as unknown[][]).map((each): TableRow => table.toRow(each));
  };
  const first = prepare('');
  const next = prepare(`WHERE (${key}) > (${key.replaceAll(/\w+/g, '?')})`);
  return {
    read: (after, limit) => (after === null ? first(limit) : next(...(after as SQLInputValue[]), limit)),
    insert: inserter(db, `${name} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`, (row) =>
      table.values(row),
    ),
  };
}

/** Prepared with the first row: the source of a transfer is never written to. */
function inserter(db: DatabaseSync, into: string, valuesOf: (row: TableRow) => SQLInputValue[]) {
  let insert: ReturnType<DatabaseSync['prepare']> | null = null;
  return (row: TableRow) => {
    insert ??= db.prepare(`INSERT INTO ${into}`);
    insert.run(...valuesOf(row));
  };
}

function alertTable(db: DatabaseSync): SqliteRowTable {
  const next = prepareQuery<AlertRow>(
    db,
    `SELECT ${ALERT_COLUMNS} FROM alerts WHERE id > ? ORDER BY id LIMIT ?`,
  );
  let append: ReturnType<typeof createAppend> | null = null;
  return {
    read: (after, limit) =>
      next.all(Number(after?.[0] ?? 0), limit).map((row) => toAlert(row) as unknown as TableRow),
    insert(row) {
      append ??= createAppend(db);
      const outcome = append(row as unknown as Alert);
      if (outcome !== 'appended') throw new Error(`alert ${String(row['id'])}: its id or key is ${outcome}`);
    },
  };
}

/** With the requests of former secrets, which have rows of their own. */
function keyTable(db: DatabaseSync, keys: SqliteRowTable): SqliteRowTable {
  const requests = prepareQuery<{ key_id: string; request: string }>(
    db,
    'SELECT key_id, request FROM key_requests WHERE key_id IN (SELECT value FROM json_each(?)) ORDER BY request',
  );
  const insertRequest = inserter(db, 'key_requests (request, key_id) VALUES (?, ?)', ({ request, id }) => [
    String(request),
    String(id),
  ]);
  return {
    read(after, limit) {
      const found = keys.read(after, limit);
      const former = Map.groupBy(
        requests.all(JSON.stringify(found.map(({ id }) => id))),
        (each) => each.key_id,
      );
      return found.map((key) => ({
        ...key,
        pastRequests: (former.get(String(key['id'])) ?? []).map(({ request }) => request),
      }));
    },
    insert(row) {
      keys.insert(row);
      for (const request of row['pastRequests'] as readonly string[])
        insertRequest({ request, id: row['id'] });
    },
  };
}
