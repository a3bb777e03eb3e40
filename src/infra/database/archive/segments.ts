import { crc32 } from 'node:zlib';
import { type AlertColumns, bytesOfBlock, ColumnBlock, type Facet } from './alert-columns.ts';
import type { ArchiveSource } from './archive-source.ts';
import type { Listings } from './listings.ts';
import { TimeSlices } from './time-slices.ts';

/** 65,536 alerts: 1.5 MB. */
const BLOCKS_PER_SEGMENT = 32;

/** What became of an alert, in two bits. */
const RESULTS = [null, false, true] as const;

interface LoadedSegment extends Segment {
  readonly results: Uint8Array;
  /** The last settlement that the results have. */
  readonly seq: number;
}

/**
 * The columns of consecutive alerts as they are stored with the database, so that a start need not read every alert. What is stored
 * follows from the alerts alone: all processes store the same, and what is damaged is read from the alerts again.
 */
export class Segments {
  /** Alerts in a segment. */
  readonly size: number;
  readonly #source: ArchiveSource;
  readonly #columns: AlertColumns;
  readonly #listings: Listings;
  /** Segments number listings in the order in which alerts name them first: the numbers that they have here, and those in segments. */
  readonly #numbers: number[] = [];
  readonly #storedNumbers = new Map<number, number>();
  /** Segments from the first on that are in memory and were stored. */
  #count = 0;
  #seq = Number.POSITIVE_INFINITY;

  constructor(
    source: ArchiveSource,
    columns: AlertColumns,
    listings: Listings,
    blocksPerSegment = BLOCKS_PER_SEGMENT,
  ) {
    this.#source = source;
    this.#columns = columns;
    this.#listings = listings;
    this.size = blocksPerSegment * columns.blockSize;
  }

  get count(): number {
    return this.#count;
  }

  /** The last settlement that all stored results have. */
  get seq(): number {
    return this.#seq;
  }

