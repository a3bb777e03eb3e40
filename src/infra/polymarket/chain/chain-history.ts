import type { EpochMs } from '../../../core/trade.ts';
import type { BlockReader } from './block-reader.ts';
import type { ChainHeader } from './chain-block.ts';
import { RpcFault } from './rpc-fault.ts';

/** What a node prunes while it is asked. */
const MARGIN = 64;

/** The number of the first block at this moment or after it, or of the first one that the node still has. */
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
  // About a block a second at most; doubled until it is enough.
  let span = Math.max(Math.ceil((head.at - time) / 1_000), 1);
  while (span < head.number && !(await isBefore(head.number - span))) span *= 2;
  return firstWhere(
    Math.max(head.number - span, 0),
    head.number,
    async (number) => !(await isBefore(number)),
  );
}

/** The first block from `from` up to `until` whose logs the node still has, with a margin; after `until` if none. */
export async function firstServedBlock(
  reader: BlockReader,
  { from, until }: { readonly from: number; readonly until: number },
  signal: AbortSignal,
): Promise<number> {
  const first = await firstWhere(from, until + 1, (number) => reader.hasLogsOf(number, signal));
  return Math.min(first + MARGIN, until + 1);
}

/** The first number from `low` below `high` for which it holds, as for all after it; else `high`. */
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
