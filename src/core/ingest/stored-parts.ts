import { fromChunkText, type StatePart } from '../detection/state-chunks.ts';
import type { ChunkSet, SnapshotStore } from './snapshot-store.ts';

/** Chunks in one read, a few MB. */
const READ_AT_ONCE = 8;

interface StoredPart {
  readonly sets: { readonly id: string; count: number }[];
  /** This run began the last set and may add to it. */
  isOpen: boolean;
  wholeLength: number;
  changesLength: number;
}

/** The chunks in which each part of the state is stored: first those of the whole part, then those of its changes. */
export class StoredParts {
  readonly #parts = new Map<string, StoredPart>();

  /** Restores the state from the sets, a few chunks at a time. Throws when a newer snapshot has replaced chunks. */
  static async restore(
    store: Pick<SnapshotStore, 'readChunks'>,
    sets: readonly ChunkSet[],
    state: Pick<SnapshotState, 'restore'>,
  ): Promise<StoredParts> {
    const stored = new StoredParts();
    for (const set of sets)
      for (let first = 0; first < set.count; first += READ_AT_ONCE) {
        const limit = Math.min(READ_AT_ONCE, set.count - first);
        const chunks = await store.readChunks(set.id, { first, limit });
        if (chunks.length < limit) throw new Error(`Chunks of the snapshot are missing in set ${set.id}.`);
        state.restore(chunks);
        for (const chunk of chunks) stored.#found(set.id, chunk);
      }
    return stored;
  }

  /** Drops parts that do not exist any more. */
  keep(parts: ReadonlyMap<string, unknown>): void {
    for (const part of this.#parts.keys()) if (!parts.has(part)) this.#parts.delete(part);
  }

  setsOf(part: string): readonly ChunkSet[] {
    return this.#parts.get(part)?.sets.map(({ id, count }) => ({ id, count })) ?? [];
  }

  /** Whether the part is stored, with changes of at most this share of the whole part. */
  isWorthChanging(part: string, share: number): boolean {
    const stored = this.#parts.get(part);
    return stored !== undefined && stored.changesLength <= share * stored.wholeLength;
  }

  /** Begins a new whole part, which replaces what is stored of it. */
  begin(part: string): void {
    this.#parts.set(part, { sets: [], isOpen: false, wholeLength: 0, changesLength: 0 });
  }

  /** The set to which the next chunk of the part is added, and the chunk's position. */
  open(part: string, newSet: () => string): ChunkSet {
    const stored = this.#part(part);
    if (!stored.isOpen) stored.sets.push({ id: newSet(), count: 0 });
    stored.isOpen = true;
    return stored.sets.at(-1) as ChunkSet;
  }

  /** Counts a chunk that was added to the set. */
  add(part: string, isWhole: boolean, length: number): void {
    const stored = this.#part(part);
    const set = stored.sets.at(-1);
    if (set !== undefined) set.count += 1;
    if (isWhole) stored.wholeLength += length;
    else stored.changesLength += length;
  }

  #found(id: string, chunk: string): void {
    const { part, isWhole } = fromChunkText(chunk);
    const { sets } = this.#part(part);
    if (sets.at(-1)?.id !== id) sets.push({ id, count: 0 });
    this.add(part, isWhole, chunk.length);
  }

  #part(part: string): StoredPart {
    if (!this.#parts.has(part)) this.begin(part);
    return this.#parts.get(part) as StoredPart;
  }
}

/** State that is stored in a snapshot. */
export interface SnapshotState {
  /** By name, in the order in which they must be written and read. */
  readonly parts: ReadonlyMap<string, StatePart>;
  /** Restores the next chunks; ignores those of other states' parts. */
  restore(chunks: readonly string[]): void;
}

/** Combines states without common part names. */
export function combinedState(...states: readonly SnapshotState[]): SnapshotState {
  return {
    get parts() {
      return new Map(states.flatMap(({ parts }) => [...parts]));
    },
    restore(chunks) {
      for (const state of states) state.restore(chunks);
    },
  };
}
