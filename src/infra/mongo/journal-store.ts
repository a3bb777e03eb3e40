import type { mongo } from 'mongoose';
import type { JournalStore } from '../../core/ingest/journal-store.ts';
import { packLines, unpackLines } from '../database/journal-lines.ts';
import { prunable } from '../database/journal-pruning.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { heldBy } from './ingest-model.ts';
import type { Models } from './models.ts';

/**
 * A stand-alone server has no transactions. Whoever loses the lease between its check and the insert may still write the
 * next batch, and then the new holder's first append is refused by the key: it starts again, and finds the batch. So
 * the journal is one sequence whoever wrote it, and whatever is judged was read from it or written to it.
 */
export function createMongoJournalStore({
  journal,
  leases,
}: Pick<Models, 'journal' | 'leases'>): JournalStore {
  const collection = journal.collection as unknown as mongo.Collection<{ _id: number }>;

  async function next(): Promise<number> {
    const last = await journal.findOne({}, { next: 1 }).sort({ _id: -1 }).lean();
    return last?.next ?? 1;
  }

  return {
    async append(lease, { first, acceptedAt, lines }) {
      const packed = await packLines(lines);
      if ((await leases.exists(heldBy(lease))) === null) return false;
      if ((await next()) !== first) return false;
      const document = { _id: first, next: first + lines.length, acceptedAt, lines: packed };
      try {
        await collection.insertOne(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async from(position, limit) {
      const around = await journal
        .findOne({ _id: { $lte: position } }, { _id: 1 })
        .sort({ _id: -1 })
        .lean();
      const found = await journal
        .find({ _id: { $gte: around?._id ?? 0 }, next: { $gt: position } })
        .sort({ _id: 1 })
        .limit(limit)
        .readConcern('majority')
        .lean();
      const unpacked = found.map(async ({ _id: first, acceptedAt, lines }) => ({
        first,
        acceptedAt,
        lines: await unpackLines(lines.buffer),
      }));
      return Promise.all(unpacked);
    },
    async bounds() {
      const query = (direction: 1 | -1) =>
        journal.findOne({}, { next: 1 }).sort({ _id: direction }).readConcern('majority').lean();
      const oldest = await query(1);
      const last = await query(-1);
      return { oldest: oldest?._id ?? 1, next: last?.next ?? 1 };
    },
    async prune(bound) {
      const found = await journal
        .find({}, { next: 1, acceptedAt: 1 })
        .sort({ _id: 1 })
        .limit(bound.limit + 1)
        .lean();
      const dead = prunable(
        found.map(({ _id: first, ...rest }) => ({ first, ...rest })),
        bound,
      );
      const last = dead.at(-1);
      if (last !== undefined) await journal.deleteMany({ _id: { $lte: last.first } });
      return dead.length;
    },
  };
}
