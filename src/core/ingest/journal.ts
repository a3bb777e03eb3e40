import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { Lease, WorkerLease } from '../base/lease/lease.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** Rows that a live feed delivered together. */
export interface JournalBatch {
  /** Position of its first row. Positions are dense and start at 1. */
  readonly first: number;
  readonly acceptedAt: EpochMs;
  /** Lines of a tape, without line ends; never empty. */
  readonly lines: readonly string[];
}

const schema = z.strictObject({
  /** Position of the first line. */
  id: z.int(),
  /** Position after the last line. */
  next: z.int(),
  acceptedAt: z.int(),
  /** Compressed by gzip, in base64. */
  lines: z.string(),
});
type JournalDocument = z.infer<typeof schema>;

const JOURNAL: Declaration<JournalDocument> = { kind: 'journal', schema };

interface Bound {
  readonly position: number;
  readonly acceptedBefore: EpochMs;
  readonly limit: number;
}

/**
 * The rows a live feed delivered, in order, written before they are judged. Its only writer holds the lease.
 *
 * A process that loses the lease between its check and its insert may still write the next batch. The new holder's first append
 * is refused by the id then: it starts again, and finds the batch. So the journal is one sequence whichever process wrote it,
 * and what is judged was read from it or written to it.
 */
export class Journal {
  readonly #documents: Documents<JournalDocument>;
  readonly #lease: WorkerLease;

  constructor(open: OpenDocuments, lease: WorkerLease) {
    this.#documents = open(JOURNAL);
    this.#lease = lease;
  }

  /** Writes durably. False, and nothing written, when the lease is not current or the position is not the next. */
  async append(lease: Lease, { first, acceptedAt, lines }: JournalBatch): Promise<boolean> {
    const packed = await packLines(lines);
    if (!(await this.#lease.isHeld(lease))) return false;
    const last = await this.#last();
    if ((last?.next ?? 1) !== first) return false;
    const document = { id: first, next: first + lines.length, acceptedAt, lines: packed };
    return (await this.#documents.insert([document])) === null;
  }

  /** Batches with a row at or after the position, ascending, at most `limit`. */
  async from(position: number, limit: number): Promise<readonly JournalBatch[]> {
    // The batch that has the position is found by the id, whatever lies before it.
    const around = await this.#last(position);
    const where = { id: { gte: around?.id ?? 0 }, next: { gt: position } };
    const found = await this.#documents.find({ where, order: 'id', limit });
    return Promise.all(found.map(toBatch));
  }

  /** Position of the oldest stored row and of the next row to be written; both 1 in a new journal. */
  async bounds(): Promise<{ readonly oldest: number; readonly next: number }> {
    const [oldest] = await this.#documents.find({ order: 'id', limit: 1 });
    const last = await this.#last();
    return { oldest: oldest?.id ?? 1, next: last?.next ?? 1 };
  }

  /**
   * Deletes the oldest batches that lie completely before the position and were accepted before the moment, at most
   * `limit`. The last batch stays, so that positions continue. Returns the number of deleted batches.
   */
  async prune(bound: Bound): Promise<number> {
    const oldest = await this.#documents.find({ order: 'id', limit: bound.limit + 1 });
    const dead = prunable(oldest, bound);
    const last = dead.at(-1);
    if (last !== undefined) await this.#documents.delete({ id: { lte: last.id } });
    return dead.length;
  }

  /** The last batch, or the last that begins at the position or before it. */
  async #last(position = Number.MAX_SAFE_INTEGER): Promise<JournalDocument | undefined> {
    const [last] = await this.#documents.find({ where: { id: { lte: position } }, order: '-id', limit: 1 });
    return last;
  }
}

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Throws if a line contains a line end. */
async function packLines(lines: readonly string[]): Promise<string> {
  if (lines.some((line) => line.includes('\n'))) throw new Error('A row of the journal must be one line.');
  return (await zip(lines.join('\n'))).toString('base64');
}

async function toBatch({ id: first, acceptedAt, lines }: JournalDocument): Promise<JournalBatch> {
  const text = (await unzip(Buffer.from(lines, 'base64'))).toString('utf8');
  return { first, acceptedAt, lines: text.split('\n') };
}

/** The batches to delete, from the oldest on without a gap whatever the wall clock; never the last. */
function prunable(oldest: readonly JournalDocument[], bound: Bound): readonly JournalDocument[] {
  const candidates = oldest.slice(0, -1);
  const kept = candidates.findIndex(
    ({ next, acceptedAt }) => next > bound.position || acceptedAt >= bound.acceptedBefore,
  );
  return kept < 0 ? candidates : candidates.slice(0, kept);
}
