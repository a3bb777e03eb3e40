import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { PriceHistory } from '../../../src/core/record/price-history.ts';
import { type GivenOrder, hoursOf, time } from './record-market-fixture.ts';

const HOUR_0 = time('06:00:00');
const ALL_DAY = { spans: [{ from: HOUR_0 - 24 * HOUR_MS, until: HOUR_0 + 24 * HOUR_MS }], completeFrom: 0 };

/** Minutes after the first hour, with a fraction for the seconds. */
const at = (minute: number) => HOUR_0 + minute * MINUTE_MS;
const order = (minute: number, price = 0.5): GivenOrder => ({ at: at(minute), price });
const historyOf = (given: readonly GivenOrder[], market = ALL_DAY) =>
  new PriceHistory(hoursOf(given), market);

test('the buys are those of 250 USDC or more, by time', () => {
  const given: GivenOrder[] = [
    { at: at(61.25), price: 0.5, usdc: 250, outcome: 1 },
    { at: at(2), price: 0.5, usdc: 249.5 },
    { at: at(3), price: 0.25, usdc: 250 },
    { at: at(4), price: 0.25, usdc: 250, isSale: true },
  ];
  const rest = { wallet: '0xw', ageClass: 'unknown', usdc: 250 };
  expect(new PriceHistory(hoursOf(given).toReversed(), ALL_DAY).buys).toEqual([
    { ...rest, at: at(3), outcome: 0, price: 0.25, shares: 1_000 },
    { ...rest, at: at(61.25), outcome: 1, price: 0.5, shares: 500 },
  ]);
});

test('of an hour that was observed as a whole the first and the last price are known at its end', () => {
  const orders = [order(60, 0.2), order(65), order(70, 0.7)];
  const history = new PriceHistory(hoursOf(orders, { isByMinute: false }), ALL_DAY);
  const search = { from: at(0), until: at(200) };
  expect(history.firstOrder({ ...search, outcome: 1 })).toEqual({ at: at(120), price: 0.8 });
  expect(history.lastOrder({ ...search, outcome: 0 })).toEqual({ at: at(120), price: 0.7 });
  expect(history.firstBuy({ ...search, outcome: 0 })).toBeNull();
});

describe('whether all orders of a time were kept', () => {
  const market = (spanFrom: number, completeFrom = 0) => ({
    spans: [{ from: HOUR_0 + spanFrom * HOUR_MS, until: HOUR_0 + 3 * HOUR_MS }],
    completeFrom,
  });
  const isComplete = (history: PriceHistory, from: number, until: number) =>
    history.isComplete({ from: at(from), until: at(until) });

  test('is so within the spans by the minute, from the moment on from which the market is complete', () => {
    const orders = [order(70), order(80)];
    expect(isComplete(historyOf(orders, market(1)), 60, 180)).toBe(true);
    expect(isComplete(historyOf(orders, market(1)), 59, 90)).toBe(false);
    expect(isComplete(historyOf(orders, market(1)), 170, 181)).toBe(false);
    expect(isComplete(historyOf(orders, market(0, at(30))), 30, 90)).toBe(true);
    expect(isComplete(historyOf(orders, market(0, at(30))), 29, 90)).toBe(false);
  });

  test('is not so before the second from which an hour is complete', () => {
    const partial = new PriceHistory(hoursOf([order(20)], { from: 900 }), ALL_DAY);
    expect([isComplete(partial, 14, 40), isComplete(partial, 15, 40)]).toEqual([false, true]);
  });
});

test('the last order before a moment is the last of those that were kept: of each minute the first and the last three', () => {
  const history = historyOf([0.1, 0.2, 0.3, 0.4, 0.5].map((price, index) => order(1 + index / 10, price)));
  const lastBefore = (minute: number) =>
    history.lastOrder({ from: at(minute) - HOUR_MS, until: at(minute), outcome: 0 })?.price;
  const found = [1, 1.1, 1.2, 1.3, 1.4, 60, 62].map(lastBefore);
  expect(found).toEqual([undefined, 0.1, 0.1, 0.3, 0.4, 0.5, undefined]);
});
