import type { Lease } from '../../src/core/base/lease/lease.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { Snapshots } from '../../src/core/ingest/snapshots.ts';

export interface WholeSnapshot {
  readonly source: string;
  readonly checkpoint: unknown;
  readonly chunks: readonly string[] | null;
}

const ATTEMPTS = 20;

/** Starts over when a newer snapshot replaces the one it is reading. */
export async function readWhole(
  store: Pick<Snapshots, 'readSnapshot' | 'readChunks'>,
  source: string,
): Promise<WholeSnapshot | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const snapshot = await store.readSnapshot(source);
    if (snapshot === null) return null;
    const { checkpoint, sets } = snapshot;
    if (sets === null) return { source, checkpoint, chunks: null };
    const chunks: string[] = [];
    for (const { id, count } of sets)
      chunks.push(...(await store.readChunks(id, { first: 0, limit: count })));
    const wanted = sets.reduce((sum, { count }) => sum + count, 0);
    if (chunks.length === wanted) return { source, checkpoint, chunks };
  }
  throw new Error(`the snapshot of ${source} lacks some of its chunks`);
}

let sets = 0;

export async function writeWhole(
  store: Pick<Snapshots, 'writeChunks' | 'writeSnapshot' | 'dropChunks'>,
  lease: Lease,
  { source, checkpoint, chunks }: WholeSnapshot,
): Promise<boolean> {
  sets += 1;
  const id = `${lease.epoch}-whole-${sets}`;
  const added = (chunks ?? []).map((text, position) => ({ set: id, position, text }));
  const named = chunks === null ? null : [{ id, count: chunks.length }];
  if (added.length > 0 && !(await store.writeChunks(lease, source, added))) return false;
  if (!(await store.writeSnapshot(lease, { source, checkpoint, sets: named }))) return false;
  while ((await store.dropChunks(lease, source, 16)) > 0);
  return true;
}

/** The whole state of a detector that is restored from the snapshot: the same however the snapshot is laid out. */
export async function storedState(
  store: Pick<Snapshots, 'readSnapshot' | 'readChunks'>,
  source: string,
  rules = DEFAULT_RULES,
): Promise<readonly string[] | null> {
  const chunks = (await readWhole(store, source))?.chunks ?? null;
  if (chunks === null) return null;
  const detector = new Detector(rules, { isComplete: true });
  detector.restore(chunks);
  return [...detector.snapshot()];
}
