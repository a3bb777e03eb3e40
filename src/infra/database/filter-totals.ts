import { LRUCache } from 'lru-cache';
import type { IdRange } from './archive-queries.ts';

const FILTERS_MAX = 500;
const NEWEST_MAX = 1000;
const BLOCK_SIZE = 5000;
/** Another process may resolve a market, so a count that depends on it is not believed for longer. */
const RESOLVED_TTL_MS = 5000;

/** How a filter's matches are found where they are not known yet. */
export interface Matches {
  count(range: IdRange): number | Promise<number>;
  /** Newest first. */
  ids(range: IdRange, limit: number): number[] | Promise<number[]>;
}

/** What is known of a filter's matches within a range. */
export interface Known {
  readonly total: number;
  /** The newest of them, newest first; all of them when there are no more than `total`. */
  readonly newest: readonly number[];
}

interface Entry extends Known {
  readonly after: number;
  readonly upto: number;
}

export interface FilterTotals {
  known(
    filter: string,
    options: { dependsOnResolution: boolean },
    range: IdRange,
    matches: Matches,
  ): Promise<Known>;
  /** To be called when a resolution was written. */
  forgetResolved(): void;
}

export interface FilterTotalsOptions {
  /** How many ids of a filter are kept; default 1,000. */
  readonly newestMax?: number;
  /** To how many ids the beginning of what is counted is rounded down; default 5,000. */
  readonly blockSize?: number;
  /** Milliseconds that pass; default the process's own. */
  readonly clock?: { now(): number };
}

/**
 * Counts the matches of a filter once, and afterwards only those of the alerts added since: alerts are append-only.
 * A filter is known by its text together with where its range begins.
 */
export function createFilterTotals(options: FilterTotalsOptions = {}): FilterTotals {
  const { newestMax = NEWEST_MAX, blockSize = BLOCK_SIZE, clock = performance } = options;
  const lasting = new LRUCache<string, Promise<Entry>>({ max: FILTERS_MAX });
  const passing = new LRUCache<string, Promise<Entry>>({
    max: FILTERS_MAX,
    ttl: RESOLVED_TTL_MS,
    ttlResolution: 0,
    noUpdateTTL: true,
    perf: clock,
  });
  return {
    async known(filter, { dependsOnResolution }, range, matches) {
      const cache = dependsOnResolution ? passing : lasting;
      // A window that moves on with every request shares its entry with the ones before it.
      const start = range.after - (range.after % blockSize);
      const key = `${start} ${filter}`;
      const before = cache.get(key) ?? Promise.resolve({ after: start, upto: start, total: 0, newest: [] });
      const entry = before.then((from) =>
        from.upto < range.upto ? grown(from, range.upto, matches, newestMax) : from,
      );
      cache.set(key, entry);
      try {
        return await within(await entry, range, matches);
      } catch (error) {
        if (cache.peek(key) === entry) cache.delete(key);
        throw error;
      }
    },
    forgetResolved: () => passing.clear(),
  };
}

async function grown(from: Entry, upto: number, matches: Matches, newestMax: number): Promise<Entry> {
  const range = { after: from.upto, upto };
  const added = await matches.ids(range, newestMax + 1);
  const count = added.length > newestMax ? await matches.count(range) : added.length;
  const newest = [...added, ...from.newest].slice(0, newestMax);
  return { after: from.after, upto, total: from.total + count, newest };
}

/** An entry may reach further at both ends: a delayed reader shares it with one that sees everything. */
async function within(entry: Entry, { after, upto }: IdRange, matches: Matches): Promise<Known> {
  const isWhole = entry.total === entry.newest.length;
  const oldest = isWhole ? entry.after : (entry.newest.at(-1) ?? entry.upto);
  const seen = entry.newest.filter((id) => id <= upto);
  const newest = seen.filter((id) => id > after);
  const above =
    oldest <= upto
      ? entry.newest.length - seen.length
      : await matches.count({ after: upto, upto: entry.upto });
  if (oldest <= after) return { total: newest.length, newest };
  const below = after === entry.after ? 0 : await matches.count({ after: entry.after, upto: after });
  return { total: entry.total - above - below, newest };
}
