import type { SnapshotStore } from '../../../core/ingest/snapshot-store.ts';
import type { OpenCollection } from '../stores/collection.ts';
import { JOURNAL, type PutInJournal } from '../stores/journal-store.ts';
import { type ChunkDocument, heldBy, type Models, type SnapshotPointer } from './models.ts';

/**
 * Chunks are written first, then pointed at by a single update that holds only under the lease's current epoch. A set is
 * written under one epoch only, so a process that has lost the lease cannot add to a snapshot.
 */
export function createSnapshots({ leases, chunks }: Models) {
  return {
    async readSnapshot(source) {
      const lease = await leases.findById('ingest').readConcern('majority').lean();
      const pointer = lease?.snapshots[snapshotKey(source)];
      if (pointer === undefined) return null;
      return { source, checkpoint: JSON.parse(pointer.checkpoint), sets: pointer.sets };
    },
    async readChunks(version, { first, limit }) {
      const position = { $gte: first, $lt: first + limit };
      const found = await chunks.find({ version, position }, { text: 1 }).sort({ position: 1 }).lean();
      return found.map(({ text }) => text);
    },
    async writeChunks(lease, source, added) {
      if ((await leases.exists(heldBy(lease))) === null) return false;
      await chunks.insertMany(
        added.map(
          ({ set, position, text }): ChunkDocument => ({
            _id: `${set}/${position}`,
            ...{ source, epoch: lease.epoch, version: set, position, text },
          }),
        ),
      );
      return true;
    },
    async writeSnapshot(lease, { source, checkpoint, sets }) {
      const pointer: SnapshotPointer = { checkpoint: JSON.stringify(checkpoint ?? null), sets };
      const path = `snapshots.${snapshotKey(source)}`;
      const { matchedCount } = await leases.updateOne(heldBy(lease), { $set: { [path]: pointer } });
      return matchedCount === 1;
    },
    async dropChunks(lease, source, limit) {
      const held = await leases.findOne(heldBy(lease)).lean();
      if (held === null) return 0;
      const named = held.snapshots[snapshotKey(source)]?.sets?.map(({ id }) => id) ?? [];
      // Chunks of a newer epoch belong to the process that has taken over the lease.
      const unnamed = { source, version: { $nin: named }, epoch: { $lte: lease.epoch } };
      const found = await chunks.find(unnamed, { _id: 1 }).limit(limit).lean();
      if (found.length > 0) await chunks.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    },
  } satisfies Partial<SnapshotStore>;
}

/** The field of the ingest lease that has the snapshots. */
export const SNAPSHOTS_OF = 'snapshots';

/** The key of a source's snapshot: a path must not contain dots or dollars. */
export function snapshotKey(source: string): string {
  return Buffer.from(source).toString('base64url');
}

export function sourceOfKey(key: string): string {
  return Buffer.from(key, 'base64url').toString('utf8');
}

/**
 * A stand-alone server has no transactions. A process that loses the lease between its check and its insert may still write
 * the next batch. The new holder's first append is refused by the key then: it starts again, and finds the batch. So the
 * journal is one sequence whichever process wrote it, and what is judged was read from it or written to it.
 */
export function createMongoJournalPut(
  open: OpenCollection,
  { leases }: Pick<Models, 'leases'>,
): PutInJournal {
  const journal = open(JOURNAL);
  return async (lease, row) => {
    if ((await leases.exists(heldBy(lease))) === null) return false;
    const [last] = await journal.pick(['next'], { sort: ['-first'], limit: 1 });
    return (last?.next ?? 1) === row.first && (await journal.insertNew([row])).length === 1;
  };
}
