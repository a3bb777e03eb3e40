import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey, KeyLimits } from '../../core/keys/api-key.ts';
import type { KeyStore } from '../../core/keys/key-store.ts';
import type { Tier } from '../../core/tier.ts';
import { prepareQuery, transaction } from './connection.ts';

const COLUMNS =
  'id, lookup, hash, name, tier, created_at, trial_ends_at, revoked_at, customer_id, request, is_shown, ' +
  'previous_lookup, previous_hash, previous_ends_at, limits, first_used_at';

interface Row {
  readonly id: string;
  readonly lookup: string;
  readonly hash: string;
  readonly name: string;
  readonly tier: Tier;
  readonly created_at: number;
  readonly trial_ends_at: number | null;
  readonly revoked_at: number | null;
  readonly customer_id: string | null;
  readonly request: string | null;
  readonly is_shown: number | null;
  readonly previous_lookup: string | null;
  readonly previous_hash: string | null;
  readonly previous_ends_at: number | null;
  /** JSON. */
  readonly limits: string | null;
  readonly first_used_at: number | null;
}

export function createSqliteKeyStore(db: DatabaseSync): KeyStore {
  const { byLookup, byId, byRequest, ...lists } = prepareReads(db);
  const insert = db.prepare(`INSERT INTO api_keys (${COLUMNS}) VALUES (${COLUMNS.replaceAll(/\w+/g, '?')})`);
  const one = (row: Row | undefined) => (row === undefined ? null : toKey(row));
  return {
    insert: async (key) =>
      transaction(db, () => {
        if (byLookup.get(key.lookup) !== undefined) return false;
        insert.run(...toValues(key));
        return true;
      }),
    insertWithin: async (key, cap) =>
      transaction(db, () => {
        if (lists.byCustomer.all(key.customerId).length >= cap) return 'too_many';
        if (byLookup.get(key.lookup) !== undefined) return 'lookup_taken';
        if (key.handover !== null && byRequest.get(key.handover.request) !== undefined)
          return 'request_taken';
        insert.run(...toValues(key));
        return 'inserted';
      }),
    byLookup: async (lookup) => one(byLookup.get(lookup)),
    byId: async (id) => one(byId.get(id)),
    byIds: async (ids) => lists.byIds.all(JSON.stringify(ids)).map(toKey),
    byCustomer: async (customerId) => lists.byCustomer.all(customerId).map(toKey),
    idsOf: async (customerId) => lists.idsOf.all(customerId).map(({ id }) => id),
    byRequest: async (request) => one(byRequest.get(request)),
    list: async () => lists.list.all().map(toKey),
    endedTrials: async (now, limit) => lists.endedTrials.all(now, limit).map(toKey),
    ...createKeyChanges(db),
    ...createKeyRotation(db),
  };
}

