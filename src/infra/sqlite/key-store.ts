import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey, KeyLimits } from '../../core/keys/api-key.ts';
import type { KeyStore } from '../../core/ports/key-store.ts';
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
  const insert = db.prepare(`INSERT INTO api_keys (${COLUMNS}) VALUES (${COLUMNS.replaceAll(/\w+/g, '?')})`);
  const byLookup = prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM api_keys WHERE lookup = ?`);
  const byId = prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM api_keys WHERE id = ?`);
  const byIds = prepareQuery<Row>(
    db,
    `SELECT ${COLUMNS} FROM api_keys WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const list = prepareQuery<Row>(db, `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at, id`);
  const revoke = db.prepare('UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?');
  const setTier = db.prepare('UPDATE api_keys SET tier = ?, trial_ends_at = ? WHERE id = ?');
  const one = (row: Row | undefined) => (row === undefined ? null : toKey(row));
  return {
    insert: async (key) =>
      transaction(db, () => {
        if (byLookup.get(key.lookup) !== undefined) return false;
        insert.run(...toValues(key));
        return true;
      }),
    byLookup: async (lookup) => one(byLookup.get(lookup)),
    byId: async (id) => one(byId.get(id)),
    byIds: async (ids) => byIds.all(JSON.stringify(ids)).map(toKey),
    list: async () => list.all().map(toKey),
    revoke: async (id, at) => revoke.run(at, id).changes === 1,
    setTier: async (id, tier, trialEndsAt) => setTier.run(tier, trialEndsAt, id).changes === 1,
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
