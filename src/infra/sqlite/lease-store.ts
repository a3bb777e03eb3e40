import type { DatabaseSync } from 'node:sqlite';
import type { LeaseName, LeaseStore } from '../../core/lease/lease-store.ts';
import { prepareQuery, transaction } from './connection.ts';

interface Row {
  readonly epoch: number;
  readonly owner: string | null;
  readonly expires_at: number;
}

/** The row stays when the lease ends: `owner` is null then, and the epoch goes on from it. */
export function createSqliteLeaseStore(db: DatabaseSync, name: LeaseName): LeaseStore {
  const current = prepareQuery<Row>(db, 'SELECT epoch, owner, expires_at FROM lease WHERE name = ?');
  const take = prepareQuery<{ epoch: number }>(
    db,
    `INSERT INTO lease (name, epoch, owner, expires_at) VALUES (?, 1, ?, ?)
     ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, expires_at = excluded.expires_at
     RETURNING epoch`,
  );
  const renew = db.prepare('UPDATE lease SET expires_at = ? WHERE name = ? AND epoch = ? AND owner = ?');
  const release = db.prepare('UPDATE lease SET owner = NULL WHERE name = ? AND epoch = ?');
  return {
    acquire: async ({ owner, now, ttlMs, isGone }) =>
      transaction(db, () => {
        const row = current.get(name);
        const holder = row?.owner ?? null;
        const isOthers = holder !== null && holder !== owner && now < (row?.expires_at ?? 0);
        if (isOthers && !isGone(holder)) return null;
        const taken = take.get(name, owner, now + ttlMs);
        return taken === undefined ? null : { epoch: taken.epoch };
      }),
    renew: async (lease, { owner, now, ttlMs }) =>
      renew.run(now + ttlMs, name, lease.epoch, owner).changes === 1,
    release: async (lease) => {
      release.run(name, lease.epoch);
    },
  };
}
