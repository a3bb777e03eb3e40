import type { DatabaseSync } from 'node:sqlite';
import type { IngestStore, Lease } from '../../core/ports/ingest-store.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createSnapshots } from './snapshots.ts';

interface Row {
  readonly epoch: number;
  readonly owner: string | null;
  readonly expires_at: number;
}

/** The row stays when the lease ends: `owner` is null then, and the epoch goes on from it. */
export function createSqliteIngestStore(db: DatabaseSync): IngestStore {
  const snapshots = createSnapshots(db);
  const current = prepareQuery<Row>(db, `SELECT epoch, owner, expires_at FROM lease WHERE name = 'ingest'`);
  const take = prepareQuery<{ epoch: number }>(
    db,
    `INSERT INTO lease (name, epoch, owner, expires_at) VALUES ('ingest', 1, ?, ?)
     ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, expires_at = excluded.expires_at
     RETURNING epoch`,
  );
  const renew = db.prepare(
    `UPDATE lease SET expires_at = ? WHERE name = 'ingest' AND epoch = ? AND owner = ?`,
  );
  const release = db.prepare(`UPDATE lease SET owner = NULL WHERE name = 'ingest' AND epoch = ?`);
  const isHeld = (lease: Lease) => {
    const row = current.get();
    return row !== undefined && row.epoch === lease.epoch && row.owner !== null;
  };
  return {
    acquire: async ({ owner, now, ttlMs, isGone }) =>
      transaction(db, () => {
        const row = current.get();
        const holder = row?.owner ?? null;
        const isOthers = holder !== null && holder !== owner && now < (row?.expires_at ?? 0);
        if (isOthers && !isGone(holder)) return null;
        const taken = take.get(owner, now + ttlMs);
        return taken === undefined ? null : { epoch: taken.epoch };
      }),
    renew: async (lease, { owner, now, ttlMs }) => renew.run(now + ttlMs, lease.epoch, owner).changes === 1,
    release: async (lease) => {
      release.run(lease.epoch);
    },
    readSnapshot: async (source) => snapshots.read(source),
    writeSnapshot: async (lease, snapshot) =>
      transaction(db, () => {
        if (!isHeld(lease)) return false;
        snapshots.write(snapshot);
        return true;
      }),
  };
}
