import { type Awaitable, blocksOf, type IdRange } from './archive-queries.ts';

/** Queries for matches of a filter that are not counted yet. */
export interface Matches {
  /** How many there are within each of the range's blocks (`blocksOf`), oldest first. */
  counts(range: IdRange, blockSize: number): Awaitable<number[]>;
  /** Newest first. */
  ids(range: IdRange, page: { skip: number; limit: number }): Awaitable<number[]>;
}

/** The counted matches of a filter within a range. */
export interface Counted extends IdRange {
  readonly total: number;
  /** The newest of them, newest first. */
  readonly newest: readonly number[];
  /** How many there are in each block of ids; the range begins where the first of them does. */
  readonly blocks: readonly number[];
}

/** How much of a filter is kept: so many of its newest ids, and a count for each block of so many alerts. */
export interface CountedSizes {
  readonly newestMax: number;
  readonly blockSize: number;
}

export function nothingCounted(after: number): Counted {
  return { after, upto: after, total: 0, newest: [], blocks: [] };
}

/** Extends the counts to a later end. Counted alerts are not read again. */
export async function countOn(
  from: Counted,
  upto: number,
  matches: Matches,
  { newestMax, blockSize }: CountedSizes,
): Promise<Counted> {
  const range = { after: from.upto, upto };
  const added = await matches.ids(range, { skip: 0, limit: newestMax + 1 });
  const blocks = [...from.blocks];
  const put = (id: number, count: number) => {
    const block = Math.floor((id - 1 - from.after) / blockSize);
    while (blocks.length <= block) blocks.push(0);
    blocks[block] = (blocks[block] ?? 0) + count;
  };
  put(upto, 0);
  if (added.length <= newestMax) for (const id of added) put(id, 1);
  else {
    const counts = await matches.counts(range, blockSize);
    for (const [index, block] of blocksOf(range, blockSize).entries()) put(block.upto, counts[index] ?? 0);
  }
  const newest = added.length === 0 ? from.newest : added.concat(from.newest).slice(0, newestMax);
  return { after: from.after, upto, total: sum(blocks), newest, blocks };
}

/** The number of matches with an id up to this one. Reads at most one block. */
export async function countUpTo(
  counted: Counted,
  id: number,
  matches: Matches,
  blockSize: number,
): Promise<number> {
  const { after, upto, total, newest, blocks } = counted;
  if (id <= after) return 0;
  if (id >= upto) return total;
  if (newest.length === total || (newest.at(-1) ?? upto) <= id) return total - countAbove(newest, id);
  const whole = Math.floor((id - after) / blockSize);
  const start = after + whole * blockSize;
  const [rest = 0] = start === id ? [] : await matches.counts({ after: start, upto: id }, blockSize);
  return sum(blocks.slice(0, whole)) + rest;
}

/**
 * The ids of `limit` matches after the newest `skip`; there must be as many. Those that are not known are sought in
 * the blocks that hold them, so that the cost does not depend on how far back they are.
 */
export function idsAt(
  { after, upto, newest, blocks }: Counted,
  { skip, limit }: { skip: number; limit: number },
  matches: Matches,
  blockSize: number,
): Awaitable<number[]> {
  if (limit === 0) return [];
  if (skip + limit <= newest.length) return newest.slice(skip, skip + limit);
  let above = 0;
  let last = blocks.length - 1;
  while (last > 0 && above + (blocks[last] ?? 0) <= skip) above += blocks[last--] ?? 0;
  let first = last;
  let reached = above + (blocks[first] ?? 0);
  while (first > 0 && reached < skip + limit) reached += blocks[--first] ?? 0;
  const range = { after: after + first * blockSize, upto: Math.min(upto, after + (last + 1) * blockSize) };
  return matches.ids(range, { skip: skip - above, limit });
}

/** How many of the ids, which descend, are larger than this one. */
function countAbove(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) > id) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
