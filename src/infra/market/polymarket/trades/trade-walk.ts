import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { fillHash, fillKey } from '../../../../core/detection/fill-hash.ts';
import { TimedHashSet } from '../../../../core/detection/timed-hash-set.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import type { ListedFill } from './trade-line.ts';
import { NEWEST_PAGE, type PageCursor, type TradePage } from './trade-pages.ts';
import type { TradePollOptions } from './trade-poll-options.ts';

/** The newest pages of a walk, whose fills are kept; older ones are read again. About 50 MB. */
const KEPT_PAGES = 20;
/** Fills that a walk remembers: five hours of a busy market, 24 MB. */
const REMEMBERED_FILLS = 2_000_000;
/** So many pages in a row without a new row are the end of the list. */
const MOST_BARREN = 3;

/** One page of a walk. */
export interface WalkedPage {
  readonly cursor: PageCursor;
  /** The new fills in the order of the list; null when they were not kept and must be read again. */
  readonly fills: readonly ListedFill[] | null;
}

/** How far back a walk came. */
export interface Walked {
  /** Newest first. */
  readonly pages: readonly WalkedPage[];
  readonly floor: EpochMs;
  readonly newestAt: EpochMs | null;
  readonly oldestAt: EpochMs | null;
  /** False when the list ended before the floor. */
  readonly hasReachedFloor: boolean;
  /** Number of listed fills that were not new. */
  readonly known: number;
  /** When the oldest of its answers was made. */
  readonly asOf: EpochMs;
}

interface WalkOptions {
  read(cursor: PageCursor): Promise<TradePage>;
  /** The walk ends with a page that is mostly older than this and has nothing new. Called once, before `isNew`. */
  floor(newest: TradePage): EpochMs;
  isNew(trade: Trade): boolean;
  /** Called after each page. `listed`: fills that this walk had not listed before; `fills`: those of them that are new. */
  onPage(page: {
    pages: number;
    listed: readonly ListedFill[];
    fills: readonly ListedFill[];
    oldestAt: EpochMs | null;
  }): void | Promise<void>;
  /** Number of pages whose fills are kept. */
  readonly keep?: number;
}

/** Walks from the newest page back. Each fill counts as new once. */
export async function walkBack(options: WalkOptions): Promise<Walked> {
  const { read, isNew, onPage, keep = KEPT_PAGES } = options;
  const listed = new TimedHashSet(REMEMBERED_FILLS);
  const pages: WalkedPage[] = [];
  const seen = {
    newestAt: null as EpochMs | null,
    oldestAt: null as EpochMs | null,
    known: 0,
    asOf: Number.POSITIVE_INFINITY,
  };
  let barren = 0;
  let hasReachedFloor = false;
  let floor = Number.NaN;
  for (let cursor: PageCursor | null = NEWEST_PAGE; cursor !== null && barren < MOST_BARREN; ) {
    const page = await read(cursor);
    if (pages.length === 0) floor = options.floor(page);
    // Fills of the newest pages are forgotten first: rows repeat within a few pages.
    const anew = page.fills.filter(({ trade }) => !listed.add(fillHash(trade), pages.length + 1, 1));
    const fills = anew.filter(({ trade }) => isNew(trade));
    for (const { trade } of anew) {
      seen.newestAt = Math.max(seen.newestAt ?? trade.at, trade.at);
      seen.oldestAt = Math.min(seen.oldestAt ?? trade.at, trade.at);
    }
    seen.asOf = Math.min(seen.asOf, page.asOf);
    seen.known += anew.length - fills.length;
    pages.push({ cursor, fills: pages.length < keep ? fills : null });
    await onPage({ pages: pages.length, listed: anew, fills, oldestAt: seen.oldestAt });
    hasReachedFloor = fills.length === 0 && isPast(page.fills, floor);
    if (hasReachedFloor) break;
    barren = anew.length === 0 ? barren + 1 : 0;
    cursor = page.next;
  }
  return { pages, floor, ...seen, hasReachedFloor };
}

/** The order of the market: within a second it is the reverse of the list. */
function oldestFirst(fills: readonly ListedFill[]): ListedFill[] {
  return fills.toReversed().sort((a, b) => a.trade.at - b.trade.at);
}

/** Whether at least half of the page is older than the floor: single rows may be out of order. */
function isPast(fills: readonly ListedFill[], floor: EpochMs): boolean {
  const older = fills.filter(({ trade }) => trade.at < floor).length;
  return older > 0 && older * 2 >= fills.length;
}

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
