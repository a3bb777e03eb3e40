import { z } from 'zod';
import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import { type ChainFill, hash, quantity } from './order-filled.ts';

/** A bloom that is missing or has another length allows everything. */
const bloom = z
  .string()
  .regex(/^0x[0-9a-f]{512}$/i)
  .catch(`0x${'f'.repeat(512)}`);

export const headerSchema = z
  .object({ number: quantity, hash, parentHash: hash, timestamp: quantity, logsBloom: bloom })
  .transform(({ timestamp, ...header }) => ({ ...header, at: timestamp * 1_000 }));
export type ChainHeader = z.infer<typeof headerSchema>;

interface Block<Fill> {
  readonly number: number;
  readonly hash: string;
  readonly at: EpochMs;
  readonly fills: readonly Fill[];
}

/** A block with all its fills. `isProven`: false when it has none, although its header allows some. */
export interface ReadBlock extends Block<ChainFill> {
  readonly isProven: boolean;
}

/** A fill in its block. `row` is null while its token is unknown, and set once the fill was passed on. */
export interface BlockFill {
  readonly fill: ChainFill;
  readonly at: EpochMs;
  row: LiveRow | null;
}

export type EmittedBlock = Block<BlockFill>;

/** Deeper blocks are final: a milestone of Polygon finalises a block after 12 to 16 others. */
const MOST_BLOCKS = 256;

/** The last blocks that were passed on, sorted by number. Blocks without a fill that were read in ranges are left out. */
export class RecentBlocks {
  #blocks: EmittedBlock[] = [];

  get tip(): EmittedBlock | null {
    return this.#blocks.at(-1) ?? null;
  }

  get oldest(): EmittedBlock | null {
    return this.#blocks[0] ?? null;
  }

  hashOf(number: number): string | null {
    return this.#blocks.findLast((block) => block.number === number)?.hash ?? null;
  }

  push(block: EmittedBlock): void {
    this.#blocks.push(block);
    if (this.#blocks.length > MOST_BLOCKS) this.#blocks.shift();
  }

  dropFrom(number: number): readonly EmittedBlock[] {
    const dropped = this.#blocks.filter((block) => block.number >= number);
    if (dropped.length > 0) this.#blocks = this.#blocks.filter((block) => block.number < number);
    return dropped;
  }

  clear(): void {
    this.#blocks = [];
  }
}

/** A transaction that lost its block is usually in a later one within seconds. */
const WAIT_MS = 5 * MINUTE_MS;

/** Fills that were passed on, and whose block is no longer part of the chain. */
export class ReorgedFills {
  readonly #fills = new Map<string, { readonly fill: BlockFill; readonly until: EpochMs }>();

  /** `at`: the time of the chain, from which the wait counts. */
  add(fill: BlockFill, at: EpochMs): void {
    this.#fills.set(fill.fill.key, { fill, until: at + WAIT_MS });
  }

  /** Removes and returns a fill that a new block contains, as it was passed on, with its first second. Null for other fills. */
  takeBack(key: string): BlockFill | null {
    const found = this.#fills.get(key);
    this.#fills.delete(key);
    return found?.fill ?? null;
  }

  takeDue(at: EpochMs): readonly BlockFill[] {
    if (this.#fills.size === 0) return [];
    const due = [...this.#fills].filter(([, { until }]) => until <= at);
    for (const [key] of due) this.#fills.delete(key);
    return due.map(([, { fill }]) => fill);
  }
}
