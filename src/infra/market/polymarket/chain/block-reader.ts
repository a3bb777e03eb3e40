import { keccak256 } from 'viem/utils';
import { z } from 'zod';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { DropReason } from '../../../../core/trades/source/source.ts';
import { type ChainHeader, headerSchema, type ReadBlock } from './chain-block.ts';
import { type ChainNode, RpcFault } from './chain-node.ts';
import {
  type ChainFill,
  type ChainLog,
  fillsOf,
  type LogVolume,
  logSchema,
  ORDER_FILLED,
  volumeIn,
} from './order-filled.ts';

const RETRY_MS = SECOND_MS / 2;
const BLOCKS_AT_ONCE_MAX = 100;
/** A range is widened after so many successes, so that a node with a low limit refuses at most each sixth call. */
const SUCCESSES_UNTIL_WIDER = 5;
const logsSchema = z.array(logSchema);

interface ReaderOptions {
  readonly node: Pick<ChainNode, 'call'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly exchanges: readonly string[];
  readonly onDrop: (reason: DropReason) => void;
}

export class BlockReader {
  readonly #options: ReaderOptions;
  #blocksAtOnce = BLOCKS_AT_ONCE_MAX;
  #successes = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  async chainId(signal: AbortSignal): Promise<number> {
    return Number(await this.#call('eth_chainId', [], signal));
  }

