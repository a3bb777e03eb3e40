import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { blocksOf, type IdRange } from '../../../src/infra/database/archive-queries.ts';
import type { Matches } from '../../../src/infra/database/counted-matches.ts';
import { FilterTotals } from '../../../src/infra/database/filter-totals.ts';

const LASTING = { dependsOnResolution: false };
const PASSING = { dependsOnResolution: true };

/** A filter that the ids given match. */
function matchesOf(ids: readonly number[]) {
  const within = ({ after, upto }: IdRange) => ids.filter((id) => id > after && id <= upto);
  return {
    counts: vi.fn<Matches['counts']>((range, size) =>
      blocksOf(range, size).map((block) => within(block).length),
    ),
    ids: vi.fn<Matches['ids']>((range, { skip, limit }) =>
      within(range)
        .toReversed()
        .slice(skip, skip + limit),
    ),
  };
}

const ascendingIds = (most: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: most })).map((ids) => ids.toSorted((a, b) => a - b));

test('totals and every page are right for any ranges in any order, however little is kept', async () => {
  const ranges = fc
    .tuple(fc.nat(40), fc.nat(40))
    .map(([a, b]) => ({ after: Math.min(a, b), upto: Math.max(a, b) }));
  const scenario = fc.record({
    ids: ascendingIds(40),
    newestMax: fc.integer({ min: 1, max: 5 }),
    blockSize: fc.integer({ min: 1, max: 20 }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    asked: fc.array(
      fc.oneof(
        ranges,
        ranges.map(({ upto }) => ({ after: 0, upto })),
      ),
      { minLength: 2, maxLength: 20 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ ids, newestMax, blockSize, pageSize, asked }) => {
      const totals = new FilterTotals({ newestMax, blockSize });
      for (const range of asked) {
        const known = await totals.known('f', LASTING, range, matchesOf(ids));

        const all = ids.filter((id) => id > range.after && id <= range.upto).toReversed();
        expect(known.total).toBe(all.length);
        for (let skip = 0; skip <= all.length; skip += pageSize) {
          expect(await known.ids({ skip, limit: pageSize })).toEqual(all.slice(skip, skip + pageSize));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a page passes over no more matches than a block has, however deep it is and whatever was added', async () => {
  const [blockSize, newestMax, limit] = [50, 20, 10];
  const totals = new FilterTotals({ blockSize, newestMax });
  for (const upto of [4990, 5003, 5100]) {
    const matches = matchesOf(Array.from({ length: 2550 }, (_, index) => index * 2 + 1));
    const known = await totals.known('f', LASTING, { after: 0, upto }, matches);
    matches.ids.mockClear();

    for (let skip = 0; skip < known.total; skip += 100) await known.ids({ skip, limit });

    for (const [range, page] of matches.ids.mock.calls) {
      expect(page.skip).toBeLessThan(blockSize);
      expect(range.upto - range.after).toBeLessThanOrEqual(2 * blockSize);
    }
  }
});

test('only what was added since is looked at again', async () => {
  const totals = new FilterTotals();
  const matches = matchesOf([1, 5, 9]);
  await totals.known('f', LASTING, { after: 0, upto: 6 }, matches);
  matches.ids.mockClear();

  expect(await totals.known('f', LASTING, { after: 0, upto: 10 }, matches)).toMatchObject({ total: 3 });
  expect(await totals.known('f', LASTING, { after: 0, upto: 10 }, matches)).toMatchObject({ total: 3 });

  expect(matches.ids.mock.calls.map(([range]) => range)).toEqual([{ after: 6, upto: 10 }]);
});

test('of a filter with few matches all are known, also to a caller with a narrower range', async () => {
  const totals = new FilterTotals();
  const matches = matchesOf([1, 5, 9]);
  await totals.known('f', LASTING, { after: 0, upto: 10 }, matches);

  const known = await totals.known('f', LASTING, { after: 0, upto: 8 }, matches);

  expect([known.total, await known.ids({ skip: 0, limit: 20 })]).toEqual([2, [5, 1]]);
  expect(matches.ids).toHaveBeenCalledTimes(1);
  expect(matches.counts).not.toHaveBeenCalled();
});

test('concurrent searches share one count', async () => {
  const totals = new FilterTotals();
  const matches = matchesOf([1, 2, 3]);
  const range = { after: 0, upto: 3 };

  await Promise.all([1, 2, 3].map(() => totals.known('f', LASTING, range, matches)));

  expect(matches.ids).toHaveBeenCalledTimes(1);
});

test('filters do not share what is known of them', async () => {
  const totals = new FilterTotals();
  const range = { after: 0, upto: 9 };

  expect(await totals.known('f', LASTING, range, matchesOf([1]))).toMatchObject({ total: 1 });
  expect(await totals.known('g', LASTING, range, matchesOf([1, 2]))).toMatchObject({ total: 2 });
});

test('a count that depends on resolutions is believed for 5 s at most, though alerts are added to it', async () => {
  let now = 1000;
  const totals = new FilterTotals({ clock: { now: () => now } });
  const known = (upto: number, ids: number[]) =>
    totals.known('f', PASSING, { after: 0, upto }, matchesOf(ids));
  await known(5, [1]);

  now = 5999;
  expect(await known(6, [1, 2, 3, 6])).toMatchObject({ total: 2 });
  now = 6001;
  expect(await known(6, [1, 2, 3, 6])).toMatchObject({ total: 4 });
});

test('a resolution written here invalidates those counts, and no others', async () => {
  const totals = new FilterTotals();
  const range = { after: 0, upto: 5 };
  await totals.known('f', PASSING, range, matchesOf([1]));
  await totals.known('g', LASTING, range, matchesOf([1]));

  totals.forgetResolved();

  expect(await totals.known('f', PASSING, range, matchesOf([1, 2]))).toMatchObject({ total: 2 });
  expect(await totals.known('g', LASTING, range, matchesOf([1, 2]))).toMatchObject({ total: 1 });
});

test('a count that failed is retried the next time', async () => {
  const totals = new FilterTotals();
  const range = { after: 0, upto: 5 };
  const failing = { ...matchesOf([]), ids: () => Promise.reject(new Error('no answer')) };

  await expect(totals.known('f', LASTING, range, failing)).rejects.toThrow('no answer');

  expect(await totals.known('f', LASTING, range, matchesOf([1]))).toMatchObject({ total: 1 });
});

test('a count stays known when looking into one block of it failed', async () => {
  const totals = new FilterTotals({ newestMax: 1, blockSize: 5 });
  const matches = matchesOf([1, 2, 3, 7, 8, 9]);
  await totals.known('f', LASTING, { after: 0, upto: 10 }, matches);
  matches.ids.mockClear();
  const failing = { ...matches, counts: () => Promise.reject(new Error('no answer')) };

  await expect(totals.known('f', LASTING, { after: 0, upto: 8 }, failing)).rejects.toThrow('no answer');

  expect(await totals.known('f', LASTING, { after: 0, upto: 8 }, matches)).toMatchObject({ total: 5 });
  expect(await totals.known('f', LASTING, { after: 0, upto: 10 }, matches)).toMatchObject({ total: 6 });
  expect(matches.ids).not.toHaveBeenCalled();
});
