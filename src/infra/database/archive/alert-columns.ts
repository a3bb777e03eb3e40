import { entryOf } from '../../../core/alerts/archive/win-rates.ts';
import type { ArchiveRow, IdRange } from './archive-source.ts';

/** Alerts in a block, which are read in one query: some milliseconds. A page is found in as many blocks as it has alerts, at most. */
const BLOCK_SIZE = 2_048;

const MICROS = 1e6;
/** Values of all facets together: there are 15. */
const VALUES_MAX = 1_000;

/** The fields of few values: one combination is one code. */
export type Facet = Pick<ArchiveRow, 'category' | 'side' | 'type' | 'won'>;

const BYTES_PER_ALERT = 39;

/** The columns of consecutive alerts, in one piece of memory. */
export class ColumnBlock {
  readonly usdc: Float64Array;
  /** Figures of the bet (`betOf`). */
  readonly putInUsdc: Float64Array;
  readonly toWinUsdc: Float64Array;
  /** `entryOf` in millionths, which are its precision: sums of them are exact. */
  readonly entries: Uint32Array;
  readonly listings: Uint32Array;
  /** `supersedes`; 0 for the first alert of a thread. */
  readonly previous: Uint32Array;
  readonly facets: Uint16Array;
  /** Whole, 0 to 100. */
  readonly scores: Uint8Array;
  /** How many there are. */
  length: number;
  /** Increases with each change of the block, from 1. */
  version = 1;

  constructor(buffer: ArrayBuffer, offset: number, size: number, length = size) {
    this.usdc = new Float64Array(buffer, offset, size);
    this.putInUsdc = new Float64Array(buffer, offset + 8 * size, size);
    this.toWinUsdc = new Float64Array(buffer, offset + 16 * size, size);
    this.entries = new Uint32Array(buffer, offset + 24 * size, size);
    this.listings = new Uint32Array(buffer, offset + 28 * size, size);
    this.previous = new Uint32Array(buffer, offset + 32 * size, size);
    this.facets = new Uint16Array(buffer, offset + 36 * size, size);
    this.scores = new Uint8Array(buffer, offset + 38 * size, size);
    this.length = length;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.usdc.buffer, this.usdc.byteOffset, bytesOfBlock(this.scores.length));
  }
}

/** A whole number of the largest values. */
export function bytesOfBlock(size: number): number {
  return 8 * Math.ceil((size * BYTES_PER_ALERT) / 8);
}

/** The part of a block that lies within a range. */
export interface BlockPart {
  readonly block: ColumnBlock;
  /** The number of the block, from 0. */
  readonly number: number;
  /** The id of the alert at the index 0. */
  readonly firstId: number;
  /** Indexes within the block: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

/**
 * What filters and figures use of alerts, in typed arrays. Ids are dense, and the blocks of a range can be read without the
 * others.
 */
export class AlertColumns {
  readonly blockSize: number;
  readonly #blocks: (ColumnBlock | null)[] = [];
  readonly #facets: Facet[] = [];
  readonly #codes = new Map<number, number>();
  /** The next alert of a thread, by the id of the one before it. */
  readonly #nextOf = new Map<number, number>();
  /** Numbers of the values of facets. */
  readonly #values = new Map<string | boolean | null, number>();

  constructor(blockSize = BLOCK_SIZE) {
    this.blockSize = blockSize;
  }

  /** All combinations so far, by their codes. */
  get facets(): readonly Facet[] {
    return this.#facets;
  }

  /** The newest parts of a range that are not here, each of at most a block, and at most `count`. */
  missingIn({ after, upto }: IdRange, count: number): IdRange[] {
    const size = this.blockSize;
    const missing: IdRange[] = [];
    const { newest, oldest } = this.blocksOf({ after, upto });
    for (let number = newest; number >= oldest; number--) {
      const before = number * size;
      const end = Math.min(upto, before + size);
      const length = this.#blocks[number]?.length ?? 0;
      if (before + length < end) missing.push({ after: before + length, upto: end });
      if (missing.length === count) break;
    }
    return missing;
  }

  /** `listing`: its number. Throws when the id is not the next of its block. */
  append(row: ArchiveRow, listing: number): void {
    const number = Math.floor((row.id - 1) / this.blockSize);
    const block = this.#blocks[number] ?? this.#place(number, this.#emptyBlock());
    const index = block.length;
    if (row.id !== number * this.blockSize + index + 1)
      throw new Error(`archive: alert ${row.id} is not the next of its block`);
    block.facets[index] = this.codeOf(row);
    block.scores[index] = row.score;
    block.usdc[index] = row.usdc;
    block.entries[index] = inMicros(entryOf(row));
    block.listings[index] = listing;
    block.putInUsdc[index] = row.putInUsdc;
    block.toWinUsdc[index] = row.toWinUsdc;
    block.previous[index] = row.supersedes ?? 0;
    if (row.supersedes !== null) this.#nextOf.set(row.supersedes, row.id);
    block.length += 1;
    block.version += 1;
  }

