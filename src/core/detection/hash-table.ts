import { ENTRIES_PER_CHUNK, TAKEN_OUT } from './hash-log.ts';

/** Capacity of an empty table. */
export const MIN_CAPACITY = 1_024;

/** Hashes with an hour each in open addressing, 12 bytes a slot. */
export interface Table {
  readonly capacity: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** 0 marks an empty slot. */
  readonly hours: Uint32Array;
  size: number;
}

/** A table without entries. `capacity`: a power of 2. */
export function emptyTable(capacity: number): Table {
  const column = () => new Uint32Array(capacity);
  return { capacity, highs: column(), lows: column(), hours: column(), size: 0 };
}

/** The slot of a hash, or the empty one where it belongs. */
export function find({ capacity, highs, lows, hours }: Table, high: number, low: number): number {
  const mask = capacity - 1;
  let slot = low & mask;
  while (hours[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & mask;
  return slot;
}

/** Adds a hash that is not there. */
export function put(table: Table, high: number, low: number, hour: number): void {
  const slot = find(table, high, low);
  table.highs[slot] = high;
  table.lows[slot] = low;
  table.hours[slot] = hour;
  table.size += 1;
}

/** Entries placed after it because their own slot was taken move up, so that `find` meets no gap before them. */
export function takeOut(table: Table, slot: number): void {
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

/** How many entries have this hour or a later one. */
export function countFrom({ hours }: Table, from: number): number {
  let count = 0;
  for (const hour of hours) if (hour !== 0 && hour >= from) count += 1;
  return count;
}

/** The hour from which at most `keep` entries are kept. */
export function hourToKeep({ hours }: Table, from: number, keep: number): number {
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

/** The entries of this hour or a later one, with room for as many again: the same table where its size fits. */
export function rebuilt(table: Table, from: number): Table {
  const live = countFrom(table, from);
  let capacity = MIN_CAPACITY;
  while (capacity < (live + 1) * 2.5) capacity *= 2;
  if (capacity === table.capacity) return withoutOlder(table, from);
  const next = emptyTable(capacity);
  for (let slot = 0; slot < table.capacity; slot++) {
    const hour = table.hours[slot] as number;
    if (hour !== 0 && hour >= from) put(next, table.highs[slot] as number, table.lows[slot] as number, hour);
  }
  return next;
}

/** In place, since a second large table would briefly take much memory. */
function withoutOlder(table: Table, from: number): Table {
  const { capacity, hours } = table;
  for (let slot = 0; slot < capacity; slot++)
    // The entries after it move up and are checked as well.
    while (hours[slot] !== 0 && (hours[slot] as number) < from) takeOut(table, slot);
  return table;
}

/** Starts after an empty slot: inserted again in this order into a table of the same capacity, all entries get the same slots. */
export function* entriesOf({ capacity, highs, lows, hours }: Table): Iterable<Uint32Array> {
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

/** An entry that is already there has its hour renewed, or is taken out again. */
export function putAll(table: Table, entries: Uint32Array): void {
  for (let i = 0; i < entries.length; i += 3) {
    const [high, low, hour] = [entries[i] as number, entries[i + 1] as number, entries[i + 2] as number];
    const slot = find(table, high, low);
    if (hour === TAKEN_OUT) takeOut(table, slot);
    else if (table.hours[slot] === 0) put(table, high, low, hour);
    else table.hours[slot] = hour;
  }
}
