import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS, startOfHour } from '../../../src/core/base/time/duration.ts';
import { hourText } from '../../../src/core/record/observations/hour-text.ts';
import type { OutcomeSide } from '../../../src/core/record/observations/observation-store.ts';
import type { OrderRow } from '../../../src/core/record/observations/order-segment.ts';
import { PriceHistory } from '../../../src/core/record/price-history.ts';

const HOUR_0 = Date.UTC(2026, 10, 3, 6);
const ALL_DAY = { spans: [{ from: HOUR_0 - 24 * HOUR_MS, until: HOUR_0 + 24 * HOUR_MS }], completeFrom: 0 };

interface Given {
  /** Minutes after the first hour, with a fraction for the seconds. */
  readonly minute: number;
  /** Of its own outcome. */
  readonly price: number;
  readonly outcome?: OutcomeSide;
  readonly isSale?: boolean;
  readonly shares?: number;
}

const at = (minute: number) => HOUR_0 + Math.round(minute * 60) * SECOND_MS;

function rowOf({ minute, price, outcome = 0, isSale = false, shares = 10 }: Given): OrderRow {
  const micros = shares * 1e6;
  const usdc = Math.round(micros * price);
  const largeBuy = usdc >= 250e6 && !isSale ? ({ wallet: '0xa', ageClass: 'not_fresh' } as const) : null;
  return { at: at(minute), isOther: outcome === 1, isSale, role: 'taker', usdc, shares: micros, largeBuy };
}

function hoursOf(given: readonly Given[], { from = 0, isByMinute = true } = {}) {
  const rows = given.map(rowOf).sort((a, b) => a.at - b.at);
  const byHour = Map.groupBy(rows, (row) => startOfHour(row.at));
  return [...byHour].map(([hour, orders]) => ({
    hour,
    text: hourText(orders, { hour, from, isByMinute, isMirrored: false }),
  }));
}

const historyOf = (given: readonly Given[], market = ALL_DAY) => new PriceHistory(hoursOf(given), market);

test('the buys are those of 250 USDC or more, by time', () => {
  const given = [
    { minute: 61.25, price: 0.5, shares: 500, outcome: 1 as const },
    { minute: 2, price: 0.5, shares: 499 },
    { minute: 3, price: 0.25, shares: 1_000 },
  ];
  const { buys } = new PriceHistory(hoursOf(given).toReversed(), ALL_DAY);

  const rest = { wallet: '0xa', ageClass: 'not_fresh', usdc: 250 };
  expect(buys).toEqual([
    { ...rest, at: at(3), outcome: 0, price: 0.25, shares: 1_000 },
    { ...rest, at: at(61.25), outcome: 1, price: 0.5, shares: 500 },
  ]);
});

test('of an hour that was observed as a whole the first and the last price are known at its end', () => {
  const orders = [0.2, 0.5, 0.7].map((price, index) => ({ minute: 60 + 5 * index, price }));
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
    const orders = [70, 80].map((minute) => ({ minute, price: 0.5 }));
    expect(isComplete(historyOf(orders, market(1)), 60, 180)).toBe(true);
    expect(isComplete(historyOf(orders, market(1)), 59, 90)).toBe(false);
    expect(isComplete(historyOf(orders, market(1)), 170, 181)).toBe(false);
    expect(isComplete(historyOf(orders, market(0, at(30))), 30, 90)).toBe(true);
    expect(isComplete(historyOf(orders, market(0, at(30))), 29, 90)).toBe(false);
  });

  test('is not so before the second from which an hour is complete', () => {
    const partial = new PriceHistory(hoursOf([{ minute: 20, price: 0.5 }], { from: 900 }), ALL_DAY);
    expect([isComplete(partial, 14, 40), isComplete(partial, 15, 40)]).toEqual([false, true]);
  });
});

const anyGiven = fc.record({
  minute: fc.integer({ min: 0, max: 1_200 }).map((n) => n / 5),
  price: fc.integer({ min: 1, max: 9 }).map((n) => n / 10),
  outcome: fc.constantFrom<OutcomeSide>(0, 1),
  isSale: fc.boolean(),
});
const search = fc.tuple(fc.nat(310), fc.constantFrom<OutcomeSide>(0, 1), fc.nat(80));

test('first orders and first buys are those of a slow search through all orders', () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(anyGiven, { maxLength: 60, size: 'max' }),
      fc.array(search, { minLength: 10 }),
      (given, searches) => {
        const history = historyOf(given);
        const orders = given.map(rowOf).sort((a, b) => a.at - b.at);
        for (const [minute, outcome, length] of searches) {
          const time = { from: at(minute), until: at(minute + length) };
          const beginsWithin = (row: OrderRow) => {
            const begin = Math.floor(row.at / MINUTE_MS) * MINUTE_MS;
            return begin >= time.from && begin < time.until;
          };
          const isOwn = (row: OrderRow) => row.isOther === (outcome === 1);
          const first = orders.find(beginsWithin);
          const paid = first && first.usdc / first.shares;
          const price = paid === undefined ? 0 : isOwn(first as OrderRow) ? paid : 1 - paid;
          expect(history.firstOrder({ ...time, outcome })).toEqual(
            first === undefined ? null : { at: first.at, price: expect.closeTo(price, 6) },
          );
          const buy = orders.find((row) => !row.isSale && isOwn(row) && beginsWithin(row));
          expect(history.firstBuy({ ...time, outcome })).toEqual(
            buy === undefined ? null : { at: buy.at, price: buy.usdc / buy.shares },
          );
          if (first !== undefined) found += 1;
        }
      },
    ),
    { numRuns: 100 },
  );
  expect(found).toBeGreaterThan(500);
});

test('the last order before a moment is the last of those that were kept: of each minute the first and the last three', () => {
  const orders = [0.1, 0.2, 0.3, 0.4, 0.5].map((price, index) => ({ minute: 1 + index / 10, price }));
  const history = historyOf(orders);
  const lastBefore = (minute: number) =>
    history.lastOrder({ from: at(minute) - HOUR_MS, until: at(minute), outcome: 0 })?.price;
  expect([1, 1.1, 1.2, 1.3, 1.4, 60, 62].map(lastBefore)).toEqual([
    undefined,
    0.1,
    0.1,
    0.3,
    0.4,
    0.5,
    undefined,
  ]);
});
