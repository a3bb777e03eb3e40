import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import { LINE_POINTS_MAX, thinned } from '../../../../src/core/record/prices/price-line.ts';

test('of thousands of prices at most 300 are kept: the extremes of each interval, and the last of all', () => {
  const known = Array.from({ length: 3_000 }, (_, index) => ({
    at: index * MINUTE_MS,
    price: index === 1_234 ? 0.97 : index === 2_345 ? 0.02 : 0.4 + (index % 7) / 100,
  }));
  const points = thinned(known, LINE_POINTS_MAX);
  expect(points.length).toBeLessThanOrEqual(LINE_POINTS_MAX);
  expect(points.length).toBeGreaterThan(200);
  const prices = points.map(({ price }) => price);
  expect([Math.max(...prices), Math.min(...prices)]).toEqual([0.97, 0.02]);
  expect(points.at(-1)).toEqual(known.at(-1));
  expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((a, b) => a - b));
});
