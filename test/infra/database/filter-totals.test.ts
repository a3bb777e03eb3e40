import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createFilterTotals, type Matches } from '../../../src/infra/database/filter-totals.ts';

const LASTING = { dependsOnResolution: false };
const PASSING = { dependsOnResolution: true };

/** A filter that the ids given match. */
function matchesOf(ids: readonly number[]) {
  const within = ({ after, upto }: { after: number; upto: number }) =>
    ids.filter((id) => id > after && id <= upto);
  return {
    count: vi.fn<Matches['count']>((range) => within(range).length),
    ids: vi.fn<Matches['ids']>((range, limit) => within(range).toReversed().slice(0, limit)),
  };
}

test('totals and the newest ids are right for any ranges in any order, however few ids are kept', async () => {
  const ranges = fc
    .tuple(fc.nat(40), fc.nat(40))
    .map(([a, b]) => ({ after: Math.min(a, b), upto: Math.max(a, b) }));
  const scenario = fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 40 })).map((ids) => ids.toSorted((a, b) => a - b)),
    newestMax: fc.integer({ min: 1, max: 5 }),
    blockSize: fc.integer({ min: 1, max: 20 }),
    asked: fc.array(
      fc.oneof(
        ranges,
        ranges.map(({ upto }) => ({ after: 0, upto })),
      ),
      { minLength: 2, maxLength: 20 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ ids, newestMax, blockSize, asked }) => {
      const totals = createFilterTotals({ newestMax, blockSize });
      for (const range of asked) {
        const { total, newest } = await totals.known('f', LASTING, range, matchesOf(ids));

        const all = ids.filter((id) => id > range.after && id <= range.upto).toReversed();
        expect(total).toBe(all.length);
        expect(newest).toEqual(all.slice(0, newest.length));
      }
    }),
    { numRuns: 300 },
  );
});

test('only what was added since is looked at again', async () => {
  const totals = createFilterTotals();
  const matches = matchesOf([1, 5, 9]);
  await totals.known('f', LASTING, { after: 0, upto: 6 }, matches);
  matches.ids.mockClear();

  expect(await totals.known('f', LASTING, { after: 0, upto: 10 }, matches)).toMatchObject({ total: 3 });
  expect(await totals.known('f', LASTING, { after: 0, upto: 10 }, matches)).toMatchObject({ total: 3 });

  expect(matches.ids.mock.calls.map(([range]) => range)).toEqual([{ after: 6, upto: 10 }]);
});

test('of a filter with few matches all are known, also to one who sees less', async () => {
  const totals = createFilterTotals();
  const matches = matchesOf([1, 5, 9]);
  await totals.known('f', LASTING, { after: 0, upto: 10 }, matches);

  expect(await totals.known('f', LASTING, { after: 0, upto: 8 }, matches)).toEqual({
    total: 2,
    newest: [5, 1],
  });

  expect(matches.ids).toHaveBeenCalledTimes(1);
  expect(matches.count).not.toHaveBeenCalled();
});

test('searches at once share one count', async () => {
  const totals = createFilterTotals();
  const matches = matchesOf([1, 2, 3]);
  const range = { after: 0, upto: 3 };

  await Promise.all([1, 2, 3].map(() => totals.known('f', LASTING, range, matches)));

  expect(matches.ids).toHaveBeenCalledTimes(1);
});

test('filters do not share what is known of them', async () => {
  const totals = createFilterTotals();
  const range = { after: 0, upto: 9 };

  expect(await totals.known('f', LASTING, range, matchesOf([1]))).toMatchObject({ total: 1 });
  expect(await totals.known('g', LASTING, range, matchesOf([1, 2]))).toMatchObject({ total: 2 });
});

test('a count that depends on resolutions is believed for 5 s at most, though alerts are added to it', async () => {
  let now = 1000;
  const totals = createFilterTotals({ clock: { now: () => now } });
  const known = (upto: number, ids: number[]) =>
    totals.known('f', PASSING, { after: 0, upto }, matchesOf(ids));
  await known(5, [1]);

  now = 5999;
  expect(await known(6, [1, 2, 3, 6])).toMatchObject({ total: 2 });
  now = 6001;
  expect(await known(6, [1, 2, 3, 6])).toMatchObject({ total: 4 });
});

test('a resolution written here makes those counts be made anew, and no others', async () => {
  const totals = createFilterTotals();
  const range = { after: 0, upto: 5 };
  await totals.known('f', PASSING, range, matchesOf([1]));
  await totals.known('g', LASTING, range, matchesOf([1]));

  totals.forgetResolved();

  expect(await totals.known('f', PASSING, range, matchesOf([1, 2]))).toMatchObject({ total: 2 });
  expect(await totals.known('g', LASTING, range, matchesOf([1, 2]))).toMatchObject({ total: 1 });
});

test('a count that failed is made anew the next time', async () => {
  const totals = createFilterTotals();
  const range = { after: 0, upto: 5 };
  const failing = { ...matchesOf([]), ids: () => Promise.reject(new Error('no answer')) };

  await expect(totals.known('f', LASTING, range, failing)).rejects.toThrow('no answer');

  expect(await totals.known('f', LASTING, range, matchesOf([1]))).toMatchObject({ total: 1 });
});
