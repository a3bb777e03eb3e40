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

function hoursOf(given: readonly Given[], from = 0) {
  const rows = given.map(rowOf).sort((a, b) => a.at - b.at);
  const byHour = Map.groupBy(rows, (row) => startOfHour(row.at));
  return [...byHour].map(([hour, orders]) => ({
    hour,
    text: hourText(orders, { hour, from, isByMinute: true, isMirrored: false }),
  }));
}

const historyOf = (given: readonly Given[], market = ALL_DAY) => new PriceHistory(hoursOf(given), market);

describe('the first price after a second', () => {
  test('is unobserved where an earlier order may be missing', () => {
    const market = { ...ALL_DAY, completeFrom: at(30) };
    const ask = (minute: number, from: number) =>
      historyOf([{ minute: 70, price: 0.4 }], market).firstPriceAfter(at(minute), {
        from: at(from),
        until: at(from + 60),
        outcome: 1,
      });
    expect(ask(29, 32)).toBe('unobserved');
    expect(ask(61, 63)).toEqual({ minute: at(71), price: 0.6 });
  });
});

describe('what was not observed by the minute', () => {
  const orders = [70, 71, 72, 80].map((minute) => ({ minute, price: 0.5 }));
  const market = (spanFrom: number, completeFrom = 0) => ({
    spans: [{ from: HOUR_0 + spanFrom * HOUR_MS, until: HOUR_0 + 3 * HOUR_MS }],
    completeFrom,
  });

  test('is unobserved only where an order that counts may be missing', () => {
    const history = historyOf(orders, market(1));
    expect(history.priceAt(at(75), 0)).toBe(0.5);
    // Two orders, and the first hour may have more.
    expect(history.priceAt(at(72), 0)).toBe('unobserved');
    expect(history.priceAt(at(60), 0)).toBe('unobserved');
    expect(history.priceAt(at(120), 0)).toBe(0.5);
    expect(history.priceAt(at(181), 0)).toBe('unobserved');
    expect(historyOf(orders, market(0)).priceAt(at(72), 0)).toBe(0.5);
    expect(historyOf(orders, market(0)).priceAt(at(60), 0)).toBe('stale');
    expect(historyOf(orders, market(0, at(30))).priceAt(at(60), 0)).toBe('unobserved');
    expect(historyOf(orders, market(0, at(30))).priceAt(at(100), 0)).toBe(0.5);
  });

  test('is unobserved in hours of earlier builds, and before the second from which an hour is complete', () => {
    const old = [{ hour: HOUR_0, text: '{"bars":[[1,0.5,0.5,0.5,0.5,1,0.5,1,0,0,0]],"buys":[]}' }];
    expect(new PriceHistory(old, ALL_DAY).priceAt(at(2), 0)).toBe('unobserved');
    const partial = hoursOf([{ minute: 20, price: 0.5 }], 900);
    expect(new PriceHistory(partial, ALL_DAY).priceAt(at(21), 0)).toBe('unobserved');
    expect(new PriceHistory(partial, ALL_DAY).priceAt(at(80), 0)).toBe(0.5);
  });

  test('has no first buy, nor has what may have an earlier one', () => {
    const history = historyOf(orders, market(1));
    const range = { until: at(90), outcome: 0 } as const;
    expect(history.firstBuy({ ...range, from: at(59) })).toBe('unobserved');
    expect(history.firstBuy({ ...range, from: at(60) })).toMatchObject({ at: at(70) });
    expect(history.firstBuy({ ...range, from: at(81) })).toBeNull();
    // What came after the first buy does not matter.
    expect(history.firstBuy({ from: at(80), until: at(230), outcome: 0 })).toMatchObject({ at: at(80) });
    expect(history.firstBuy({ from: at(170), until: at(230), outcome: 0 })).toBe('unobserved');
  });
});

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

const anyGiven = fc.record({
  minute: fc.integer({ min: 0, max: 1_200 }).map((n) => n / 5),
  price: fc.integer({ min: 1, max: 9 }).map((n) => n / 10),
  outcome: fc.constantFrom<OutcomeSide>(0, 1),
  isSale: fc.boolean(),
});

/** By the definition, over all orders. */
function slowPrice(orders: readonly OrderRow[], minute: number, outcome: number) {
  const before = orders.filter((row) => row.at < minute && row.at >= minute - HOUR_MS);
  const sorted = before
    .slice(-3)
    .map(({ usdc, shares, isOther }) => (isOther === (outcome === 1) ? usdc / shares : 1 - usdc / shares))
    .sort((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return sorted.length === 0 ? 'stale' : ((sorted[low] as number) + (sorted[high] as number)) / 2;
}

test('prices and first buys are those of a slow search through all orders', () => {
  let prices = 0;
  fc.assert(
    fc.property(
      fc.array(anyGiven, { maxLength: 60, size: 'max' }),
      fc.array(fc.tuple(fc.nat(310), fc.constantFrom<OutcomeSide>(0, 1), fc.nat(80)), { minLength: 10 }),
      (given, questions) => {
        const history = historyOf(given);
        const orders = given.map(rowOf).sort((a, b) => a.at - b.at);
        for (const [minute, outcome, index] of questions) {
          const price = history.priceAt(at(minute), outcome);
          const slow = slowPrice(orders, at(minute), outcome);
          expect(price).toEqual(typeof slow === 'number' ? expect.closeTo(slow, 6) : slow);
          if (typeof price === 'number') prices += 1;

          const until = at(minute + index);
          const minuteOf = (row: OrderRow) => Math.floor(row.at / MINUTE_MS) * MINUTE_MS;
          const first = orders.find(
            (row) =>
              !row.isSale &&
              row.isOther === (outcome === 1) &&
              minuteOf(row) >= at(minute) &&
              minuteOf(row) < until,
          );
          const found = history.firstBuy({ from: at(minute), until, outcome });
          expect(found).toEqual(
            first === undefined ? null : { at: first.at, price: first.usdc / first.shares, shares: 10 },
          );
        }
      },
    ),
    { numRuns: 100 },
  );
  expect(prices).toBeGreaterThan(500);
});
