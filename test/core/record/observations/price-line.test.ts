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

test('a price of a bar without quotes is known at the end of its minute or hour', () => {
  const hour = START;
  const bars = '[[7,0.4,0.5,0.4,0.5,10,5,2,0,0,0],[8,0.5,0.6,0.4,0.6,10,5,2,0,0,0]]';
  expect(pricePointsOf({ hour, text: `{"bars":${bars},"buys":[]}` })).toEqual([
    { at: hour + 8 * MINUTE_MS, price: 0.5 },
    { at: hour + 9 * MINUTE_MS, price: 0.6 },
  ]);
  const whole = '{"bars":[[null,0.4,0.5,0.4,0.5,10,5,2,0,0,0]],"buys":[]}';
  expect(pricePointsOf({ hour, text: whole })).toEqual([{ at: hour + HOUR_MS, price: 0.5 }]);
  expect(pricePointsOf({ hour, text: '{"bars":[],"buys":[],"quotes":[]}' })).toEqual([]);
});
