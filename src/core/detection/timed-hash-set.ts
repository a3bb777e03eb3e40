import { HOUR_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import type { Hash64 } from './fill-hash.ts';
import { ENTRIES_PER_CHUNK, fromText, HashLog, type Rebuilt, TAKEN_OUT, toText } from './hash-log.ts';
import type { StatePart } from './state-chunks.ts';

const MIN_CAPACITY = 1_024;

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

interface Table {
  readonly capacity: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** 0 marks an empty slot. */
  readonly hours: Uint32Array;
  size: number;
}

function emptyTable(capacity: number): Table {
  const column = () => new Uint32Array(capacity);
  return { capacity, highs: column(), lows: column(), hours: column(), size: 0 };
}

function find({ capacity, highs, lows, hours }: Table, high: number, low: number): number {
  const mask = capacity - 1;
  let slot = low & mask;
  while (hours[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & mask;
  return slot;
}

function put(table: Table, high: number, low: number, hour: number): void {
  const slot = find(table, high, low);
  table.highs[slot] = high;
  table.lows[slot] = low;
  table.hours[slot] = hour;
  table.size += 1;
}

/** Entries that were put behind it since their own slot was taken move up, so that `find` meets no gap before them. */
function takeOut(table: Table, slot: number): void {
  const { capacity, highs, lows, hours } = table;
  const mask = capacity - 1;
  let gap = slot;
  for (let next = (gap + 1) & mask; hours[next] !== 0; next = (next + 1) & mask) {
    const distance = (next - (lows[next] as number)) & mask;
    if (distance < ((next - gap) & mask)) continue;
    highs[gap] = highs[next] as number;
    lows[gap] = lows[next] as number;
    hours[gap] = hours[next] as number;
    gap = next;
  }
  hours[gap] = 0;
  table.size -= 1;
}

function countFrom({ hours }: Table, from: number): number {
  let count = 0;
  for (const hour of hours) if (hour !== 0 && hour >= from) count += 1;
  return count;
}

/** The hour from which at most `keep` entries are kept. */
function hourToKeep({ hours }: Table, from: number, keep: number): number {
  const perHour = new Map<number, number>();
  for (const hour of hours) if (hour !== 0 && hour >= from) perHour.set(hour, (perHour.get(hour) ?? 0) + 1);
  const newestFirst = [...perHour].sort(([a], [b]) => b - a);
  let kept = 0;
  let cut = (newestFirst[0]?.[0] ?? from) + 1;
  for (const [hour, count] of newestFirst) {
    if (kept + count > keep) break;
    kept += count;
    cut = hour;
  }
  return cut;
}

function rebuilt(table: Table, from: number): Table {
  const live = countFrom(table, from);
  let capacity = MIN_CAPACITY;
  while (capacity < (live + 1) * 2.5) capacity *= 2;
  const next = emptyTable(capacity);
  for (let slot = 0; slot < table.capacity; slot++) {
    const hour = table.hours[slot] as number;
    if (hour !== 0 && hour >= from) put(next, table.highs[slot] as number, table.lows[slot] as number, hour);
  }
  return next;
}

/** From behind an empty slot on: put again in this order, into a table of the same capacity, all get the slots they had. */
function* entriesOf({ capacity, highs, lows, hours }: Table): Iterable<Uint32Array> {
  const start = hours.indexOf(0);
  let entries: number[] = [];
  for (let step = 0; step < capacity; step++) {
    const slot = (start + step) & (capacity - 1);
    const hour = hours[slot] as number;
    if (hour !== 0) entries.push(highs[slot] as number, lows[slot] as number, hour);
    if (entries.length >= ENTRIES_PER_CHUNK * 3) {
      yield Uint32Array.from(entries);
      entries = [];
    }
  }
  if (entries.length > 0) yield Uint32Array.from(entries);
}

/** Of one that is there already the hour is renewed, or it is taken out again. */
function putAll(table: Table, entries: Uint32Array): void {
  for (let i = 0; i < entries.length; i += 3) {
    const [high, low, hour] = [entries[i] as number, entries[i + 1] as number, entries[i + 2] as number];
    const slot = find(table, high, low);
    if (hour === TAKEN_OUT) takeOut(table, slot);
    else if (table.hours[slot] === 0) put(table, high, low, hour);
    else table.hours[slot] = hour;
  }
}
