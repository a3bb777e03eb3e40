import type { EmittedBlock } from './chain-block.ts';

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

  /** Removes and returns the blocks from this number on: others replace them. */
  dropFrom(number: number): readonly EmittedBlock[] {
    const dropped = this.#blocks.filter((block) => block.number >= number);
    if (dropped.length > 0) this.#blocks = this.#blocks.filter((block) => block.number < number);
    return dropped;
  }

  clear(): void {
    this.#blocks = [];
  }
}
