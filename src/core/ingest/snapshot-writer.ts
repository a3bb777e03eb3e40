import { repeatUntil } from '../base/async/repeat.ts';
import { type Lease, LeaseLost } from '../base/lease/lease.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { fromChunkText, type StatePart, type StateVersion, toChunkText } from '../detection/state-chunks.ts';
import type { Checkpoint, Source } from '../trades/source/source.ts';
import type { IngestDeps } from './ingest-deps.ts';
import type { Chunk, ChunkSet, Snapshots } from './snapshots.ts';

/** When the changes of a part are longer than this share of the whole part, the next snapshot writes it whole. */
const MOST_CHANGES = 0.5;
const WRITE_LENGTH = 1_000_000;
const DROP_AT_ONCE = 16;

type SnapshotDeps = Pick<IngestDeps, 'store' | 'clock' | 'metrics' | 'snapshotEveryMs' | 'sourceName'>;

/** A checkpoint as it is stored with the state. */
export interface StoredCheckpoint extends Checkpoint {
  readonly madeBy: StateVersion;
  /** The source's time at that position: prices up to it are stored. 0 before the first row. */
  readonly time: EpochMs;
}

interface SnapshotRun {
  readonly lease: Lease;
  readonly source: Source;
  readonly state: Pick<SnapshotState, 'parts'>;
  readonly version: StateVersion;
  /** The source's time. */
  readonly time: () => EpochMs;
  readonly stored: StoredParts;
  /** Writes the data that the rows up to the snapshot led to and that is stored beside it. */
  readonly flush: () => Promise<void>;
}

/**
 * Writes the source's position together with the detector's state at that position, periodically, for one run under one
 * lease. For each part of the state it writes the changes, or the whole part when the changes have grown too long. The
 * detector must not judge rows meanwhile. A failure ends the run, since a part may count as written although it is not.
 */
export class SnapshotWriter {
  readonly #deps: SnapshotDeps;
  readonly #run: SnapshotRun;
  #sets = 0;
  #unwritten: Chunk[] = [];
  #unwrittenLength = 0;
  #length = 0;
  #writtenAt: EpochMs;
  #reached: number | null = null;

  constructor(deps: SnapshotDeps, run: SnapshotRun) {
    this.#deps = deps;
    this.#run = run;
    this.#writtenAt = deps.clock.now();
  }

  /** The source's start and its time mapping, with no state. */
  writeStart(): Promise<void> {
    return this.#point(0, null);
  }

  get isDue(): boolean {
    const { clock, snapshotEveryMs } = this.#deps;
    return Math.abs(clock.now() - this.#writtenAt) >= snapshotEveryMs;
  }

  /**
   * Must be called when all rows up to the offset are judged and their alerts are in the ledger; with null when the state belongs
   * to no offset, so that it is not written.
   */
  async after(offset: number | null): Promise<void> {
    this.#reached = offset;
    if (offset !== null && this.isDue) await this.write(offset);
  }

  async flush(): Promise<void> {
    if (this.#reached !== null) await this.write(this.#reached);
  }

  /** All rows up to the offset must be judged, and their alerts in the ledger. */
  async write(offset: number): Promise<void> {
    const { clock, metrics } = this.#deps;
    const startedAt = clock.now();
    this.#length = 0;
    await this.#run.flush();
    const { parts } = this.#run.state;
    this.#run.stored.keep(parts);
    for (const [name, part] of parts) await this.#writePart(name, part);
    await this.#writeChunks();
    const sets = [...parts.keys()].flatMap((name) => this.#run.stored.setsOf(name));
    await this.#point(offset, sets);
    for (const part of parts.values()) part.markWritten();
    metrics.snapshotWritten(clock.now() - startedAt, this.#length);
    await this.#dropUnnamed();
  }

  async #writePart(part: string, state: StatePart): Promise<void> {
    const changes = this.#run.stored.isWorthChanging(part, MOST_CHANGES) ? state.changes() : null;
    const isWhole = changes === null;
    if (isWhole) this.#run.stored.begin(part);
    for (const text of changes ?? state.whole()) {
      const chunk = toChunkText({ part, isWhole, text });
      const { id, count } = this.#run.stored.open(part, () => this.#newSet());
      this.#unwritten.push({ set: id, position: count, text: chunk });
      this.#unwrittenLength += chunk.length;
      this.#run.stored.add(part, isWhole, chunk.length);
      if (this.#unwrittenLength >= WRITE_LENGTH) await this.#writeChunks();
      // Between slices of a large state the event loop serves requests.
      await this.#deps.clock.sleep(0);
    }
  }

  #newSet(): string {
    this.#sets += 1;
    return `${this.#run.lease.epoch}-${this.#sets}`;
  }

  async #writeChunks(): Promise<void> {
    const chunks = this.#unwritten;
    if (chunks.length === 0) return;
    const { store, sourceName } = this.#deps;
    if (!(await store.writeChunks(this.#run.lease, sourceName, chunks))) throw refused();
    this.#length += this.#unwrittenLength;
    this.#unwritten = [];
    this.#unwrittenLength = 0;
  }

  async #point(offset: number, sets: readonly ChunkSet[] | null): Promise<void> {
    const { store, clock, sourceName: source } = this.#deps;
    const { lease, version, time } = this.#run;
    const at = this.#run.source.checkpoint(offset);
    const checkpoint: StoredCheckpoint = { ...at, madeBy: version, time: time() };
    if (!(await store.writeSnapshot(lease, { source, checkpoint, sets }))) throw refused();
    this.#writtenAt = clock.now();
    this.#reached = null;
    this.#run.source.forget?.(offset);
  }

  async #dropUnnamed(): Promise<void> {
    const { store, clock, sourceName } = this.#deps;
    const dropSome = async () => (await store.dropChunks(this.#run.lease, sourceName, DROP_AT_ONCE)) === 0;
    await repeatUntil(dropSome, { clock, intervalMs: 0 });
  }
}

function refused(): LeaseLost {
  return new LeaseLost('snapshot write refused: another process ingests now');
}

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
    store: Pick<Snapshots, 'readChunks'>,
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

  /** Begins a new whole part, which replaces the stored one. */
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
