import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../src/core/base/time/duration.ts';
import {
  LINE_POINTS_MAX,
  pricePointsOf,
  thinned,
} from '../../../../src/core/record/observations/price-line.ts';
import { time } from '../record-market-fixture.ts';

const START = time('00:00:00');
test('of thousands of prices at most 300 are kept: the extremes of each interval, and the last of all', () => {
  const known = Array.from({ length: 3_000 }, (_, index) => ({
    at: START + index * MINUTE_MS,
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

test('the price of an hour that was observed as a whole is known at its end', () => {
  const hour = START;
  expect(pricePointsOf({ hour, text: '{"whole":[0.4,0.5]}' })).toEqual([{ at: hour + HOUR_MS, price: 0.5 }]);
  expect(pricePointsOf({ hour, text: '{"orders":[[7,0.4],[95,0.5]]}' })).toEqual([
    { at: hour + 7_000, price: 0.4 },
    { at: hour + 95_000, price: 0.5 },
  ]);
  for (const text of ['{"whole":[]}', '{"orders":[]}']) expect(pricePointsOf({ hour, text })).toEqual([]);
});
