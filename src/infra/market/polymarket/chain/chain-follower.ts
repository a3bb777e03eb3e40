import type { Logger } from '../../../../core/base/logger.ts';
import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { type BlockReader, firstBlockFrom } from './block-reader.ts';
import {
  type BlockFill,
  type ChainHeader,
  type ReadBlock,
  RecentBlocks,
  ReorgedFills,
} from './chain-block.ts';
import { RpcFault } from './chain-node.ts';

const POLYGON = 137;
/** The last blocks are read one by one along the parents of the head, older ones in ranges by number. */
const NEAR_BLOCKS = 32;

/**
 * Blocks that were passed on, without a gap. `isProven`: false when the last one has no fill, although its header allows some.
 * In ranges only the last block of each call is checked.
 */
export interface PassedSpan {
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly isProven: boolean;
}

export interface FollowedChain {
  /** A block that follows the last one, with the fills that were not passed on before. */
  onBlock(at: EpochMs, fills: readonly BlockFill[]): Promise<void>;
  /** Fills that were passed on, whose block was replaced 5 minutes ago and that no later block contained. */
  onReorged(fills: readonly BlockFill[]): Promise<void>;
  /** A fill that was not passed on yet, and whose block was replaced. */
  onDropped(fill: BlockFill): void;
  onComplete(span: PassedSpan): void;
}

/**
 * Passes on blocks in order, each once, up to the heads it is given. Blocks that a reorganisation replaced are read again
 * on the new branch. A fill that is in the new branch too is the same fill and keeps its first second.
 */
export class ChainFollower {
  readonly #reader: BlockReader;
  readonly #chain: FollowedChain;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #wantedFrom: EpochMs | null;
  readonly #recent = new RecentBlocks();
  readonly #reorged = new ReorgedFills();
  /** First block to read while none is kept; null before the first head. */
  #first: number | null = null;
  #completeUntil: EpochMs | null = null;

  constructor(
    reader: BlockReader,
    chain: FollowedChain,
    { wantedFrom, logger }: { wantedFrom: EpochMs | null; logger: Pick<Logger, 'info' | 'warn'> },
  ) {
    this.#reader = reader;
    this.#chain = chain;
    this.#wantedFrom = wantedFrom;
    this.#logger = logger;
  }

  /** Time of the last block that was passed on. */
  get tipAt(): EpochMs | null {
    return this.#recent.tip?.at ?? null;
  }

  get completeUntil(): EpochMs | null {
    return this.#completeUntil;
  }

  /** Rejects with an `RpcFault` when the node fails; the next call resumes there. */
  async follow(head: ChainHeader, signal: AbortSignal): Promise<void> {
    this.#first ??= await this.#start(head, signal);
    // A node that lags behind shows old heads.
    if (head.number < (this.#recent.oldest?.number ?? 0)) return;
    if (this.#recent.hashOf(head.number) === head.hash) return;
    await this.#catchUp(head, signal);
    for (const header of await this.#branchTo(head, signal))
      await this.#take(await this.#reader.block(header, signal));
  }

  async #start(head: ChainHeader, signal: AbortSignal): Promise<number> {
    const id = await this.#reader.chainId(signal);
    if (id !== POLYGON) throw new RpcFault(`the node is on chain ${id}, not on Polygon (${POLYGON})`);
    const time = this.#wantedFrom ?? head.at;
    const first = time >= head.at ? head.number : await firstBlockFrom(this.#reader, { time, head }, signal);
    this.#completeUntil = Math.min(time, head.at);
    return first;
  }

  /** Reads blocks far behind the head in ranges. */
  async #catchUp(head: ChainHeader, signal: AbortSignal): Promise<void> {
    const until = head.number - NEAR_BLOCKS;
    if (this.#next() > until) return;
    await this.#dropReplaced(signal);
    while (this.#next() <= until) {
      try {
        for await (const block of this.#reader.range(this.#next(), until, signal)) await this.#take(block);
      } catch (error) {
        if (!(error instanceof RpcFault) || error.kind !== 'pruned') throw error;
        await this.#skipTo(until + 1, signal);
      }
    }
  }

  #next(): number {
    return (this.#recent.tip?.number ?? (this.#first as number) - 1) + 1;
  }

  /** After a pause the last blocks may be on a branch that was abandoned. */
  async #dropReplaced(signal: AbortSignal): Promise<void> {
    for (let { tip } = this.#recent; tip !== null; { tip } = this.#recent) {
      if ((await this.#reader.headerByNumber(tip.number, signal)).hash === tip.hash) return;
      this.#first = tip.number;
      this.#drop(tip.number);
    }
  }

  async #skipTo(first: number, signal: AbortSignal): Promise<void> {
    const { at } = await this.#reader.headerByNumber(first, signal);
    this.#logger.warn(
      { missingFrom: this.#completeUntil, completeFrom: at },
      'node history pruned; older trades are left to polling',
    );
    this.#recent.clear();
    this.#first = first;
    this.#completeUntil = at;
  }

  /** The headers from the first unknown block up to the head. */
  async #branchTo(head: ChainHeader, signal: AbortSignal): Promise<readonly ChainHeader[]> {
    const lowest = this.#recent.oldest?.number ?? (this.#first as number);
    const branch = [head];
    let first = head;
    while (first.number > lowest && this.#recent.hashOf(first.number - 1) !== first.parentHash) {
      const parent = await this.#reader.headerByHash(first.parentHash, signal);
      if (parent.number !== first.number - 1) throw new RpcFault('parent block with a wrong number');
      first = parent;
      branch.push(first);
    }
    return branch.reverse();
  }

  /** Passes on the fills of a block, except those that were passed on with a block that it replaces. */
  async #take({ number, hash, at, fills, isProven }: ReadBlock): Promise<void> {
    this.#drop(number);
    const kept = fills.map((fill) => this.#reorged.takeBack(fill.key) ?? { fill, at, row: null });
    this.#recent.push({ number, hash, at, fills: kept });
    await this.#chain.onBlock(
      at,
      kept.filter(({ row }) => row === null),
    );
    const from = this.#completeUntil as EpochMs;
    if (at > from || !isProven) {
      this.#completeUntil = Math.max(from, at);
      this.#chain.onComplete({ from, until: this.#completeUntil, isProven });
    }
    const gone = this.#reorged.takeDue(at);
    if (gone.length > 0) await this.#chain.onReorged(gone);
  }

  #drop(from: number): void {
    const blocks = this.#recent.dropFrom(from);
    if (blocks.length === 0) return;
    this.#logger.info({ blocks: blocks.length, from }, 'chain reorganisation replaced blocks');
    for (const { at, fills } of blocks)
      for (const fill of fills)
        if (fill.row === null) this.#chain.onDropped(fill);
        else this.#reorged.add(fill, at);
  }
}
