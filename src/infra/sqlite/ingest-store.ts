import type { DatabaseSync } from 'node:sqlite';
import type { SnapshotStore } from '../../core/ingest/snapshot-store.ts';
import type { Lease, LeaseStore } from '../../core/lease/lease-store.ts';
import { transaction } from './connection.ts';
import { createHolderCheck } from './holder-check.ts';
import { createSnapshots } from './snapshots.ts';

export function createSqliteIngestStore(db: DatabaseSync, lease: LeaseStore): SnapshotStore {
  const snapshots = createSnapshots(db);
  const isHeld = createHolderCheck(db);

  /** What the holder's work gives; `refused` for anyone else. */
  function asHolder<T>(lease: Lease, refused: T, work: () => T): T {
    return transaction(db, () => (isHeld(lease) ? work() : refused));
  }

  return {
    ...lease,
    readSnapshot: async (source) => snapshots.read(source),
    readChunks: async (set, { first, limit }) => snapshots.readChunks(set, first, limit),
    writeChunks: async (lease, source, chunks) =>
      asHolder(lease, false, () => {
        snapshots.writeChunks(source, chunks);
        return true;
      }),
    writeSnapshot: async (lease, snapshot) =>
      asHolder(lease, false, () => {
        snapshots.write(snapshot);
        return true;
      }),
    dropChunks: async (lease, source, limit) => asHolder(lease, 0, () => snapshots.drop(source, limit)),
  };
}