  /** Adds a block that was stored. One that is complete stays: it may know later results. */
  adopt(number: number, block: ColumnBlock): void {
    const former = this.#blocks[number] ?? null;
    if (former?.length === this.blockSize) return;
    this.#place(number, block);
    block.version += former?.version ?? 0;
    for (const [index, previous] of block.previous.entries())
      if (previous > 0) this.#nextOf.set(previous, number * this.blockSize + index + 1);
  }

  /** Whether no later alert of its thread has an id up to `upto`. All alerts up to there must be here. */
  isNewest(id: number, upto: number): boolean {
    const next = this.#nextOf.get(id);
    return next === undefined || next > upto;
  }

  /** So many consecutive blocks; null while one of them is not complete. */
  complete(first: number, count: number): readonly ColumnBlock[] | null {
    const blocks = this.#blocks.slice(first, first + count).filter((block) => block !== null);
    const isComplete = blocks.length === count && blocks.every(({ length }) => length === this.blockSize);
    return isComplete ? blocks : null;
  }

  /** Sets what became of an alert; one that is not here yet is left out. */
  setWon(id: number, won: boolean): void {
    const block = this.#blocks[Math.floor((id - 1) / this.blockSize)] ?? null;
    const index = (id - 1) % this.blockSize;
    if (block === null || index >= block.length) return;
    const facet = this.#facets[block.facets[index] as number] as Facet;
    if (facet.won === won) return;
    block.facets[index] = this.codeOf({ ...facet, won });
    block.version += 1;
  }

  /** The parts of blocks that make up a range, newest first. All of it must be here. */
  *parts(range: IdRange): Generator<BlockPart> {
    const { newest, oldest } = this.blocksOf(range);
    for (let number = newest; number >= oldest; number--) yield this.part(number, range);
  }

  /** The numbers of the first and the last block of a range; in an empty one `newest` is below `oldest`. */
  blocksOf({ after, upto }: IdRange): { readonly newest: number; readonly oldest: number } {
    const newest = upto <= after ? -1 : Math.floor((upto - 1) / this.blockSize);
    return { newest, oldest: Math.floor(after / this.blockSize) };
  }

  /** The version of a block that lies wholly within a range; null for any other. */
  versionOf(number: number, { after, upto }: IdRange): number | null {
    const block = this.#blocks[number] ?? null;
    const before = number * this.blockSize;
    return block !== null && after <= before && upto >= before + block.length ? block.version : null;
  }

  /** The part of a block that lies within a range, which must be here. */
  part(number: number, { after, upto }: IdRange): BlockPart {
    const before = number * this.blockSize;
    const indexes = { from: Math.max(0, after - before), to: Math.min(this.blockSize, upto - before) };
    const block = this.#blocks[number] ?? null;
    if (block === null || block.length < indexes.to)
      throw new Error(`archive: alert ${before + indexes.to} was not read`);
    return { block, number, firstId: before + 1, ...indexes };
  }

  /** The part that is one alert. */
  partOf(id: number): BlockPart {
    return this.part(Math.floor((id - 1) / this.blockSize), { after: id - 1, upto: id });
  }

  /** The code of a combination. */
  codeOf({ category, side, type, won }: Facet): number {
    const broader = this.#numberOf(category) * VALUES_MAX + this.#numberOf(side);
    const combination = (broader * VALUES_MAX + this.#numberOf(type)) * VALUES_MAX + this.#numberOf(won);
    const known = this.#codes.get(combination);
    if (known !== undefined) return known;
    this.#codes.set(combination, this.#facets.length);
    this.#facets.push({ category, side, type, won });
    return this.#facets.length - 1;
  }

  #numberOf(value: string | boolean | null): number {
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    this.#values.set(value, this.#values.size);
    return this.#values.size - 1;
  }

  #emptyBlock(): ColumnBlock {
    return new ColumnBlock(new ArrayBuffer(bytesOfBlock(this.blockSize)), 0, this.blockSize, 0);
  }

  #place(number: number, block: ColumnBlock): ColumnBlock {
    while (this.#blocks.length < number) this.#blocks.push(null);
    this.#blocks[number] = block;
    return block;
  }
}

/** A price, as `ColumnBlock.entries` has it. */
export function inMicros(price: number): number {
  return Math.round(price * MICROS);
}

/** A sum of `ColumnBlock.entries` as a price. */
export function fromMicros(micros: number): number {
  return micros / MICROS;
}
