import type { Criteria } from '../../../core/alerts/passes-filter.ts';
import { canonicalJson } from '../../../core/base/text/canonical-json.ts';
import type { AlertColumns, BlockPart } from './alert-columns.ts';
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
  /** By the number of the block: its version when it was counted, 0 before, and its matches. */
  #versions = new Uint32Array(0);
  #counts = new Uint32Array(0);

  constructor(columns: AlertColumns, matcher: Matcher) {
    this.#columns = columns;
    this.matcher = matcher;
  }

  /** The number of matches in a range, and the ids of a page of them, newest first. */
  async find(range: IdRange, asked: PageWindow, slices: TimeSlices): Promise<FoundPage> {
    const { onlyIds } = this.matcher;
    if (onlyIds !== null) return this.#findAmong(onlyIds, range, asked);
    const { newest, oldest } = this.#columns.blocksOf(range);
    for (let number = newest; number >= oldest; number--) {
      const version = this.#columns.versionOf(number, range);
      if (version === null || this.#versions[number] === version) continue;
      this.#countOf(number, range);
      await slices.pause();
    }
    // From here on without a pause: the total and the page agree.
    let total = 0;
    for (let number = newest; number >= oldest; number--) total += this.#countOf(number, range);
    const { skip, limit } = fromNewest(asked, total);
    const ids: number[] = [];
    let before = 0;
    for (let number = newest; number >= oldest && ids.length < limit; number--) {
      const count = this.#countOf(number, range);
      const within = { skip: Math.max(0, skip - before), limit };
      if (before + count > skip) this.#collect(this.#columns.part(number, range), within, ids);
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

  /** The matches of a block within a range. */
  #countOf(number: number, range: IdRange): number {
    const version = this.#columns.versionOf(number, range);
    if (version !== null && this.#versions[number] === version) return this.#counts[number] as number;
    const count = this.matcher.count(this.#columns.part(number, range));
    if (version === null) return count;
    if (number >= this.#versions.length) {
      this.#versions = grown(this.#versions, number);
      this.#counts = grown(this.#counts, number);
    }
    this.#versions[number] = version;
    this.#counts[number] = count;
    return count;
  }
}

function grown(values: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.ceil(1.2 * (index + 1)));
  larger.set(values);
  return larger;
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

/** Without a filter no count is needed: ids have no gaps. */
export function denseRange({ after, upto }: IdRange, asked: PageWindow) {
  const total = Math.max(0, upto - after);
  const { skip, limit } = fromNewest(asked, total);
  const length = Math.max(0, Math.min(limit, total - skip));
  return { ids: Array.from({ length }, (_, index) => upto - skip - index), total };
}

/** The same for equal filters; null for one that every alert matches. */
export function nameOf(criteria: Criteria): string | null {
  const set = Object.entries(criteria).filter(([, value]) => value !== undefined);
  if (set.length === 0) return null;
  return canonicalJson(
    Object.fromEntries(set.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])),
  );
}
