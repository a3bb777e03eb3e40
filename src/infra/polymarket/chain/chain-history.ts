import type { EpochMs } from '../../../core/trade.ts';
import type { BlockReader } from './block-reader.ts';
import type { ChainHeader } from './chain-block.ts';
import { RpcFault } from './rpc-fault.ts';

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
  return firstWhere(
    Math.max(head.number - span, 0),
    head.number,
    async (number) => !(await isBefore(number)),
  );
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
