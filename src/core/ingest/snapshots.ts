import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../base/documents/documents.ts';
import type { Lease, WorkerLease } from '../base/lease/lease.ts';

/** Ordered chunks of a state, under an id that is never reused. */
export interface ChunkSet {
  readonly id: string;
  /** Chunks from position 0 that belong to the snapshot; there may be more. */
  readonly count: number;
}

/** Position of a source, and the chunks with the detector's state at that position. */
export interface Snapshot {
  /** Name of the source, so that another tape starts at its own beginning. */
  readonly source: string;
  /** The source's position and time mapping, plain JSON. */
  readonly checkpoint: unknown;
  /** In the order in which they must be read; null before the first trade. */
  readonly sets: readonly ChunkSet[] | null;
}

/** A piece of the detector's state. */
export interface Chunk {
  readonly set: string;
  readonly position: number;
  /** At most about 1 MB. */
  readonly text: string;
}

const setSchema = z.strictObject({
  id: z.string(),
  source: z.string(),
  /** Of the lease under which it was begun. */
  epoch: z.int(),
  /** At least the number of its chunks. */
  count: z.int(),
});
const chunkSchema = z.strictObject({ id: z.string(), text: z.string() });

/** With them the chunks that no snapshot names are found without reading their texts. */
const SETS: Declaration<z.infer<typeof setSchema>> = {
  kind: 'snapshot_sets',
  schema: setSchema,
  indexes: { snapshot_sets_by_source: { fields: ['source', 'epoch'] } },
};

/** `id` is that of `chunkId`. */
export const CHUNKS: Declaration<z.infer<typeof chunkSchema>> = {
  kind: 'snapshot_chunks',
  schema: chunkSchema,
};

/** What the lease keeps: the snapshots by source. */
type Pointers = Readonly<Record<string, Omit<Snapshot, 'source'>>>;

/**
 * Snapshots, which only the holder of the lease may write. Chunks are written first; then one update of the lease names them, only
 * under its current epoch.
 */
export class Snapshots {
  readonly #sets: Documents<z.infer<typeof setSchema>>;
  readonly #chunks: Documents<z.infer<typeof chunkSchema>>;
  readonly #lease: WorkerLease;

  constructor(open: OpenDocuments, lease: WorkerLease) {
    this.#sets = open(SETS);
    this.#chunks = open(CHUNKS);
    this.#lease = lease;
  }

  async readSnapshot(source: string): Promise<Snapshot | null> {
    const found = (await this.#pointers())[source];
    return found === undefined ? null : { source, ...found };
  }

  /** Chunks of a set in order; fewer than the limit at its end, or when a newer snapshot has replaced the set. */
  async readChunks(
    set: string,
    { first, limit }: { readonly first: number; readonly limit: number },
  ): Promise<readonly string[]> {
    const where = { id: { gte: chunkId(set, first), lt: chunkId(set, first + limit) } };
    return (await this.#chunks.find({ where, order: 'id' })).map(({ text }) => text);
  }

  /**
   * Adds chunks of a source, at most a few MB. They belong to no snapshot until `writeSnapshot` names them. False, and
   * nothing written, when the lease's epoch is no longer current.
   */
  async writeChunks(lease: Lease, source: string, chunks: readonly Chunk[]): Promise<boolean> {
    if (!(await this.#lease.isHeld(lease))) return false;
    const { epoch } = lease;
    const counts = [...new Map(chunks.map(({ set, position }) => [set, position + 1]))];
    // Before their chunks, so that none is left that cannot be found.
    await this.#sets.insertMissing(counts.map(([id, count]) => ({ id, source, epoch, count })));
    await this.#sets.updateEach(counts.map(([id, count]) => ({ where: { id }, change: { max: { count } } })));
    await this.#chunks.insertMissing(
      chunks.map(({ set, position, text }) => ({ id: chunkId(set, position), text })),
    );
    return true;
  }

  /** Replaces the snapshot of its source atomically; its chunks are stored already. False as in `writeChunks`. */
  async writeSnapshot(lease: Lease, { source, checkpoint = null, sets }: Snapshot): Promise<boolean> {
    // Only the holder changes the snapshots, one after the other.
    const pointers: Pointers = { ...(await this.#pointers()), [source]: { checkpoint, sets } };
    return this.#lease.write(lease, JSON.stringify(pointers));
  }

  /**
   * Deletes at most `limit` chunks of a set that the source's snapshot does not name, left by older snapshots and killed writers.
   * Returns the number of deleted chunks, 0 when there is no such set. Must not be called while chunks of a new snapshot are being
   * written.
   */
  async dropChunks(lease: Lease, source: string, limit: number): Promise<number> {
    if (!(await this.#lease.isHeld(lease))) return 0;
    const named = (await this.#pointers())[source]?.sets?.map(({ id }) => id) ?? [];
    // Sets of a newer epoch belong to the process that has taken over the lease.
    const found = await this.#sets.find({ where: { source, epoch: { lte: lease.epoch } } });
    const unnamed = found.find(({ id }) => !named.includes(id));
    if (unnamed === undefined) return 0;
    const { id, count } = unnamed;
    const kept = Math.max(0, count - limit);
    await this.#chunks.delete({ id: { gte: chunkId(id, kept), lt: chunkId(id, count) } });
    if (kept > 0) await this.#sets.update({ id }, { set: { count: kept } });
    else await this.#sets.delete({ id });
    return count - kept;
  }

  async #pointers(): Promise<Pointers> {
    return JSON.parse((await this.#lease.read()) ?? '{}');
  }
}

const POSITION_DIGITS = 9;

/** Ascending by position within a set. */
function chunkId(set: string, position: number): string {
  return `${set}/${String(position).padStart(POSITION_DIGITS, '0')}`;
}
