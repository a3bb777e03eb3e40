import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../../core/keys/api-key.ts';
import type { KeyStore } from '../../core/ports/key-store.ts';
import type { Tier } from '../../core/tier.ts';
import { prepareQuery, transaction } from './connection.ts';

const COLUMNS = 'id, lookup, hash, name, tier, created_at, trial_ends_at, revoked_at';

interface Row {
  readonly id: string;
  readonly lookup: string;
  readonly hash: string;
  readonly name: string;
  readonly tier: Tier;
  readonly created_at: number;
  readonly trial_ends_at: number | null;
  readonly revoked_at: number | null;
}

export function createSqliteKeyStore(db: DatabaseSync): KeyStore {
  const insert = db.prepare(`INSERT INTO api_keys (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
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
    insert: async ({ id, lookup, hash, name, tier, createdAt, trialEndsAt, revokedAt }) =>
      transaction(db, () => {
        if (byLookup.get(lookup) !== undefined) return false;
        insert.run(id, lookup, hash, name, tier, createdAt, trialEndsAt, revokedAt);
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

function toKey({ created_at, trial_ends_at, revoked_at, ...rest }: Row): ApiKey {
  return { ...rest, createdAt: created_at, trialEndsAt: trial_ends_at, revokedAt: revoked_at };
}
