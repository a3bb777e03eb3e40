import type { DatabaseSync } from 'node:sqlite';
import type { IngestStore } from '../../core/ports/ingest-store.ts';
import type { Lease } from '../../core/ports/lease-store.ts';
import { prepareQuery, transaction } from './connection.ts';
import { createSqliteLeaseStore } from './lease-store.ts';
import { createSnapshots } from './snapshots.ts';

export function createSqliteIngestStore(db: DatabaseSync): IngestStore {
  const snapshots = createSnapshots(db);
  const holder = prepareQuery<{ epoch: number; owner: string | null }>(
    db,
    `SELECT epoch, owner FROM lease WHERE name = 'ingest'`,
  );
  const isHeld = (lease: Lease) => {
    const row = holder.get();
    return row !== undefined && row.epoch === lease.epoch && row.owner !== null;
  };
  return {
    ...createSqliteLeaseStore(db, 'ingest'),
    readSnapshot: async (source) => snapshots.read(source),
    writeSnapshot: async (lease, snapshot) =>
      transaction(db, () => {
        if (!isHeld(lease)) return false;
        snapshots.write(snapshot);
        return true;
      }),
  };
}
