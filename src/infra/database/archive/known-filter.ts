import { type AlertColumns, type BlockPart, isWhole } from './alert-columns.ts';
import type { IdRange } from './archive-source.ts';
import type { Matcher } from './matcher.ts';
import type { TimeSlices } from './time-slices.ts';

interface FoundPage {
  readonly total: number;
  /** Newest first. */
  readonly ids: readonly number[];
}

/**
 * A filter and its counts: one per block, which is valid until the block changes. A page is read from the blocks that hold it,
 * so that its cost does not depend on how far back it is.
 */
export class KnownFilter {
  readonly matcher: Matcher;
  readonly #columns: AlertColumns;
  /** By the number of the block: its version when it was counted, and its matches. */
  readonly #known = new Map<number, { readonly version: number; readonly count: number }>();

  constructor(columns: AlertColumns, matcher: Matcher) {
    this.#columns = columns;
    this.matcher = matcher;
  }

  /** The number of matches in a range, and the ids of a page of them, newest first. */
  async find(range: IdRange, asked: PageWindow, slices: TimeSlices): Promise<FoundPage> {
    const { onlyIds } = this.matcher;
    if (onlyIds !== null) return this.#findAmong(onlyIds, range, asked);
    for (const part of this.#columns.parts(range)) {
      if (this.#knownCount(part) !== null || !isWhole(part)) continue;
      this.#countOf(part);
      await slices.pause();
    }
    // From here on without a pause: the total and the page agree.
    const counted = Array.from(this.#columns.parts(range), (part) => ({ part, count: this.#countOf(part) }));
    const total = counted.reduce((sum, { count }) => sum + count, 0);
    const { skip, limit } = fromNewest(asked, total);
    const ids: number[] = [];
    let before = 0;
    for (const { part, count } of counted) {
      if (ids.length >= limit) break;
      if (before + count > skip) this.#collect(part, { skip: Math.max(0, skip - before), limit }, ids);
      before += count;
    }
    return { total, ids };
  }

  #findAmong(ids: Iterable<number>, { after, upto }: IdRange, asked: PageWindow): FoundPage {
    const inRange = [...ids].filter((id) => id > after && id <= upto);
    const found = inRange.filter((id) => this.matcher.count(this.#columns.partOf(id)) === 1);
    const { skip, limit } = fromNewest(asked, found.length);
    return { total: found.length, ids: found.toReversed().slice(skip, skip + limit) };
  }

  #collect(part: BlockPart, { skip, limit }: Omit<PageWindow, 'isOldestFirst'>, ids: number[]): void {
    let left = skip;
    this.matcher.forEach(part, (_block, _index, id) => {
      if (left > 0) left -= 1;
      else if (ids.length < limit) ids.push(id);
    });
  }

  #countOf(part: BlockPart): number {
    const known = this.#knownCount(part);
    if (known !== null) return known;
    const count = this.matcher.count(part);
    if (isWhole(part)) this.#known.set(part.number, { version: part.block.version, count });
    return count;
  }

  #knownCount(part: BlockPart): number | null {
    const known = this.#known.get(part.number);
    return known?.version === part.block.version && isWhole(part) ? known.count : null;
  }
}

/** A page of the matches, in the order in which they are asked for. */
export interface PageWindow {
  readonly skip: number;
  readonly limit: number;
  /** Newest first unless set. */
  readonly isOldestFirst?: boolean;
}

/** The same part of `total` matches, counted from the newest one. */
export function fromNewest(
  { skip, limit, isOldestFirst = false }: PageWindow,
  total: number,
): Omit<PageWindow, 'isOldestFirst'> {
  if (!isOldestFirst) return { skip, limit };
  const end = Math.max(0, total - skip);
  const start = Math.max(0, end - limit);
  return { skip: start, limit: end - start };
}
