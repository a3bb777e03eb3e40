import type { Logger } from '../../../../core/base/logger.ts';
import { type EpochMs, MINUTE_MS } from '../../../../core/base/time/duration.ts';
import { type BlockReader, firstBlockFrom } from './block-reader.ts';
import type { Block, BlockFill, ChainHeader, ReadBlock } from './chain-block.ts';
import { RpcFault } from './chain-node.ts';

const POLYGON = 137;
/** The last blocks are read one by one along the parents of the head, older ones in ranges by number. */
const NEAR_BLOCKS = 32;
/** Deeper blocks are final: a milestone of Polygon finalises a block after 12 to 16 others. */
const MOST_BLOCKS = 256;
/** A transaction that lost its block is usually in a later one within seconds. */
const WAIT_MS = 5 * MINUTE_MS;

interface FollowerOptions {
  readonly reader: BlockReader;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly wantedFrom: EpochMs | null;
  /** A block that follows the last one, with the fills that were not passed on before. */
  onBlock(at: EpochMs, fills: readonly BlockFill[]): Promise<void>;
  /** Fills that were passed on, whose block was replaced 5 minutes ago and that no later block contained. */
  onReorged(fills: readonly BlockFill[]): Promise<void>;
  /** A fill that was not passed on yet, and whose block was replaced. */
  onDropped(fill: BlockFill): void;
}

/**
 * Passes on blocks in order, each once, up to the heads it is given. Blocks that a reorganisation replaced are read again
 * on the new branch. A fill that is in the new branch too is the same fill and keeps its first second.
 */
export class ChainFollower {
  readonly #options: FollowerOptions;
  /** Sorted by number. Blocks without a fill that were read in ranges are left out. */
  #recent: readonly Block<BlockFill>[] = [];
  /** Fills that were passed on and lost their block, and how long, in the chain's time, they may come again. */
  readonly #reorged = new Map<string, { readonly fill: BlockFill; readonly until: EpochMs }>();
  /** First block to read while none is kept; null before the first head. */
  #first: number | null = null;
  #completeUntil: EpochMs | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  get tipAt(): EpochMs | null {
    return this.#recent.at(-1)?.at ?? null;
  }

  get completeUntil(): EpochMs | null {
    return this.#completeUntil;
  }

  /** Rejects with an `RpcFault` when the node fails; the next call resumes there. */
  async follow(head: ChainHeader, signal: AbortSignal): Promise<void> {
    this.#first ??= await this.#start(head, signal);
    // A node that lags behind shows old heads.
    if (head.number < (this.#recent[0]?.number ?? 0)) return;
    if (this.#hashOf(head.number) === head.hash) return;
    await this.#catchUp(head, signal);
    for (const header of await this.#branchTo(head, signal))
      await this.#take(await this.#options.reader.block(header, signal));
  }

  async #start(head: ChainHeader, signal: AbortSignal): Promise<number> {
    const { reader, wantedFrom } = this.#options;
    const id = await reader.chainId(signal);
    if (id !== POLYGON) throw new RpcFault(`the node is on chain ${id}, not on Polygon (${POLYGON})`);
    const time = wantedFrom ?? head.at;
    const first = time >= head.at ? head.number : await firstBlockFrom(reader, { time, head }, signal);
    this.#completeUntil = Math.min(time, head.at);
    return first;
  }

  async #catchUp(head: ChainHeader, signal: AbortSignal): Promise<void> {
    const until = head.number - NEAR_BLOCKS;
    if (this.#next() > until) return;
    await this.#dropReplaced(signal);
    while (this.#next() <= until) {
      try {
        const blocks = this.#options.reader.range(this.#next(), until, signal);
        for await (const block of blocks) await this.#take(block);
      } catch (error) {
        if (!(error instanceof RpcFault) || error.kind !== 'pruned') throw error;
        await this.#skipTo(until + 1, signal);
      }
    }
  }

  #next(): number {
    return (this.#recent.at(-1)?.number ?? (this.#first as number) - 1) + 1;
  }

  #hashOf(number: number): string | null {
    return this.#recent.findLast((block) => block.number === number)?.hash ?? null;
  }

  /** After a pause the last blocks may be on a branch that was abandoned. */
  async #dropReplaced(signal: AbortSignal): Promise<void> {
    for (let tip = this.#recent.at(-1); tip !== undefined; tip = this.#recent.at(-1)) {
      if ((await this.#options.reader.headerByNumber(tip.number, signal)).hash === tip.hash) return;
      this.#first = tip.number;
      this.#drop(tip.number);
    }
  }

  async #skipTo(first: number, signal: AbortSignal): Promise<void> {
    const { at } = await this.#options.reader.headerByNumber(first, signal);
    this.#options.logger.warn(
      { missingFrom: this.#completeUntil, completeFrom: at },
      'node history pruned; older trades are left to polling',
    );
    this.#recent = [];
    this.#first = first;
    this.#completeUntil = at;
  }

  /** The headers from the first unknown block up to the head. */
  async #branchTo(head: ChainHeader, signal: AbortSignal): Promise<readonly ChainHeader[]> {
    const lowest = this.#recent[0]?.number ?? (this.#first as number);
    const branch = [head];
    let first = head;
    while (first.number > lowest && this.#hashOf(first.number - 1) !== first.parentHash) {
      const parent = await this.#options.reader.headerByHash(first.parentHash, signal);
      if (parent.number !== first.number - 1) throw new RpcFault('parent block with a wrong number');
      first = parent;
      branch.push(first);
    }
    return branch.reverse();
  }

  /** Passes on the fills of a block, except those that were passed on with a block that it replaces. */
  async #take({ number, hash, at, fills }: ReadBlock): Promise<void> {
    this.#drop(number);
    const kept = fills.map((fill) => this.#takeBack(fill.key) ?? { fill, at, row: null });
    this.#recent = [...this.#recent, { number, hash, at, fills: kept }].slice(-MOST_BLOCKS);
    const fresh = kept.filter(({ row }) => row === null);
    await this.#options.onBlock(at, fresh);
    this.#completeUntil = Math.max(this.#completeUntil ?? at, at);
    const gone = [...this.#reorged.values()].filter(({ until }) => until <= at).map(({ fill }) => fill);
    for (const { fill } of gone) this.#reorged.delete(fill.key);
    if (gone.length > 0) await this.#options.onReorged(gone);
  }

  #takeBack(key: string): BlockFill | null {
    const found = this.#reorged.get(key);
    this.#reorged.delete(key);
    return found?.fill ?? null;
  }

  #drop(from: number): void {
    const blocks = this.#recent.filter(({ number }) => number >= from);
    if (blocks.length === 0) return;
    this.#recent = this.#recent.filter(({ number }) => number < from);
    this.#options.logger.info({ blocks: blocks.length, from }, 'chain reorganisation replaced blocks');
    for (const { at, fills } of blocks)
      for (const fill of fills)
        if (fill.row === null) this.#options.onDropped(fill);
        else this.#reorged.set(fill.fill.key, { fill, until: at + WAIT_MS });
  }
}
