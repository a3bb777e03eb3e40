import { fillKey } from '../../../core/detection/fill-hash.ts';
import type { LiveRow } from '../../../core/ports/source.ts';
import type { Trade } from '../../../core/trade.ts';
import type { ListedFill } from './equal-fills.ts';
import type { PageCursor } from './trade-listing.ts';
import type { TradePage } from './trade-pages.ts';
import { oldestFirst, type WalkedPage } from './trade-walk.ts';

export interface OfferDeps {
  knows(fill: Trade): boolean;
  offer(rows: readonly LiveRow[]): Promise<void>;
}

/** Offers those that are not known by now, oldest first. */
export async function offerFills({ knows, offer }: OfferDeps, fills: readonly ListedFill[]): Promise<void> {
  const fresh = oldestFirst(onceEach(fills.filter(({ trade }) => !knows(trade))));
  if (fresh.length === 0) return;
  await offer(fresh.map(({ live }) => live));
}

/** Offers what a walk found, oldest first; pages that were not kept are read again in their turn. */
export async function offerWalked(
  deps: OfferDeps & {
    read(cursor: PageCursor): Promise<TradePage>;
    isNew(trade: Trade): boolean;
    onPage(page: { offered: number; of: number }): void;
  },
  pages: readonly WalkedPage[],
): Promise<void> {
  const dropped = pages.filter(({ fills }) => fills === null).toReversed();
  for (const [index, { cursor }] of dropped.entries()) {
    const { fills } = await deps.read(cursor);
    await offerFills(
      deps,
      fills.filter(({ trade }) => deps.isNew(trade)),
    );
    deps.onPage({ offered: index + 1, of: dropped.length });
  }
  await offerFills(
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
