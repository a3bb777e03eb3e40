import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import {
  LINE_POINTS_MAX,
  priceLine,
  pricePointsOf,
} from '../../../../src/core/record/observations/price-line.ts';
import { type GivenOrder, recordMarket, time } from '../record-market-fixture.ts';

const START = time('00:00:00');
const ALL = Number.MAX_SAFE_INTEGER;

const order: fc.Arbitrary<GivenOrder> = fc.record({
  at: fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 7_200 }))
    .map(([hours, seconds]) => START + hours * HOUR_MS + seconds * SECOND_MS),
  price: fc.integer({ min: 1, max: 99 }).map((inCents) => inCents / 100),
  outcome: fc.constantFrom(0, 1),
});
const orders = fc.uniqueArray(order, { selector: ({ at }) => at, maxLength: 60 });
const untils = fc.integer({ min: START - HOUR_MS, max: START + 2 * DAY_MS });

const lineOf = (given: readonly GivenOrder[], outcome: 0 | 1 = 0, until = ALL) =>
  priceLine(recordMarket({ orders: given }).hours.flatMap(pricePointsOf), { outcome, until });

describe('the line of a market’s price', () => {
  test('has the known prices in their order, none after the moment, and its last one is the last that was known', () => {
    fc.assert(
      fc.property(orders, untils, (given, until) => {
        const points = lineOf(given, 0, until);
        const known = recordMarket({ orders: given }).hours.flatMap(pricePointsOf);
        expect(points).toEqual(known.filter(({ at }) => at <= until));
        expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((a, b) => a - b));
        const last = given.filter(({ at }) => at <= until).toSorted((a, b) => b.at - a.at)[0];
        const price = last && (last.outcome === 1 ? 1 - last.price : last.price);
        expect(points.at(-1)?.price ?? null).toEqual(price === undefined ? null : expect.closeTo(price, 6));
      }),
    );
  });

  test('of thousands of prices keeps at most 300: the extremes of each interval, and the last of all', () => {
    const given = Array.from({ length: 3_000 }, (_, index) => ({
      at: START + index * MINUTE_MS,
      price: index === 1_234 ? 0.97 : index === 2_345 ? 0.02 : 0.4 + (index % 7) / 100,
    }));
    const points = lineOf(given);
    expect(points.length).toBeLessThanOrEqual(LINE_POINTS_MAX);
    expect(points.length).toBeGreaterThan(200);
    const prices = points.map(({ price }) => price);
    expect([Math.max(...prices), Math.min(...prices)]).toEqual([0.97, 0.02]);
    expect(points.at(-1)).toEqual({ at: START + 2_999 * MINUTE_MS, price: expect.closeTo(0.4 + 3 / 100, 6) });
    expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((a, b) => a - b));
  });
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
