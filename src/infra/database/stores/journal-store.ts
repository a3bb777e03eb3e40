import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Lease } from '../../../core/base/lease/lease.ts';
import type { EpochMs } from '../../../core/base/time/duration.ts';
import type { JournalStore } from '../../../core/ingest/ingest-stores.ts';
import type { Declaration, OpenCollection } from './collection.ts';

export interface JournalRow {
  /** Position of the first line. */
  readonly first: number;
  /** Position after the last line. */
  readonly next: number;
  readonly acceptedAt: number;
  readonly lines: Uint8Array;
}

export const JOURNAL: Declaration<JournalRow> = {
  name: 'journal',
  fields: { first: 'integer', next: 'integer', acceptedAt: 'integer', lines: 'bytes' },
  key: ['first'],
};

/**
 * A process that loses the lease between its check and its insert may still write the next batch. The new holder's first append
 * is refused by the key then: it starts again, and finds the batch. So the journal is one sequence whichever process wrote it,
 * and what is judged was read from it or written to it.
 */
export function createJournalStore(
  open: OpenCollection,
  isHeld: (lease: Lease) => Promise<boolean>,
): JournalStore {
  const journal = open(JOURNAL);
  return {
    async append(lease, { first, acceptedAt, lines }) {
      const packed = await packLines(lines);
      if (!(await isHeld(lease))) return false;
      const [last] = await journal.pick(['next'], { sort: ['-first'], limit: 1 });
      if ((last?.next ?? 1) !== first) return false;
      const row = { first, next: first + lines.length, acceptedAt, lines: packed };
      return (await journal.insertNew([row])).length === 1;
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

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Compresses the lines of a journal batch for storage. Throws if a line contains a line end. */
async function packLines(lines: readonly string[]): Promise<Buffer> {
  if (lines.some((line) => line.includes('\n'))) throw new Error('A row of the journal must be one line.');
  return zip(lines.join('\n'));
}

async function unpackLines(packed: Uint8Array): Promise<readonly string[]> {
  return (await unzip(packed)).toString('utf8').split('\n');
}

interface KeptBatch {
  readonly first: number;
  readonly next: number;
  readonly acceptedAt: EpochMs;
}

type Bound = Parameters<JournalStore['prune']>[0];

/** The batches to delete, from the oldest on without a gap whatever the wall clock; never the last. */
function prunable<Batch extends KeptBatch>(oldest: readonly Batch[], bound: Bound): readonly Batch[] {
  const candidates = oldest.slice(0, -1);
  const kept = candidates.findIndex(
    ({ next, acceptedAt }) => next > bound.position || acceptedAt >= bound.acceptedBefore,
  );
  return kept < 0 ? candidates : candidates.slice(0, kept);
}
