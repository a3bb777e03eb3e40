import { LRUCache } from 'lru-cache';
import type { Awaitable, IdRange } from './archive-queries.ts';
import {
  type Counted,
  type CountedSizes,
  countOn,
  countUpTo,
  idsAt,
  type Matches,
  nothingCounted,
} from './counted-matches.ts';

const FILTERS_MAX = 500;
const NEWEST_MAX = 5000;
const BLOCK_SIZE = 5000;
/** Another process may resolve a market, so a count that depends on resolutions expires after this time. */
const RESOLVED_TTL_MS = 5000;

/** The matches of a filter within a range, as far as they are counted. */
interface Known {
  readonly total: number;
  /** The ids of a page, newest first. `skip` and `limit` may reach beyond the last match. */
  ids(page: { skip: number; limit: number }): Awaitable<number[]>;
}

type Counts = LRUCache<string, Promise<Counted>>;

/**
 * Counts the matches of a filter once, and afterwards only those of the alerts added since: alerts are append-only.
 * A filter is known by its text together with where its range begins. Of each of the 500 filters that were used last
 * (and as many that depend on resolutions) at most 40 KB of ids are kept, and 1.6 KB of counts per million alerts.
 */
export class FilterTotals {
  readonly #sizes: CountedSizes;
  readonly #lasting: Counts = new LRUCache({ max: FILTERS_MAX });
  readonly #passing: Counts;

  /** Defaults: 5,000 ids of a filter are kept, and a count for each 5,000 alerts; the process's own time. */
  constructor({
    newestMax = NEWEST_MAX,
    blockSize = BLOCK_SIZE,
    clock = performance,
  }: Partial<CountedSizes> & { readonly clock?: { now(): number } } = {}) {
    this.#sizes = { newestMax, blockSize };
    this.#passing = new LRUCache({
      max: FILTERS_MAX,
      ttl: RESOLVED_TTL_MS,
      ttlResolution: 0,
      noUpdateTTL: true,
      perf: clock,
    });
  }

  async known(
    filter: string,
    { dependsOnResolution }: { dependsOnResolution: boolean },
    range: IdRange,
    matches: Matches,
  ): Promise<Known> {
    const { blockSize } = this.#sizes;
    const cache = dependsOnResolution ? this.#passing : this.#lasting;
    // A time window that advances with every request shares its entry with the previous ones.
    const start = range.after - (range.after % blockSize);
    const key = `${start} ${filter}`;
    const before = cache.get(key) ?? Promise.resolve(nothingCounted(start));
    const entry = before.then((from) =>
      from.upto < range.upto ? countOn(from, range.upto, matches, this.#sizes) : from,
    );
    cache.set(key, entry);
    entry.catch(() => {
      if (cache.peek(key) === entry) cache.delete(key);
    });
    return knownWithin(await entry, range, matches, blockSize);
  }

  /** Must be called after a resolution was written. */
  forgetResolved(): void {
    this.#passing.clear();
  }
}

/** What was counted may reach further at both ends: a delayed reader shares it with one that sees everything. */
async function knownWithin(
  counted: Counted,
  { after, upto }: IdRange,
  matches: Matches,
  blockSize: number,
): Promise<Known> {
  const toEnd = await countUpTo(counted, upto, matches, blockSize);
  const total = Math.max(0, toEnd - (await countUpTo(counted, after, matches, blockSize)));
  const above = counted.total - toEnd;
  return {
    total,
    ids({ skip, limit }) {
      const length = Math.max(0, Math.min(limit, total - skip));
      return idsAt(counted, { skip: above + skip, limit: length }, matches, blockSize);
    },
  };
}
