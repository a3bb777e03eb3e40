import type { Lease } from '../../../core/base/lease/lease.ts';
import type { SnapshotStore } from '../../../core/ingest/ingest-stores.ts';
import type { Declaration, OpenCollection } from './collection.ts';
import { createHolderCheck, heldBy, LEASE, WORKER } from './lease-store.ts';

interface ChunkRow {
  readonly setId: string;
  readonly position: number;
  readonly source: string;
  /** Of the lease under which it was written. */
  readonly epoch: number;
  readonly text: string;
}

export const CHUNKS: Declaration<ChunkRow> = {
  name: 'snapshot_chunks',
  fields: { setId: 'text', position: 'integer', source: 'text', epoch: 'integer', text: 'text' },
  key: ['setId', 'position'],
  separator: '/',
  isClustered: false,
  indexes: {
    // Chunks that no snapshot names are found without reading their texts.
    snapshot_chunks_by_source: { fields: ['source', 'setId', 'epoch', 'position'] },
    snapshot_chunks_of_set: { fields: ['setId', 'position'], on: 'mongodb' },
  },
};

/** Chunks first, then one update of the lease's row names them, only under its current epoch. */
export function createSnapshotStore(open: OpenCollection): SnapshotStore {
  const leases = open(LEASE);
  const chunks = open(CHUNKS);
  const isHeld = createHolderCheck(open);
  const current = async (lease: Lease) => (await leases.find({ where: heldBy(lease) }))[0] ?? null;
  return {
    async readSnapshot(source) {
      const [lease] = await leases.find({ where: { name: WORKER }, isCommitted: true });
      const found = lease?.snapshots?.[source];
      return found === undefined ? null : { source, ...found };
    },
    async readChunks(setId, { first, limit }) {
      const position = { gte: first, lt: first + limit };
      const found = await chunks.find({ where: { setId, position }, sort: ['position'] });
      return found.map(({ text }) => text);
    },
    async writeChunks(lease, source, added) {
      if (!(await isHeld(lease))) return false;
      const { epoch } = lease;
      const rows = added.map(({ set, position, text }) => ({ setId: set, position, source, epoch, text }));
      await chunks.insertNew(rows);
      return true;
    },
    // Only the holder changes the snapshots, one after the other.
    async writeSnapshot(lease, { source, checkpoint = null, sets }) {
      const row = await current(lease);
      const snapshots = { ...row?.snapshots, [source]: { checkpoint, sets } };
      return row !== null && (await leases.update(heldBy(lease), { set: { snapshots } })) === 1;
    },
    async dropChunks(lease, source, limit) {
      const row = await current(lease);
      if (row === null) return 0;
      const named = row.snapshots?.[source]?.sets?.map(({ id }) => id) ?? [];
      // Chunks of a newer epoch belong to the process that has taken over the lease.
      const where = { source, setId: { notIn: named }, epoch: { lte: lease.epoch } };
      const index = 'snapshot_chunks_by_source';
      const or = await chunks.pick(['setId', 'position'], { where, limit, index });
      return or.length === 0 ? 0 : chunks.delete({ or });
    },
  };
}