  /** Loads the next segments below `end`. False where the next one is missing or damaged. */
  async loadNext(end: number, slices: TimeSlices): Promise<boolean> {
    const first = this.#count;
    const length = Math.min(this.#source.concurrency, end - first);
    const loading = Array.from({ length }, (_, index) => this.#load(first + index));
    for (const segment of await Promise.all(loading)) {
      if (segment === null || segment.firstListing !== this.#numbers.length) break;
      await this.#listings.read(segment.listings, this.#source);
      this.#adopt(segment);
      await slices.pause();
    }
    return this.#count > first;
  }

  /** Stores the next segment, if its alerts are in memory. `seq`: the last settlement that they have. */
  async storeNext(seq: number): Promise<boolean> {
    const { segments } = this.#source;
    const number = this.#count;
    const blocks = this.#blocksOf(number);
    if (segments === null || blocks === null) return false;
    const results = this.#resultsOf(blocks);
    const [segment, added] = this.#copyOf(blocks);
    const lastKey = (await this.#source.keyOf((number + 1) * this.size)) ?? '';
    await segments.results.put({ number, seq, results }, { seq: { lte: seq } });
    await segments.columns.put({ number, columns: encodeSegment({ ...segment, lastKey }) });
    this.#number(added);
    this.#count += 1;
    this.#seq = Math.min(this.#seq, seq);
    return true;
  }

  /** Stores the results of all stored segments. `seq`: gives the last settlement that they have. */
  async storeResults(seq: () => number): Promise<true> {
    const slices = new TimeSlices();
    let lowest = Number.POSITIVE_INFINITY;
    for (let number = 0; number < this.#count; number++) {
      const row = { number, seq: seq(), results: this.#resultsOf(this.#blocksOf(number) ?? []) };
      await this.#source.segments?.results.put(row, { seq: { lte: row.seq } });
      lowest = Math.min(lowest, row.seq);
      await slices.pause();
    }
    this.#seq = lowest;
    return true;
  }

  async #load(number: number): Promise<LoadedSegment | null> {
    const { segments, keyOf } = this.#source;
    const [columns, found, lastKey] = await Promise.all([
      segments?.columns.get(number),
      segments?.results.get(number),
      keyOf((number + 1) * this.size),
    ]);
    if (!columns || !found) return null;
    const segment = decodeSegment(columns.columns, this.#blocksPerSegment * this.#bytesOfBlock);
    const results = checked(found.results);
    if (segment === null || segment.lastKey !== lastKey || results?.length !== this.#resultBytes) return null;
    return { ...segment, results, seq: found.seq };
  }

  #adopt({ columns, facets, listings, results, seq }: LoadedSegment): void {
    this.#number(listings.map((key) => this.#listings.numberOf(key)));
    const codes = facets.flatMap((facet) => RESULTS.map((won) => this.#columns.codeOf({ ...facet, won })));
    const size = this.#columns.blockSize;
    for (let index = 0; index < this.#blocksPerSegment; index++) {
      const block = new ColumnBlock(columns.buffer, index * this.#bytesOfBlock, size);
      for (let at = 0; at < size; at++) {
        const code = (block.facets[at] as number) * RESULTS.length + resultAt(results, index * size + at);
        block.facets[at] = codes[code] as number;
        block.listings[at] = this.#numbers[block.listings[at] as number] as number;
      }
      this.#columns.adopt(this.#count * this.#blocksPerSegment + index, block);
    }
    this.#count += 1;
    this.#seq = Math.min(this.#seq, seq);
  }

  /** The blocks as a segment has them, and the numbers of the listings that no segment had. */
  #copyOf(blocks: readonly ColumnBlock[]): [Omit<Segment, 'lastKey'>, added: readonly number[]] {
    const columns = new Uint8Array(blocks.length * this.#bytesOfBlock);
    const facets = new Map<string, number>();
    const codes = this.#columns.facets.map(({ won: _won, ...facet }) => {
      const name = JSON.stringify(facet);
      if (!facets.has(name)) facets.set(name, facets.size);
      return facets.get(name) as number;
    });
    const added = new Map<number, number>();
    for (const [index, block] of blocks.entries()) {
      columns.set(block.bytes, index * this.#bytesOfBlock);
      const copy = new ColumnBlock(columns.buffer, index * this.#bytesOfBlock, block.length);
      for (let at = 0; at < block.length; at++) {
        copy.facets[at] = codes[block.facets[at] as number] as number;
        copy.listings[at] = this.#storedNumberOf(block.listings[at] as number, added);
      }
    }
    const names = {
      facets: Array.from(facets.keys(), (name) => JSON.parse(name) as Omit<Facet, 'won'>),
      listings: Array.from(added.keys(), (listing) => this.#listings.keyOf(listing)),
      firstListing: this.#numbers.length,
    };
    return [{ columns, ...names }, [...added.keys()]];
  }

  #storedNumberOf(listing: number, added: Map<number, number>): number {
    const known = this.#storedNumbers.get(listing) ?? added.get(listing);
    if (known !== undefined) return known;
    const next = this.#numbers.length + added.size;
    added.set(listing, next);
    return next;
  }

  #number(listings: readonly number[]): void {
    for (const listing of listings) {
      this.#storedNumbers.set(listing, this.#numbers.length);
      this.#numbers.push(listing);
    }
  }

  #resultsOf(blocks: readonly ColumnBlock[]): Uint8Array {
    const codes = this.#columns.facets.map(({ won }) => RESULTS.indexOf(won));
    const results = new Uint8Array(this.#resultBytes);
    let id = 0;
    for (const { facets } of blocks)
      for (const facet of facets) {
        results[id >> 2] = (results[id >> 2] as number) | ((codes[facet] as number) << (2 * (id & 3)));
        id += 1;
      }
    return withChecksum(results);
  }

  /** Null while one of them is not complete. */
  #blocksOf(number: number): readonly ColumnBlock[] | null {
    const count = this.#blocksPerSegment;
    return this.#columns.complete(number * count, count);
  }

  get #blocksPerSegment(): number {
    return this.size / this.#columns.blockSize;
  }

  get #bytesOfBlock(): number {
    return bytesOfBlock(this.#columns.blockSize);
  }

  get #resultBytes(): number {
    return Math.ceil(this.size / 4);
  }
}

function resultAt(results: Uint8Array, index: number): number {
  return ((results[index >> 2] as number) >> (2 * (index & 3))) & 3;
}

/** What the numbers in the columns of a segment stand for. */
interface SegmentNames {
  /** By their codes; what becomes of an alert may still change, so that results are stored apart. */
  readonly facets: readonly Omit<Facet, 'won'>[];
  /** Keys of the listings that no earlier segment names, and the number of the first of them. */
  readonly listings: readonly string[];
  readonly firstListing: number;
  /** `key` of the last alert, by which alerts of another archive are noticed. */
  readonly lastKey: string;
}

interface Segment extends SegmentNames {
  /** The columns of its blocks. */
  readonly columns: Uint8Array<ArrayBuffer>;
}

/** The columns, then the names as JSON, then a checksum. */
export function encodeSegment({ columns, ...names }: Segment): Uint8Array {
  return withChecksum(Buffer.concat([columns, Buffer.from(JSON.stringify(names))]));
}

/** Null for what is damaged, or has not so many bytes of columns. The columns are a copy. */
export function decodeSegment(stored: Uint8Array, columnBytes: number): Segment | null {
  const bytes = checked(stored);
  if (bytes === null) return null;
  try {
    const names = JSON.parse(Buffer.from(bytes.subarray(columnBytes)).toString()) as SegmentNames;
    return { ...names, columns: new Uint8Array(bytes.subarray(0, columnBytes)) };
  } catch {
    return null;
  }
}

const CHECKSUM_BYTES = 4;

function withChecksum(bytes: Uint8Array): Uint8Array {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(bytes));
  return Buffer.concat([bytes, checksum]);
}

/** The bytes without their checksum; null where it does not match. */
export function checked(stored: Uint8Array): Uint8Array | null {
  if (stored.length < CHECKSUM_BYTES) return null;
  const bytes = stored.subarray(0, -CHECKSUM_BYTES);
  const checksum = Buffer.from(stored.subarray(-CHECKSUM_BYTES)).readUInt32LE();
  return crc32(bytes) === checksum ? bytes : null;
}
