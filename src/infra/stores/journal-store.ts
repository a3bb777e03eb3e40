import type { JournalStore } from '../../core/ingest/journal-store.ts';
import type { Lease } from '../../core/lease/lease-store.ts';
import { packLines, unpackLines } from '../database/journal-lines.ts';
import { prunable } from '../database/journal-pruning.ts';
import type { OpenCollection } from './collection.ts';
import type { Declaration } from './declaration.ts';

export interface JournalRow {
  /** Position of the first line. */
  readonly first: number;
  /** Position after the last line. */
  readonly next: number;
  readonly acceptedAt: number;
  /** Packed by `packLines`. */
  readonly lines: Uint8Array;
}

export const JOURNAL: Declaration<JournalRow> = {
  name: 'journal',
  fields: { first: 'integer', next: 'integer', acceptedAt: 'integer', lines: 'bytes' },
  key: ['first'],
};

/** Inserts a row, unless the lease is no longer current or the row is not the next one: false then. */
export type PutInJournal = (lease: Lease, row: JournalRow) => Promise<boolean>;

export function createJournalStore(open: OpenCollection, put: PutInJournal): JournalStore {
  const journal = open(JOURNAL);
  return {
    async append(lease, { first, acceptedAt, lines }) {
      const packed = await packLines(lines);
      return put(lease, { first, next: first + lines.length, acceptedAt, lines: packed });
    },
    async from(position, limit) {
      // The batch that has the position is found by the key, whatever lies before it.
      const [around] = await journal.pick(['first'], {
        where: { first: { lte: position } },
        sort: ['-first'],
        limit: 1,
      });
      const where = { first: { gte: around?.first ?? 0 }, next: { gt: position } };
      const found = await journal.find({ where, sort: ['first'], limit, isCommitted: true });
      const unpacked = found.map(async ({ first, acceptedAt, lines }) => ({
        first,
        acceptedAt,
        lines: await unpackLines(lines),
      }));
      return Promise.all(unpacked);
    },
    async bounds() {
      const [oldest] = await journal.pick(['first'], { sort: ['first'], limit: 1, isCommitted: true });
      const [last] = await journal.pick(['next'], { sort: ['-first'], limit: 1, isCommitted: true });
      return { oldest: oldest?.first ?? 1, next: last?.next ?? 1 };
    },
    async prune(bound) {
      const sort = ['first'] as const;
      const found = await journal.pick(['first', 'next', 'acceptedAt'], { sort, limit: bound.limit + 1 });
      const dead = prunable(found, bound);
      const last = dead.at(-1);
      if (last !== undefined) await journal.delete({ first: { lte: last.first } });
      return dead.length;
    },
  };
}
