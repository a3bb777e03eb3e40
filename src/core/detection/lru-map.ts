/** Links of an entry in an `LruMap`. Written only by the map. */
export interface LruLinks<Entry> {
  older: Entry | null;
  newer: Entry | null;
  /** Entries of a higher rank are evicted after all others. */
  rank: number;
  /** The generation in which the entry was last touched. */
  touchedIn: number;
}

/** The links of an entry that is in no map yet. */
export function unlinked<Entry>(rank = 0): LruLinks<Entry> {
  return { older: null, newer: null, rank, touchedIn: 0 };
}

/** `weightOf`: what an entry adds to `weight` when it is added. */
export interface LruOptions<Entry> {
  keyOf(entry: Entry): string;
  readonly ranks?: number;
  weightOf?(entry: Entry): number;
}

/** Bound for a map that is never stored. */
const MOST_REMOVED = 100_000;

interface List<Entry> {
  oldest: Entry | null;
  newest: Entry | null;
}

/**
 * Entries by key, least recently touched first; one list for each rank. All operations except iterations are O(1).
 * Tracks what was touched, altered and removed since `markWritten`: after changing an entry, call `touch` or `alter`.
 * Not `lru-cache`, since eviction by rank and the tracking of changes are parts of the stored state.
 */
export class LruMap<Entry extends LruLinks<Entry>> {
  readonly #entries = new Map<string, Entry>();
  readonly #keyOf: (entry: Entry) => string;
  readonly #weightOf: (entry: Entry) => number;
  readonly #lists: readonly List<Entry>[];
  /** How many were evicted, by rank. */
  readonly evicted: number[];
  #weight = 0;
  #removed = new Set<string>();
  #altered = new Set<Entry>();
  #generation = 1;

  constructor({ keyOf, ranks = 1, weightOf = () => 1 }: LruOptions<Entry>) {
    this.#keyOf = keyOf;
    this.#weightOf = weightOf;
    this.#lists = Array.from({ length: ranks }, () => ({ oldest: null, newest: null }));
    this.evicted = new Array<number>(ranks).fill(0);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The sum over all entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Adds an entry whose key is not there, as the newest of its rank. */
  add(entry: Entry): void {
    this.#entries.set(this.#keyOf(entry), entry);
    this.#weight += this.#weightOf(entry);
    this.#append(entry);
  }

  /** The entry, marked as altered. */
  getAltered(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.alter(entry);
    return entry;
  }

  /** Adds to the weight of an entry. No effect on a removed one. */
  grow(entry: Entry, by: number): void {
    if (this.#entries.get(this.#keyOf(entry)) === entry) this.#weight += by;
  }

  /** Makes it the newest of its rank. */
  touch(entry: Entry): void {
    if (entry.newer === null) entry.touchedIn = this.#generation;
    else {
      this.#unlink(entry);
      this.#append(entry);
    }
  }

  /** Marks the entry as altered without moving it. */
  alter(entry: Entry): void {
    if (entry.touchedIn !== this.#generation) this.#altered.add(entry);
  }

  /** Changes the rank of an entry and touches it. No effect on a removed one. */
  rank(entry: Entry, rank: number): void {
    if (this.#entries.get(this.#keyOf(entry)) !== entry) return;
    this.#unlink(entry);
    entry.rank = rank;
    this.#append(entry);
  }

  /** No effect on a removed entry. */
  delete(entry: Entry): void {
    const key = this.#keyOf(entry);
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#weight -= this.#weightOf(entry);
    this.#unlink(entry);
    if (this.#removed.size <= MOST_REMOVED) this.#removed.add(key);
    this.#altered.delete(entry);
  }

  /** Adds an entry as the newest of its rank, in place of the one with its key. */
  put(entry: Entry): void {
    this.deleteKey(this.#keyOf(entry));
    this.add(entry);
  }

  /** No effect when no entry has the key. */
  deleteKey(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.delete(entry);
  }

  /** Replaces the entry of the same key and rank, in its position. No effect when there is none. */
  replace(by: Entry): void {
    const entry = this.#entries.get(this.#keyOf(by));
    if (entry === undefined) return;
    const { older, newer, touchedIn } = entry;
    Object.assign(by, { older, newer, touchedIn } satisfies Partial<LruLinks<Entry>>);
    const list = this.#lists[entry.rank] as List<Entry>;
    if (older === null) list.oldest = by;
    else older.newer = by;
    if (newer === null) list.newest = by;
    else newer.older = by;
    this.#weight += this.#weightOf(by) - this.#weightOf(entry);
    this.#entries.set(this.#keyOf(by), by);
  }

  /** Removes and counts the oldest entry of the lowest rank that has any. */
  evict(): Entry | null {
    const entry = this.#lists.find(({ oldest }) => oldest !== null)?.oldest ?? null;
    if (entry === null) return null;
    this.delete(entry);
    this.evicted[entry.rank] = (this.evicted[entry.rank] ?? 0) + 1;
    return entry;
  }

  /** All entries, rank by rank, oldest first. */
  *values(): Generator<Entry> {
    for (const { oldest } of this.#lists)
      for (let entry = oldest; entry !== null; entry = entry.newer) yield entry;
  }

  /** Visits all entries in the order of `values`; the visited entry may be deleted. */
  forEach(visit: (entry: Entry) => void): void {
    for (const { oldest } of this.#lists)
      for (let entry = oldest; entry !== null; ) {
        const { newer }: LruLinks<Entry> = entry;
        visit(entry);
        entry = newer;
      }
  }

  /** Entries touched since `markWritten`, in the same order. */
  *touched(): Generator<Entry> {
    for (const { newest } of this.#lists) {
      const newestFirst: Entry[] = [];
      for (let entry = newest; entry?.touchedIn === this.#generation; entry = entry.older)
        newestFirst.push(entry);
      yield* newestFirst.reverse();
    }
  }

  /** Entries altered and not touched since `markWritten`, in no particular order. */
  *altered(): Generator<Entry> {
    for (const entry of this.#altered) if (entry.touchedIn !== this.#generation) yield entry;
  }

  /** Keys removed since `markWritten`, some of which may have been added again; null when there are too many. */
  get removed(): ReadonlySet<string> | null {
    return this.#removed.size > MOST_REMOVED ? null : this.#removed;
  }

  markWritten(): void {
    this.#generation += 1;
    this.#removed = new Set();
    this.#altered = new Set();
  }

  #append(entry: Entry): void {
    const list = this.#lists[entry.rank] as List<Entry>;
    entry.older = list.newest;
    entry.newer = null;
    entry.touchedIn = this.#generation;
    if (list.newest === null) list.oldest = entry;
    else list.newest.newer = entry;
    list.newest = entry;
  }

  #unlink(entry: Entry): void {
    const list = this.#lists[entry.rank] as List<Entry>;
    if (entry.older === null) list.oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === null) list.newest = entry.older;
    else entry.newer.older = entry.older;
    entry.older = null;
    entry.newer = null;
  }
}