function prepareReads(db: DatabaseSync) {
  const query = (rest: string) => prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM api_keys ${rest}`);
  return {
    byLookup: query('WHERE lookup = ?1 OR previous_lookup = ?1'),
    byId: query('WHERE id = ?'),
    byIds: query('WHERE id IN (SELECT value FROM json_each(?))'),
    byCustomer: query('WHERE customer_id = ? AND revoked_at IS NULL ORDER BY created_at, id'),
    idsOf: prepareQuery<{ id: string }>(db, 'SELECT id FROM api_keys WHERE customer_id = ?'),
    byRequest: query(
      'WHERE request = ?1 OR id = (SELECT key_id FROM key_requests WHERE key_requests.request = ?1)',
    ),
    list: query('ORDER BY created_at, id'),
    endedTrials: query(
      "WHERE tier = 'pro' AND revoked_at IS NULL AND trial_ends_at <= ? ORDER BY trial_ends_at, id LIMIT ?",
    ),
  };
}

type KeyChanges = Pick<
  KeyStore,
  | ('revoke' | 'retire' | 'rename' | 'confirmShown' | 'markFirstUsed')
  | ('setTier' | 'moveTrial' | 'moveAll' | 'removeAll')
>;

function createKeyChanges(db: DatabaseSync): KeyChanges {
  const change = (what: string) => {
    const statement = db.prepare(`UPDATE api_keys SET ${what}`);
    return (...values: readonly (string | number | null)[]) => statement.run(...values).changes === 1;
  };
  const revoke = change('revoked_at = COALESCE(revoked_at, ?) WHERE id = ?');
  const retire = change(
    `revoked_at = COALESCE(revoked_at, ?), request = NULL, is_shown = NULL
     WHERE id = ? AND is_shown = 0 AND previous_lookup IS NULL`,
  );
  const freeRequests = db.prepare('DELETE FROM key_requests WHERE key_id = ?');
  const rename = change('name = ? WHERE id = ?');
  const confirmShown = change('is_shown = 1 WHERE id = ? AND request = ?');
  const markFirstUsed = change(
    `first_used_at = ?, is_shown = CASE WHEN is_shown = 0 AND previous_lookup IS NULL THEN 1 ELSE is_shown END
     WHERE id = ? AND first_used_at IS NULL`,
  );
  const setTier = change('tier = ?, trial_ends_at = ? WHERE id = ?');
  const moveTrial = change('tier = ?, trial_ends_at = ? WHERE id = ? AND trial_ends_at = ?');
  const moveAll = db.prepare('UPDATE api_keys SET customer_id = ? WHERE customer_id = ?');
  const removeRequests = db.prepare(
    'DELETE FROM key_requests WHERE key_id IN (SELECT id FROM api_keys WHERE customer_id = ?)',
  );
  const removeAll = db.prepare('DELETE FROM api_keys WHERE customer_id = ?');
  return {
    revoke: async (id, at) => revoke(at, id),
    retire: async (id, at) =>
      transaction(db, () => {
        const isRetired = retire(at, id);
        if (isRetired) freeRequests.run(id);
        return isRetired;
      }),
    rename: async (id, name) => rename(name, id),
    confirmShown: async (id, request) => confirmShown(id, request),
    markFirstUsed: async (id, at) => markFirstUsed(at, id),
    setTier: async (id, tier, trialEndsAt) => setTier(tier, trialEndsAt, id),
    moveTrial: async (id, from, { tier, trialEndsAt }) => moveTrial(tier, trialEndsAt, id, from),
    moveAll: async (from, to) => void moveAll.run(to, from),
    removeAll: async (customerId) =>
      transaction(db, () => {
        removeRequests.run(customerId);
        removeAll.run(customerId);
      }),
  };
}

function createKeyRotation(db: DatabaseSync): Pick<KeyStore, 'rotate'> {
  const { byLookup, byId, byRequest } = prepareReads(db);
  const keepRequest = db.prepare(
    'INSERT INTO key_requests (request, key_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const rotate = db.prepare(
    `UPDATE api_keys SET lookup = ?, hash = ?, previous_lookup = ?, previous_hash = ?, previous_ends_at = ?,
       request = ?, is_shown = ? WHERE id = ?`,
  );
  return {
    rotate: async (id, { from, lookup, hash, previous, handover }) =>
      transaction(db, () => {
        const row = byId.get(id);
        if (row === undefined || row.revoked_at !== null || row.lookup !== from) return 'changed';
        if (byLookup.get(lookup) !== undefined) return 'lookup_taken';
        const holder = byRequest.get(handover.request);
        if (holder !== undefined && holder.id !== id) return 'request_taken';
        if (row.request !== null && row.request !== handover.request) keepRequest.run(row.request, id);
        const former = [previous?.lookup ?? null, previous?.hash ?? null, previous?.endsAt ?? null];
        rotate.run(lookup, hash, ...former, handover.request, Number(handover.isShown), id);
        return 'rotated';
      }),
  };
}

function toValues(key: ApiKey) {
  const { id, lookup, hash, name, tier, createdAt, trialEndsAt, revokedAt } = key;
  const { customerId, handover, previous, limits, firstUsedAt } = key;
  const isShown = handover === null ? null : Number(handover.isShown);
  return [
    ...[id, lookup, hash, name, tier, createdAt, trialEndsAt, revokedAt],
    ...[customerId, handover?.request ?? null, isShown],
    ...[previous?.lookup ?? null, previous?.hash ?? null, previous?.endsAt ?? null],
    limits === null ? null : JSON.stringify(limits),
    firstUsedAt,
  ];
}

function toKey(row: Row): ApiKey {
  const { id, lookup, hash, name, tier, created_at: createdAt } = row;
  const { previous_lookup: formerLookup, previous_hash: formerHash, previous_ends_at: endsAt } = row;
  return {
    ...{ id, lookup, hash, name, tier, createdAt },
    trialEndsAt: row.trial_ends_at,
    revokedAt: row.revoked_at,
    customerId: row.customer_id,
    handover: row.request === null ? null : { request: row.request, isShown: row.is_shown === 1 },
    previous:
      formerLookup === null || formerHash === null || endsAt === null
        ? null
        : { lookup: formerLookup, hash: formerHash, endsAt },
    limits: row.limits === null ? null : (JSON.parse(row.limits) as KeyLimits),
    firstUsedAt: row.first_used_at,
  };
}
