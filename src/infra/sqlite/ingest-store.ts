import type { DatabaseSync } from 'node:sqlite';
import type { IngestStore } from '../../core/ports/ingest-store.ts';
import { transaction } from './connection.ts';
import { createHolderCheck } from './holder-check.ts';
import { createSqliteLeaseStore } from './lease-store.ts';
import { createSnapshots } from './snapshots.ts';

export function createSqliteIngestStore(db: DatabaseSync): IngestStore {
  const snapshots = createSnapshots(db);
  const isHeld = createHolderCheck(db);
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
