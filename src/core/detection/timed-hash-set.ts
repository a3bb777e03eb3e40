import { HOUR_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
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
 * A set of 64-bit hashes, each with the hour it was last added, 12 bytes an entry in open addressing. It holds at
 * most `maxEntries`: beyond that the oldest hours are forgotten, and `forgotten` says how many entries.
 */
export interface TimedHashSet extends StatePart {
  /** True when the hash was there with an hour not below `minHour`; an older one is renewed and counts as new. */
  add(hash: Hash64, hour: number, minHour: number): boolean;
  has(hash: Hash64, minHour: number): boolean;
  /** Takes the hash out. True when it was there with an hour not below `minHour`. */
  forget(hash: Hash64, minHour: number): boolean;
  readonly size: number;
  readonly forgotten: number;
}

/** An empty set. Expired entries leave when room is needed. */
export function createTimedHashSet(maxEntries: number): TimedHashSet {
  let table = emptyTable(MIN_CAPACITY);
  let forgotten = 0;
  let log = new HashLog();

  function makeRoom(minHour: number): void {
    if (table.size < maxEntries && (table.size + 1) * 2 <= table.capacity) return;
    let from = minHour;
    const live = countFrom(table, from);
    if (live >= maxEntries) {
      from = hourToKeep(table, from, Math.floor(maxEntries * 0.75));
      forgotten += live - countFrom(table, from);
    }
    table = rebuilt(table, from);
    log.rebuilt({ from, forgotten });
  }

  return {
    add(hash, hour, minHour) {
      const slot = find(table, hash.high, hash.low);
      const known = table.hours[slot] as number;
      if (known !== 0 && known >= minHour) return true;
      if (known !== 0) table.hours[slot] = hour;
      else {
        makeRoom(minHour);
        put(table, hash.high, hash.low, hour);
      }
      log.added(hash, hour);
      return false;
    },
    has({ high, low }, minHour) {
      const hour = table.hours[find(table, high, low)] as number;
      return hour !== 0 && hour >= minHour;
    },
    forget(hash, minHour) {
      const slot = find(table, hash.high, hash.low);
      const hour = table.hours[slot] as number;
      if (hour === 0) return false;
      takeOut(table, slot);
      log.added(hash, TAKEN_OUT);
      return hour >= minHour;
    },
    get size() {
      return table.size;
    },
    get forgotten() {
      return forgotten;
    },
    *whole() {
      yield JSON.stringify({ capacity: table.capacity, forgotten } satisfies NewTable);
      for (const entries of entriesOf(table)) yield JSON.stringify(toText(entries));
    },
    changes: () => log.texts(),
    markWritten() {
      log = new HashLog();
    },
    restore(text) {
      const read = JSON.parse(text) as string | NewTable | Rebuilt;
      if (typeof read === 'string') return putAll(table, fromText(read));
      forgotten = read.forgotten;
      table = 'capacity' in read ? emptyTable(read.capacity) : rebuilt(table, read.from);
    },
  };
}

/** What begins the whole of a set. */
interface NewTable {
  readonly capacity: number;
  readonly forgotten: number;
}

/** The hour of a moment, as entries are stamped with it: at least 1, since 0 marks an empty slot. */
export function hourOf(at: EpochMs): number {
  return Math.max(1, Math.floor(at / HOUR_MS));
}
