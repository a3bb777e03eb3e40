import { fillKey } from '../../../core/detection/fill-hash.ts';
import type { ListedFill } from './equal-fills.ts';
import type { TradePollOptions } from './trade-poll-options.ts';
import { oldestFirst } from './trade-walk.ts';

/** Enqueues the fills that are still unknown, each once, oldest first. */
export async function enqueueFills(
  fills: readonly ListedFill[],
  { knows, enqueue }: Pick<TradePollOptions, 'knows' | 'enqueue'>,
): Promise<void> {
  const seen = new Set<string>();
  const isFirst = ({ trade }: ListedFill) => {
    const { size } = seen;
    return seen.add(fillKey(trade)).size > size;
  };
  const rows = oldestFirst(fills.filter((fill) => !knows(fill.trade) && isFirst(fill)));
  if (rows.length > 0) await enqueue(rows.map(({ live }) => live));
}
