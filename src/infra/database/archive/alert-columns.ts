import { entryOf } from '../../../core/record/win-rates.ts';
import type { ArchiveRow, IdRange } from './archive-source.ts';

/** Alerts in a block, which are read in one query: some milliseconds. A page is found in as many blocks as it has alerts, at most. */
const BLOCK_SIZE = 2_048;

const MICROS = 1e6;
/** Values of all facets together: there are 15. */
const VALUES_MAX = 1_000;

/** The fields of few values: one combination is one code. */
export type Facet = Pick<ArchiveRow, 'category' | 'side' | 'type' | 'won'>;

/** The columns of consecutive alerts: 19 bytes each. */
export class ColumnBlock {
  readonly facets: Uint16Array;
  /** Whole, 0 to 100. */
  readonly scores: Uint8Array;
  readonly usdc: Float64Array;
  /** `entryOf` in millionths, which are its precision: sums of them are exact. */
  readonly entries: Uint32Array;
  readonly listings: Uint32Array;
  /** How many there are. */
  length = 0;
  /** Increases with each change of the block. */
  version = 0;

  constructor(size: number) {
    this.facets = new Uint16Array(size);
    this.scores = new Uint8Array(size);
    this.usdc = new Float64Array(size);
    this.entries = new Uint32Array(size);
    this.listings = new Uint32Array(size);
  }
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
  readonly #blockSize: number;
  readonly #blocks: (ColumnBlock | null)[] = [];
  readonly #facets: Facet[] = [];
  readonly #codes = new Map<number, number>();
  /** Numbers of the values of facets. */
  readonly #values = new Map<string | boolean | null, number>();

  constructor(blockSize = BLOCK_SIZE) {
    this.#blockSize = blockSize;
  }

  /** All combinations so far, by their codes. */
  get facets(): readonly Facet[] {
    return this.#facets;
  }

  /** The newest parts of a range that are not here, each of at most a block, and at most `count`. */
  missingIn({ after, upto }: IdRange, count: number): IdRange[] {
    const size = this.#blockSize;
    const missing: IdRange[] = [];
    if (upto <= after) return missing;
    for (let number = Math.floor((upto - 1) / size); number >= 0 && (number + 1) * size > after; number--) {
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
    const number = Math.floor((row.id - 1) / this.#blockSize);
    while (this.#blocks.length <= number) this.#blocks.push(null);
    const block = this.#blocks[number] ?? new ColumnBlock(this.#blockSize);
    this.#blocks[number] = block;
    const index = block.length;
    if (row.id !== number * this.#blockSize + index + 1)
      throw new Error(`archive: alert ${row.id} is not the next of its block`);
    block.facets[index] = this.#codeOf(row);
    block.scores[index] = row.score;
    block.usdc[index] = row.usdc;
    block.entries[index] = Math.round(entryOf(row) * MICROS);
    block.listings[index] = listing;
    block.length += 1;
    block.version += 1;
  }

  /** Sets what became of an alert; one that is not here yet is left out. */
  setWon(id: number, won: boolean): void {
    const block = this.#blocks[Math.floor((id - 1) / this.#blockSize)] ?? null;
    const index = (id - 1) % this.#blockSize;
    if (block === null || index >= block.length) return;
    const facet = this.#facets[block.facets[index] as number] as Facet;
    if (facet.won === won) return;
    block.facets[index] = this.#codeOf({ ...facet, won });
    block.version += 1;
  }

  /** The parts of blocks that make up a range, newest first. All of it must be here. */
  *parts({ after, upto }: IdRange): Generator<BlockPart> {
    const size = this.#blockSize;
    if (upto <= after) return;
    for (let number = Math.floor((upto - 1) / size); number >= 0 && (number + 1) * size > after; number--) {
      const before = number * size;
      const indexes = { from: Math.max(0, after - before), to: Math.min(size, upto - before) };
      const block = this.#blocks[number] ?? null;
      if (block === null || block.length < indexes.to)
        throw new Error(`archive: alert ${before + indexes.to} was not read`);
      yield { block, number, firstId: before + 1, ...indexes };
    }
  }

  /** The part that is one alert. */
  partOf(id: number): BlockPart {
    const [part] = this.parts({ after: id - 1, upto: id });
    return part as BlockPart;
  }

  #codeOf({ category, side, type, won }: Facet): number {
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
}

/** Whether a part is all of its block. */
export function isWhole({ block, from, to }: BlockPart): boolean {
  return from === 0 && to === block.length;
}

/** A sum of `ColumnBlock.entries` as a price. */
export function fromMicros(micros: number): number {
  return micros / MICROS;
}
