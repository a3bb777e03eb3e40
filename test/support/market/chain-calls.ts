import type { Clock } from '../../../src/core/base/time/clock.ts';
import { type Block, type ChainBlocks, createChainBlocks } from './chain-blocks.ts';
import { bloomOf, createChainLogs, hex, type StandInLog } from './chain-logs.ts';
import type { MarketView } from './market-view.ts';

/** What a public node of Polygon answers to ranges that are wider. */
const WIDEST_RANGE = 10_000;

/** How a node answers; each can be changed while it runs. */
export interface NodeManners {
  /** It answers calls as if it knew only the blocks up to so many before the head, though it shows heads. */
  lagBlocks: number;
  /** Logs of earlier blocks are gone. */
  prunedBefore: number;
  omits: (index: number) => boolean;
  chainId: number;
}

const usualManners = (): NodeManners => ({
  lagBlocks: 0,
  prunedBefore: 0,
  omits: () => false,
  chainId: 137,
});

export class CallError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface CallDeps {
  readonly chain: ChainBlocks;
  readonly manners: NodeManners;
  logsOf(block: Block): readonly StandInLog[];
}

/** The chain that a tape's trades make, and a node of it in memory. */
export function createChain(view: MarketView, clock: Pick<Clock, 'now'>) {
  const chain = createChainBlocks(view, clock);
  const manners = usualManners();
  const logsOf = createChainLogs(view);
  return { chain, manners, logsOf, call: createCalls({ chain, manners, logsOf }) };
}

/** Answers calls as bor and the public gateways do; texts of errors are theirs. */
function createCalls({ chain, manners, logsOf }: CallDeps) {
  function blockOf(params: readonly unknown[], known: number): Block | null {
    const [which] = params;
    if (typeof which !== 'string') throw new CallError(-32602, 'missing value for required argument 0');
    const number = which === 'latest' ? known : Number(which);
    return number <= known ? (chain.blocks[number] ?? null) : null;
  }

  function blocksOf(filter: LogFilter, known: number): readonly Block[] {
    if (filter.blockHash !== undefined) {
      const block = chain.byHash(filter.blockHash);
      if (block === null || block.number > known) throw new CallError(-32000, 'unknown block');
      return [block];
    }
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
    if (from > to || to > known) throw new CallError(-32602, 'invalid block range');
    if (to - from + 1 > WIDEST_RANGE) throw new CallError(-32701, 'exceed maximum block range');
    return chain.blocks.slice(from, to + 1);
  }

  function logs([filter]: readonly [LogFilter], known: number): readonly StandInLog[] {
    const blocks = blocksOf(filter, known);
    if (blocks.some(({ number }) => number < manners.prunedBefore))
      throw new CallError(
        -32701,
        'History has been pruned for this block. To remove restrictions, order a dedicated full node',
      );
    const shown = (block: Block) =>
      logsOf(block).filter((_, place) => !manners.omits(block.trades[place] as number));
    return blocks.flatMap(shown).filter((log) => fits(log, filter));
  }

  return (method: string, params: readonly unknown[]): unknown => {
    const isLagging = manners.lagBlocks > 0;
    const known = chain.head.number - (isLagging ? manners.lagBlocks : 0);
    switch (method) {
      case 'eth_chainId':
        return hex(manners.chainId);
      case 'eth_getBlockByNumber': {
        const block = blockOf(params, known);
        return block && headerBody(block, logsOf(block));
      }
      case 'eth_getBlockByHash': {
        const block = chain.byHash(String(params[0]));
        return block === null || block.number > known ? null : headerBody(block, logsOf(block));
      }
      case 'eth_getLogs':
        return logs(params as readonly [LogFilter], known);
      default:
        throw new CallError(-32601, `the method ${method} does not exist/is not available`);
    }
  };
}

interface LogFilter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: readonly string[];
  readonly topics: readonly string[];
}

function fits(log: StandInLog, { address, topics }: LogFilter): boolean {
  return (
    (address?.includes(log.address) ?? true) && topics.every((topic, place) => topic === log.topics[place])
  );
}

export function headerBody({ number, hash, parentHash, time }: Block, logs: readonly StandInLog[]) {
  return { number: hex(number), hash, parentHash, timestamp: hex(time), logsBloom: bloomOf(logs) };
}
