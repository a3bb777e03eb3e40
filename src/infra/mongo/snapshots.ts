import { randomUUID } from 'node:crypto';
import type { Snapshot } from '../../core/ports/ingest-store.ts';
import type { Lease } from '../../core/ports/lease-store.ts';
import type { ChunkDocument, SnapshotPointer } from './ingest-model.ts';
import type { Models } from './models.ts';

/** How often a reader starts over when a newer snapshot replaces the one it is reading. */
const READ_ATTEMPTS = 20;

/**
 * A snapshot is first written beside the old one, then pointed at by a single update that holds only under the
 * lease's current epoch, then the old one is removed. Chunks that a crash leaves behind go with the next epoch.
 */
export function createSnapshots({ leases, chunks }: Models) {
  return { read, write };

  async function read(source: string): Promise<Snapshot | null> {
    for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt += 1) {
      const pointer = await pointerOf(source);
      if (pointer === null) return null;
      const texts = await textsOf(pointer);
      if (texts === null || texts.length === pointer.chunkCount) {
        return { source, checkpoint: JSON.parse(pointer.checkpoint), chunks: texts };
      }
    }
    throw new Error(`The snapshot of ${source} lacks some of its chunks.`);
  }

  async function write({ epoch }: Lease, { source, checkpoint, chunks: texts }: Snapshot): Promise<boolean> {
    const held = { _id: 'ingest', epoch, owner: { $ne: null } } as const;
    if ((await leases.exists(held)) === null) return false;
    const version = `${epoch}-${randomUUID()}`;
    await chunks.insertMany(toChunks(source, epoch, version, texts ?? []));
    const pointer: SnapshotPointer = {
      version,
      checkpoint: JSON.stringify(checkpoint ?? null),
      chunkCount: texts?.length ?? null,
    };
    const before = await leases
      .findOneAndUpdate(held, { $set: { [pathOf(source)]: pointer } }, { returnDocument: 'before' })
      .lean();
    if (before === null) {
      await chunks.deleteMany({ version });
      return false;
    }
    const replaced = before.snapshots[keyOf(source)]?.version;
    // Whoever writes under an older epoch can point at nothing any more.
    const dead = [{ epoch: { $lt: epoch } }, ...(replaced === undefined ? [] : [{ version: replaced }])];
    await chunks.deleteMany({ source, $or: dead });
    return true;
  }

  async function pointerOf(source: string): Promise<SnapshotPointer | null> {
    const lease = await leases.findById('ingest').readConcern('majority').lean();
    return lease?.snapshots[keyOf(source)] ?? null;
  }

  async function textsOf({ version, chunkCount }: SnapshotPointer): Promise<string[] | null> {
    if (chunkCount === null) return null;
    const found = await chunks.find({ version }, { text: 1 }).sort({ position: 1 }).lean();
    return found.map(({ text }) => text);
  }
}

function toChunks(source: string, epoch: number, version: string, texts: readonly string[]): ChunkDocument[] {
  return texts.map((text, position) => ({
    _id: `${version}/${position}`,
    source,
    epoch,
    version,
    position,
    text,
  }));
}

function keyOf(source: string): string {
  return Buffer.from(source).toString('base64url');
}

function pathOf(source: string): string {
  return `snapshots.${keyOf(source)}`;
}
