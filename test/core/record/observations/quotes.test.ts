import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import {
  type HourView,
  hourText,
  parseHour,
  parseQuotes,
} from '../../../../src/core/record/observations/hour-text.ts';
import type { OrderRow } from '../../../../src/core/record/observations/order-segment.ts';
import { HOUR_0 } from './observation-fixture.ts';

const VIEW: HourView = { hour: HOUR_0, isByMinute: true, isMirrored: false, from: 0 };

/** Few seconds and prices, so that orders share minutes, seconds and prices. */
const anyOrder = fc.record({
  at: fc.integer({ min: 0, max: 7 * 60 }).map((n) => HOUR_0 + n * 7 * SECOND_MS),
  isOther: fc.boolean(),
  isSale: fc.boolean(),
  role: fc.constantFrom('taker' as const, 'maker' as const, null),
  price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
  shares: fc.constantFrom(0, 1e6, 2.5e6, 3_333_333),
});

interface Minute {
  last: unknown[];
  readonly first: [unknown, unknown];
}

/** The same, an order after the other. */
function slowQuotes(orders: readonly OrderRow[], isMirrored: boolean): unknown[] {
  const minutes = new Map<number, Minute>();
  for (const { at, isOther, isSale, role, usdc, shares } of orders) {
    if (role === 'maker' || shares === 0) continue;
    const minute = Math.floor((at - HOUR_0) / MINUTE_MS);
    const second = Math.floor((at - HOUR_0) / SECOND_MS) - minute * 60;
    const row = minutes.get(minute) ?? { last: [], first: [null, null] };
    minutes.set(minute, row);
    const outcome = Number(isOther) ^ Number(isMirrored);
    const own = Math.round((usdc / shares) * 1e6) / 1e6;
    const price = outcome === 1 ? Math.round((1 - own) * 1e6) / 1e6 : own;
    row.last.push([second, price, outcome, Number(isSale)]);
    if (row.last.length > 4) row.last.shift();
    if (!isSale) row.first[outcome as 0 | 1] ??= [second, own, shares / 1e6];
  }
  return [...minutes].map(([minute, { last, first }]) => [minute, last, ...first]);
}

test('an hour by the minute has the last four orders of each minute, and the first buy of each outcome', () => {
  let minutes = 0;
  fc.assert(
    fc.property(
      fc.array(anyOrder, { maxLength: 60, size: 'max' }),
      fc.boolean(),
      fc.nat(3),
      (given, isMirrored, from) => {
        const orders = given
          .map(({ price, ...order }) => ({
            ...order,
            usdc: Math.round(order.shares * price),
            largeBuy: null,
          }))
          .sort((a, b) => a.at - b.at);

        const text = hourText(orders, { ...VIEW, isMirrored, from });

        const { bars, ...content } = parseHour(text);
        expect(content.quotes).toEqual(slowQuotes(orders, isMirrored));
        expect(parseQuotes(text)).toEqual(content);
        expect(bars).toHaveLength(content.quotes?.length ?? -1);
        minutes += bars.length;
      },
    ),
    { numRuns: 200 },
  );
  expect(minutes).toBeGreaterThan(1_000);
});

test('an hour that is observed as a whole has no quotes, one without an order an empty list', () => {
  expect(hourText([], { ...VIEW, isByMinute: false })).toBe('{"bars":[],"buys":[]}');
  expect(hourText([], { ...VIEW, from: 7 })).toBe('{"bars":[],"buys":[],"from":7,"quotes":[]}');
});
