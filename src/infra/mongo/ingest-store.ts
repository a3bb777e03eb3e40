import type { SnapshotStore } from '../../core/ingest/snapshot-store.ts';
import { createMongoLeaseStore } from './lease-store.ts';
import type { Models } from './models.ts';
import { createSnapshots } from './snapshots.ts';

export function createMongoIngestStore(models: Models): SnapshotStore {
  const snapshots = createSnapshots(models);
  return {
    ...createMongoLeaseStore(models.leases, 'ingest'),
    ...snapshots,
  };
}
