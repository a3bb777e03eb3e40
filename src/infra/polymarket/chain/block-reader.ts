import { z } from 'zod';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import type { DropReason } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { type ChainHeader, headerSchema, type ReadBlock } from './chain-block.ts';
import type { ChainNode } from './chain-node.ts';
import {
  type ChainFill,
  type ChainLog,
  EXCHANGES,
  fillsOf,
  logSchema,
  ORDER_FILLED,
} from './order-filled.ts';
import { RpcFault } from './rpc-fault.ts';

const FILTER = { address: EXCHANGES, topics: [ORDER_FILLED] };
const RETRY_MS = SECOND_MS / 2;
const BLOCKS_AT_ONCE_MAX = 100;
/** A range is widened after so many successes, so that a node with a low limit refuses at most each sixth call. */
const SUCCESSES_UNTIL_WIDER = 5;
const logsSchema = z.array(logSchema);

type CalledNode = Pick<ChainNode, 'call'>;

/** Reads whole blocks of the chain. Every method rejects with an `RpcFault`. */
export class BlockReader {
  readonly #node: CalledNode;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #onDrop: (reason: DropReason) => void;
  #blocksAtOnce = BLOCKS_AT_ONCE_MAX;
  /** Ranges read since the last failure, or since the width changed. */
  #successes = 0;

  constructor(node: CalledNode, clock: Pick<Clock, 'sleep'>, onDrop: (reason: DropReason) => void) {
    this.#node = node;
    this.#clock = clock;
    this.#onDrop = onDrop;
  }

  async chainId(signal: AbortSignal): Promise<number> {
    return Number(await this.#node.call('eth_chainId', [], signal));
  }

  async headerByHash(hash: string, signal: AbortSignal): Promise<ChainHeader> {
    return parsed(headerSchema, await this.#node.call('eth_getBlockByHash', [hash, false], signal));
  }

  async headerByNumber(number: number, signal: AbortSignal): Promise<ChainHeader> {
    const block = await this.#node.call('eth_getBlockByNumber', [hex(number), false], signal);
    return parsed(headerSchema, block);
  }

  /**
   * Asks by the block's hash, so that a node without the block reports it. Some nodes report it with an empty list, so an
   * empty list is believed only the second time.
   */
  async fillsOf({ hash }: ChainHeader, signal: AbortSignal): Promise<readonly ChainFill[]> {
    const logs = await this.#logs({ blockHash: hash }, signal);
    if (logs.length > 0) return this.#fillsIn(logs);
    await this.#clock.sleep(RETRY_MS, signal);
    return this.#fillsIn(await this.#logs({ blockHash: hash }, signal));
  }

  /** Whether the node still has the logs of a block. */
  async hasLogsOf(number: number, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#logs({ fromBlock: hex(number), toBlock: hex(number) }, signal);
      return true;
    } catch (error) {
      if (error instanceof RpcFault && error.kind === 'pruned') return false;
      throw error;
    }
  }

  /**
   * The blocks from `from` to `until` (both included) that contain a fill, and the last block of each call; by number.
   * Nodes allow from 5 to 10,000 blocks a call, and each words its refusal differently: whatever fails is asked for again in
   * half the blocks. Rejects with the fault of a single block.
   */
  async *range(from: number, until: number, signal: AbortSignal): AsyncGenerator<ReadBlock> {
    for (let next = from; next <= until; ) {
      const last = Math.min(next + this.#blocksAtOnce - 1, until);
      try {
        yield* await this.#blocks(next, last, signal);
      } catch (error) {
        if (!(error instanceof RpcFault) || last === next) throw error;
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
    if (!byBlock.has(to)) blocks.push({ ...last, fills: [] });
    return blocks;
  }

  async #timeOf(number: number, seconds: number | null | undefined, signal: AbortSignal): Promise<number> {
    return seconds ? seconds * 1_000 : (await this.headerByNumber(number, signal)).at;
  }

  #fillsIn(logs: readonly ChainLog[]): readonly ChainFill[] {
    return fillsOf(logs, this.#onDrop);
  }

  async #logs(span: object, signal: AbortSignal): Promise<readonly ChainLog[]> {
    return parsed(logsSchema, await this.#node.call('eth_getLogs', [{ ...FILTER, ...span }], signal));
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

/** Blocks that a node may prune between two calls. */
const MARGIN = 64;

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
  const lowest = Math.max(head.number - span, 0);
  return firstWhere(lowest, head.number, async (number) => !(await isBefore(number)));
}

/** The first block from `from` to `until` whose logs the node still has, plus a margin; `until` + 1 if there is none. */
export async function firstServedBlock(
  reader: BlockReader,
  { from, until }: { readonly from: number; readonly until: number },
  signal: AbortSignal,
): Promise<number> {
  const first = await firstWhere(from, until + 1, (number) => reader.hasLogsOf(number, signal));
  return Math.min(first + MARGIN, until + 1);
}

/** Binary search: the first number from `low` below `high` for which the condition holds, otherwise `high`. */
async function firstWhere(
  low: number,
  high: number,
  holds: (number: number) => Promise<boolean>,
): Promise<number> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