  async headerByHash(hash: string, signal: AbortSignal): Promise<ChainHeader> {
    return parsed(headerSchema, await this.#call('eth_getBlockByHash', [hash, false], signal));
  }

  async headerByNumber(number: number, signal: AbortSignal): Promise<ChainHeader> {
    const block = await this.#call('eth_getBlockByNumber', [hex(number), false], signal);
    return parsed(headerSchema, block);
  }

  /**
   * Asks by the block's hash, so that a node without the block reports it. Some nodes report it with an empty list, which is
   * believed when the bloom of the header allows no fill. Otherwise it is asked for again.
   */
  async block({ number, hash, at, logsBloom }: ChainHeader, signal: AbortSignal): Promise<ReadBlock> {
    const { clock, exchanges } = this.#options;
    let logs = await this.#logs({ blockHash: hash }, signal);
    if (logs.length === 0 && mayHaveFills(logsBloom, exchanges)) {
      await clock.sleep(RETRY_MS, signal);
      logs = await this.#logs({ blockHash: hash }, signal);
    }
    return { number, hash, at, fills: this.#fillsIn(logs) };
  }

  /** Of the blocks from `from` to `to`. `isEverywhere`: of all contracts, which some nodes do not search. */
  async volume(
    {
      from,
      to,
      isEverywhere,
    }: { readonly from: number; readonly to: number; readonly isEverywhere: boolean },
    signal: AbortSignal,
  ): Promise<LogVolume> {
    const span = { fromBlock: hex(from), toBlock: hex(to) };
    const logs = await this.#logs({ ...span, ...(isEverywhere && { address: undefined }) }, signal);
    return volumeIn(logs, this.#options.exchanges);
  }

  /**
   * The blocks from `from` to `until` (both included) that contain a fill, and the last block of each call; by number.
   * Nodes allow from 5 to 10,000 blocks a call, and each words its refusal differently: whatever fails is asked for again in
   * half the blocks. Rejects with the fault of a single block, or when the node refuses requests.
   */
  async *range(from: number, until: number, signal: AbortSignal): AsyncGenerator<ReadBlock> {
    for (let next = from; next <= until; ) {
      const last = Math.min(next + this.#blocksAtOnce - 1, until);
      try {
        yield* await this.#blocks(next, last, signal);
      } catch (error) {
        if (!(error instanceof RpcFault) || error.kind === 'refused' || last === next) throw error;
        this.#setWidth(Math.ceil((last - next + 1) / 2));
        continue;
      }
      next = last + 1;
      this.#successes += 1;
      if (this.#successes >= SUCCESSES_UNTIL_WIDER) this.#setWidth(this.#blocksAtOnce * 2);
    }
  }

  #setWidth(blocks: number): void {
    this.#blocksAtOnce = Math.min(blocks, BLOCKS_AT_ONCE_MAX);
    this.#successes = 0;
  }

  async #blocks(from: number, to: number, signal: AbortSignal): Promise<readonly ReadBlock[]> {
    const logs = await this.#logs({ fromBlock: hex(from), toBlock: hex(to) }, signal);
    const last = await this.headerByNumber(to, signal);
    const blocks: ReadBlock[] = [];
    const byBlock = Map.groupBy(logs, ({ blockNumber }) => blockNumber);
    for (const [number, own] of [...byBlock].toSorted(([a], [b]) => a - b)) {
      const [{ blockHash, blockTimestamp }] = own as [ChainLog];
      const at = number === to ? last.at : await this.#timeOf(number, blockTimestamp, signal);
      if (number === to && blockHash !== last.hash)
        throw new RpcFault('answers from two branches of the chain');
      blocks.push({ number, hash: blockHash, at, fills: this.#fillsIn(own) });
    }
    if (byBlock.has(to)) return blocks;
    const { number, hash, at } = last;
    return [...blocks, { number, hash, at, fills: [] }];
  }

  async #timeOf(number: number, seconds: number | null | undefined, signal: AbortSignal): Promise<number> {
    return seconds ? seconds * 1_000 : (await this.headerByNumber(number, signal)).at;
  }

  #fillsIn(logs: readonly ChainLog[]): readonly ChainFill[] {
    return fillsOf(logs, this.#options.onDrop);
  }

  async #logs(span: object, signal: AbortSignal): Promise<readonly ChainLog[]> {
    const filter = { address: this.#options.exchanges, topics: [ORDER_FILLED], ...span };
    return parsed(logsSchema, await this.#call('eth_getLogs', [filter], signal));
  }

  #call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#options.node.call(method, params, signal);
  }
}

const hex = (number: number): string => `0x${number.toString(16)}`;

function parsed<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  // A node answers null for a block that it does not have.
  if (value === null || value === undefined) throw new RpcFault('block not found', 'missing');
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new RpcFault(`unexpected answer of the node: ${error.issues[0]?.path.join('.')}`);
  return data;
}

/** Number of the first block at or after this moment, or of the first one that the node still has. */
export async function firstBlockFrom(
  reader: BlockReader,
  { time, head }: { readonly time: EpochMs; readonly head: ChainHeader },
  signal: AbortSignal,
): Promise<number> {
  const isBefore = async (number: number): Promise<boolean> => {
    try {
      return (await reader.headerByNumber(number, signal)).at < time;
    } catch (error) {
      if (error instanceof RpcFault && (error.kind === 'pruned' || error.kind === 'missing')) return true;
      throw error;
    }
  };
  // There is at most about a block a second; the span is doubled until it is long enough.
  let span = Math.max(Math.ceil((head.at - time) / 1_000), 1);
  while (span < head.number && !(await isBefore(head.number - span))) span *= 2;
  let [first, end] = [Math.max(head.number - span, 0), head.number];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (await isBefore(middle)) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Whether the bloom of a block's header allows order fills of these exchanges. It may be wrong then; otherwise there is none. */
export function mayHaveFills(bloom: string, exchanges: readonly string[]): boolean {
  return isInBloom(bloom, ORDER_FILLED) && exchanges.some((address) => isInBloom(bloom, address));
}

/** Whether a bloom of 2,048 bits allows an address or a topic. A value sets three bits (Yellow Paper, section 4.3.1). */
export function isInBloom(bloom: string, value: string): boolean {
  const hash = keccak256(value as `0x${string}`, 'bytes');
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 0x7ff;
    const digit = Number.parseInt(bloom.at(-1 - Math.floor(bit / 4)) as string, 16);
    return (digit & (1 << (bit % 4))) !== 0;
  });
}
