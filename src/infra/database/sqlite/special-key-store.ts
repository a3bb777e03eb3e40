import type { DatabaseSync } from 'node:sqlite';
import { KEYS, type SpecialKeyStore } from '../stores/key-store.ts';
import { prepareQuery, transaction } from './connection.ts';
import { SqliteTable } from './sqlite-table.ts';

interface Secrets {
  readonly lookup: string;
  readonly revoked_at: number | null;
  readonly request: string | null;
}

/** Requests of former secrets are rows of their own, `key_requests`. */
export function createSqliteSpecialKeyStore(db: DatabaseSync): SpecialKeyStore {
  const table = new SqliteTable(KEYS);
  const insert = db.prepare(
    `INSERT INTO api_keys (${table.columns}) VALUES (${table.columns.replaceAll(/\w+/g, '?')})`,
  );
  const lookupHolder = prepareQuery<object>(
    db,
    'SELECT id FROM api_keys WHERE lookup = ?1 OR previous_lookup = ?1',
  );
  const held = prepareQuery<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM api_keys WHERE customer_id = ? AND revoked_at IS NULL',
  );
  const requestHolder = prepareQuery<{ id: string }>(
    db,
    `SELECT id FROM api_keys
     WHERE request = ?1 OR id = (SELECT key_id FROM key_requests WHERE key_requests.request = ?1)`,
  );
  const byId = db.prepare(`SELECT ${table.columns} FROM api_keys WHERE id = ?`);
  byId.setReturnArrays(true);
  const isTaken = (lookup: string) => lookupHolder.get(lookup) !== undefined;
  return {
    insert: async (key) =>
      transaction(db, () => {
        if (isTaken(key.lookup)) return false;
        insert.run(...table.values(key));
        return true;
      }),
    insertWithin: async (key, cap) =>
      transaction(db, () => {
        if ((held.get(key.customerId)?.count ?? 0) >= cap) return 'too_many';
        if (isTaken(key.lookup)) return 'lookup_taken';
        if (key.handover !== null && requestHolder.get(key.handover.request) !== undefined)
          return 'request_taken';
        insert.run(...table.values(key));
        return 'inserted';
      }),
    async byRequest(request) {
      const holder = requestHolder.get(request);
      const values = holder && (byId.get(holder.id) as unknown as unknown[] | undefined);
      return values === undefined ? null : table.toRow(values);
    },
    rotate: createRotation(db, isTaken, (request) => requestHolder.get(request)?.id),
    ...createRemovals(db),
  };
}

function createRotation(
  db: DatabaseSync,
  isTaken: (lookup: string) => boolean,
  holderOf: (request: string) => string | undefined,
): SpecialKeyStore['rotate'] {
  const secrets = prepareQuery<Secrets>(db, 'SELECT lookup, revoked_at, request FROM api_keys WHERE id = ?');
  const keepRequest = db.prepare(
    'INSERT INTO key_requests (request, key_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const rotate = db.prepare(
    `UPDATE api_keys SET lookup = ?, hash = ?, previous_lookup = ?, previous_hash = ?, previous_ends_at = ?,
       request = ?, is_shown = ? WHERE id = ?`,
  );
  return async (id, { from, lookup, hash, previous, handover }) =>
    transaction(db, () => {
      const key = secrets.get(id);
      if (key === undefined || key.revoked_at !== null || key.lookup !== from) return 'changed';
      if (isTaken(lookup)) return 'lookup_taken';
      const holder = holderOf(handover.request);
      if (holder !== undefined && holder !== id) return 'request_taken';
      if (key.request !== null && key.request !== handover.request) keepRequest.run(key.request, id);
      const former = [previous?.lookup ?? null, previous?.hash ?? null, previous?.endsAt ?? null];
      rotate.run(lookup, hash, ...former, handover.request, Number(handover.isShown), id);
      return 'rotated';
    });
}

function createRemovals(db: DatabaseSync): Pick<SpecialKeyStore, 'retire' | 'removeAll'> {
  const retire = db.prepare(
    `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?), request = NULL, is_shown = NULL
     WHERE id = ? AND is_shown = 0 AND previous_lookup IS NULL`,
  );
  const freeRequests = db.prepare('DELETE FROM key_requests WHERE key_id = ?');
  const removeRequests = db.prepare(
    'DELETE FROM key_requests WHERE key_id IN (SELECT id FROM api_keys WHERE customer_id = ?)',
  );
  const removeAll = db.prepare('DELETE FROM api_keys WHERE customer_id = ?');
  return {
    retire: async (id, at) =>
      transaction(db, () => {
        const isRetired = retire.run(at, id).changes === 1;
        if (isRetired) freeRequests.run(id);
        return isRetired;
      }),
    removeAll: async (customerId) =>
      transaction(db, () => {
        removeRequests.run(customerId);
        removeAll.run(customerId);
      }),
  };
}
