import { fillKey } from '../../../core/detection/fill-hash.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { Trade } from '../../../core/trade.ts';
import type { ListedFill } from './equal-fills.ts';
import type { PageCursor } from './trade-listing.ts';
import type { TradePage } from './trade-pages.ts';
import { oldestFirst, type WalkedPage } from './trade-walk.ts';

export interface EnqueueFillsDeps {
  knows(fill: Trade): boolean;
  enqueue(rows: readonly LiveRow[]): Promise<void>;
}

/** Offers those that are not known by now, oldest first. */
export async function enqueueFills(
  { knows, enqueue }: EnqueueFillsDeps,
  fills: readonly ListedFill[],
): Promise<void> {
  const fresh = oldestFirst(onceEach(fills.filter(({ trade }) => !knows(trade))));
  if (fresh.length === 0) return;
  await enqueue(fresh.map(({ live }) => live));
}

/** Offers what a walk found, oldest first; pages that were not kept are read again in their turn. */
export async function enqueueWalked(
  deps: EnqueueFillsDeps & {
    read(cursor: PageCursor): Promise<TradePage>;
    isNew(trade: Trade): boolean;
    onPage(page: { enqueued: number; of: number }): void;
  },
  pages: readonly WalkedPage[],
): Promise<void> {
  const dropped = pages.filter(({ fills }) => fills === null).toReversed();
  for (const [index, { cursor }] of dropped.entries()) {
    const { fills } = await deps.read(cursor);
    await enqueueFills(
      deps,
      fills.filter(({ trade }) => deps.isNew(trade)),
    );
    deps.onPage({ enqueued: index + 1, of: dropped.length });
  }
  await enqueueFills(
    deps,
    pages.flatMap(({ fills }) => fills ?? []),
  );
}

function onceEach(fills: readonly ListedFill[]): ListedFill[] {
  const seen = new Set<string>();
  return fills.filter(({ trade }) => {
    const key = fillKey(trade);
    return !seen.has(key) && seen.add(key);
  });
}
