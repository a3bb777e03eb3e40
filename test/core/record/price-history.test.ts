import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { PriceHistory } from '../../../src/core/record/price-history.ts';
import { type GivenOrder, hoursOf, time } from './record-market-fixture.ts';

/** Minutes after the first hour, with a fraction for the seconds. */
const at = (minute: number) => time('06:00:00') + minute * MINUTE_MS;
const order = (minute: number, price: number): GivenOrder => ({ at: at(minute), price });

test('of an hour that was observed as a whole the first price is known at its end', () => {
  const orders = [order(60, 0.2), order(65, 0.5), order(70, 0.7)];
  const history = new PriceHistory(hoursOf(orders, { isByMinute: false }));
  expect(history.firstOrder({ from: at(0), until: at(200), outcome: 1 })).toEqual({
    at: at(120),
    price: 0.8,
  });
});

test('a follower pays the first price of a minute that begins 60 s after the publication or later, within the hour', () => {
  const priceAfter = (minute: number, orders: readonly GivenOrder[]) =>
    new PriceHistory(hoursOf(orders)).followerPrice(at(minute), 0)?.price ?? null;
  const orders = [order(1, 0.2), order(2, 0.3), order(62, 0.4)];
  expect(priceAfter(0.5, orders)).toBe(0.3);
  expect(priceAfter(2, orders)).toBeNull();
  expect(priceAfter(3, orders)).toBe(0.4);
  expect(priceAfter(0, [order(5, 1)])).toBeNull();
});
