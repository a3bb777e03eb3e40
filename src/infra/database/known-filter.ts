import { type AlertColumns, type BlockPart, isWhole } from './alert-columns.ts';
import type { IdRange } from './archive-source.ts';
import type { Matcher } from './matcher.ts';
import type { TimeSlices } from './time-slices.ts';

interface Page {
  readonly skip: number;
  readonly limit: number;
}

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
  /** By the number of the block: its version when it was counted (0: never), and its matches. */
  readonly #versions: number[] = [];
  readonly #counts: number[] = [];

  constructor(columns: AlertColumns, matcher: Matcher) {
    this.#columns = columns;
    this.matcher = matcher;
  }

  /** The number of matches in a range, and the ids of a page of them, newest first. */
  async find(range: IdRange, { skip, limit }: Page, slices: TimeSlices): Promise<FoundPage> {
    const { onlyIds } = this.matcher;
    if (onlyIds !== null) return this.#findAmong(onlyIds, range, { skip, limit });
    for (const part of this.#columns.parts(range)) {
      if (this.#isKnown(part) || !isWhole(part)) continue;
      this.#countOf(part);
      await slices.pause();
    }
    // From here on without a pause: the total and the page agree.
    let total = 0;
    const ids: number[] = [];
    for (const part of this.#columns.parts(range)) {
      const count = this.#countOf(part);
      const isNeeded = total + count > skip && ids.length < limit;
      if (isNeeded) this.#collect(part, { skip: Math.max(0, skip - total), limit }, ids);
      total += count;
    }
    return { total, ids };
  }

  #findAmong(ids: Iterable<number>, { after, upto }: IdRange, { skip, limit }: Page): FoundPage {
    const inRange = [...ids].filter((id) => id > after && id <= upto);
    const found = inRange.filter((id) => this.matcher.count(this.#columns.partOf(id)) === 1);
    return { total: found.length, ids: found.toReversed().slice(skip, skip + limit) };
  }

  #collect(part: BlockPart, { skip, limit }: Page, ids: number[]): void {
    let left = skip;
    this.matcher.forEach(part, (_block, _index, id) => {
      if (left > 0) left -= 1;
      else if (ids.length < limit) ids.push(id);
    });
  }

  #countOf(part: BlockPart): number {
    const { block, number } = part;
    if (this.#isKnown(part)) return this.#counts[number] ?? 0;
    const count = this.matcher.count(part);
    if (isWhole(part)) {
      while (this.#versions.length <= number) this.#versions.push(0);
      this.#versions[number] = block.version;
      this.#counts[number] = count;
    }
    return count;
  }

  #isKnown(part: BlockPart): boolean {
    return this.#versions[part.number] === part.block.version && isWhole(part);
  }
}
