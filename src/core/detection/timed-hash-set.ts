import { type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import type { Hash64 } from './fill-hash.ts';
import { fromText, HashLog, type Rebuilt, TAKEN_OUT, toText } from './hash-log.ts';
import {
  countFrom,
  emptyTable,
  entriesOf,
  find,
  hourToKeep,
  MIN_CAPACITY,
  put,
  putAll,
  rebuilt,
  takeOut,
} from './hash-table.ts';
import type { StatePart } from './state-chunks.ts';

/**
 * A set of 64-bit hashes, each with the hour it was last added; 12 bytes an entry, open addressing. Holds at most
 * `maxEntries`: beyond that it forgets the oldest hours. Expired entries are removed when space is needed.
 */
export class TimedHashSet implements StatePart {
  readonly #maxEntries: number;
  #table = emptyTable(MIN_CAPACITY);
  #forgotten = 0;
  #log = new HashLog();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#table.size;
  }

  /** Entries that were forgotten to make room. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** True when the hash was there with an hour of `minHour` or later; an older one is renewed and counts as new. */
  add(hash: Hash64, hour: number, minHour: number): boolean {
    const slot = find(this.#table, hash.high, hash.low);
    const known = this.#table.hours[slot] as number;
    if (known !== 0 && known >= minHour) return true;
    if (known !== 0) this.#table.hours[slot] = hour;
    else {
      this.#makeRoom(minHour);
      put(this.#table, hash.high, hash.low, hour);
    }
    this.#log.added(hash, hour);
    return false;
  }

  has({ high, low }: Hash64, minHour: number): boolean {
    const hour = this.#table.hours[find(this.#table, high, low)] as number;
    return hour !== 0 && hour >= minHour;
  }

  /** Removes the hash. True when it was there with an hour of `minHour` or later. */
  forget(hash: Hash64, minHour: number): boolean {
    const slot = find(this.#table, hash.high, hash.low);
    const hour = this.#table.hours[slot] as number;
    if (hour === 0) return false;
    takeOut(this.#table, slot);
    this.#log.added(hash, TAKEN_OUT);
    return hour >= minHour;
  }

  *whole(): Iterable<string> {
    const { capacity } = this.#table;
    yield JSON.stringify({ capacity, forgotten: this.#forgotten } satisfies NewTable);
    for (const entries of entriesOf(this.#table)) yield JSON.stringify(toText(entries));
  }

  changes(): Iterable<string> | null {
    return this.#log.texts();
  }

  markWritten(): void {
    this.#log = new HashLog();
  }

  restore(text: string): void {
    const read = JSON.parse(text) as string | NewTable | Rebuilt;
    if (typeof read === 'string') putAll(this.#table, fromText(read));
    else {
      this.#forgotten = read.forgotten;
      this.#table = 'capacity' in read ? emptyTable(read.capacity) : rebuilt(this.#table, read.from);
    }
  }

  #makeRoom(minHour: number): void {
    const { size, capacity } = this.#table;
    if (size < this.#maxEntries && (size + 1) * 2 <= capacity) return;
    let from = minHour;
    const live = countFrom(this.#table, from);
    if (live >= this.#maxEntries) {
      from = hourToKeep(this.#table, from, Math.floor(this.#maxEntries * 0.75));
      this.#forgotten += live - countFrom(this.#table, from);
    }
    this.#table = rebuilt(this.#table, from);
    this.#log.rebuilt({ from, forgotten: this.#forgotten });
  }
}

/** The first text of a whole set. */
interface NewTable {
  readonly capacity: number;
  readonly forgotten: number;
}

/** The hour of a moment, as stored with an entry: at least 1, since 0 marks an empty slot. */
export function hourOf(at: EpochMs): number {
  return Math.max(1, Math.floor(at / HOUR_MS));
}
