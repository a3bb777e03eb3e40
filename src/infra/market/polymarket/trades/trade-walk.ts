import type { EpochMs } from '../../../../core/base/time/duration.ts';
import { fillKey } from '../../../../core/detection/fill-hash.ts';
import type { Trade } from '../../../../core/trades/trade.ts';
import { PAGE_ROWS, TAIL_ROWS } from './page-size.ts';
import type { ListedFill } from './trade-line.ts';
import { NEWEST_PAGE, type PageCursor, type TradePage, type TradePollOptions } from './trade-pages.ts';

/** The newest pages of a walk, whose fills are kept; older ones are read again. About 50 MB. */
const KEPT_PAGES = 20;
/** So many pages in a row without an older row are the end of the list. */
const MOST_BARREN = 3;

interface WalkedPage {
  readonly cursor: PageCursor;
  /** The new fills in the order of the list; null when they were not kept and must be read again. */
  readonly fills: readonly ListedFill[] | null;
}

export interface Walked {
  readonly pages: readonly WalkedPage[];
  readonly floor: EpochMs;
  readonly newestAt: EpochMs | null;
  readonly oldestAt: EpochMs | null;
  readonly hasReachedFloor: boolean;
  readonly known: number;
  readonly asOf: EpochMs;
  /** Of the rows of a walk of one page; null of several. */
  readonly times: readonly EpochMs[] | null;
}

interface WalkOptions {
  read(cursor: PageCursor): Promise<TradePage>;
  /** The walk ends with a page whose last rows are mostly older than this and known. Called once, before `isNew`. */
  floor(newest: TradePage): EpochMs;
  isNew(trade: Trade): boolean;
  onPage(
    page: TradePage,
    walked: {
      readonly pages: number;
      readonly fills: readonly ListedFill[];
      readonly oldestAt: EpochMs | null;
    },
  ): void | Promise<void>;
  readonly keep?: number;
  /** When a first page that is not of the longest does not reach the floor, the walk begins anew with the longest. */
  readonly first: PageCursor;
}

export async function walkBack(options: WalkOptions): Promise<Walked> {
  const { read, isNew, onPage, keep = KEPT_PAGES, first } = options;
  let pages: WalkedPage[] = [];
  let [newest, oldest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [known, barren] = [0, 0];
  let asOf = Number.POSITIVE_INFINITY;
  let hasReachedFloor = false;
  let floor = Number.NaN;
  let times: readonly EpochMs[] = [];
  for (let cursor: PageCursor | null = first; cursor !== null && barren < MOST_BARREN; ) {
    const page = await read(cursor);
    if (Number.isNaN(floor)) floor = options.floor(page);
    const fills = page.fills.filter(({ trade }) => isNew(trade));
    const before = oldest;
    times = page.fills.map(({ trade }) => trade.at);
    for (const at of times) {
      newest = Math.max(newest, at);
      oldest = Math.min(oldest, at);
    }
    asOf = Math.min(asOf, page.asOf);
    known += page.fills.length - fills.length;
    pages.push({ cursor, fills: pages.length < keep ? fills : null });
    hasReachedFloor = isPast(page.fills, floor, isNew);
    await onPage(page, { pages: pages.length, fills, oldestAt: finite(oldest) });
    if (hasReachedFloor) break;
    if (cursor.limit < PAGE_ROWS && page.next !== null) {
      [pages, known, cursor] = [[], 0, NEWEST_PAGE];
      continue;
    }
    barren = oldest === before ? barren + 1 : 0;
    cursor = page.next;
  }
  return {
    pages,
    floor,
    hasReachedFloor,
    known,
    asOf,
    newestAt: finite(newest),
    oldestAt: finite(oldest),
    times: pages.length === 1 ? times : null,
  };
}

function finite(at: EpochMs): EpochMs | null {
  return Number.isFinite(at) ? at : null;
}

/** Whether the last rows are known, and at least half of them older than the floor: single rows may be out of order. */
function isPast(fills: readonly ListedFill[], floor: EpochMs, isNew: WalkOptions['isNew']): boolean {
  const tail = fills.slice(-TAIL_ROWS);
  const older = tail.filter(({ trade }) => trade.at < floor).length;
  return older > 0 && older * 2 >= tail.length && !tail.some(({ trade }) => isNew(trade));
}

/** Enqueues the fills that are still unknown, each once, oldest first; within a second in the reverse of the list. */
export async function enqueueFills(
  fills: readonly ListedFill[],
  { knows, enqueue }: Pick<TradePollOptions, 'knows' | 'enqueue'>,
): Promise<void> {
  const unknown = fills.filter(({ trade }) => !knows(trade));
  const byKey = new Map(unknown.toReversed().map((fill) => [fillKey(fill.trade), fill]));
  const rows = [...byKey.values()].sort((a, b) => a.trade.at - b.trade.at);
  if (rows.length > 0) await enqueue(rows.map(({ live }) => live));
}
