import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { type HourView, hourText, parseHour } from '../../../../src/core/record/observations/hour-text.ts';
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
  shares: fc.constantFrom(0, 1e6, 2.5e6, 3_333_333, 1_000e6),
  wallet: fc.constantFrom('0xa', '0xb'),
});

interface Minute {
  last: unknown[];
  readonly first: [unknown, unknown];
}

const round6 = (value: number) => Math.round(value * 1e6) / 1e6;

function slowBarsAndBuys(orders: readonly OrderRow[], isMirrored: boolean) {
  const shown = orders
    .filter(({ role, shares }) => role !== 'maker' && shares > 0)
    .map((order) => {
      const own = round6(order.usdc / order.shares);
      const outcome = order.isOther === isMirrored ? 0 : 1;
      return { ...order, own, outcome, price: outcome === 1 ? round6(1 - own) : own };
    });
  const byMinute = Map.groupBy(shown, ({ at }) => Math.floor((at - HOUR_0) / MINUTE_MS));
  const bars = [...byMinute].map(([minute, own]) => {
    const byPrice = own.toSorted((a, b) => a.price - b.price);
    const highest = own.toSorted((a, b) => b.price - a.price)[0];
    const ends = [own[0], own.at(-1), byPrice[0], highest].map((order) => order as (typeof own)[number]);
    const sum = (name: 'shares' | 'usdc') => own.reduce((total, order) => total + order[name], 0) / 1e6;
    const count = (isMeant: (order: (typeof own)[number]) => boolean) => own.filter(isMeant).length;
    return [
      minute,
      ...ends.map(({ price }) => price),
      ...[sum('shares'), sum('usdc'), own.length],
      ...[count(({ outcome }) => outcome === 1), count(({ role }) => role === null)],
      ends.reduce((marks, { outcome }, index) => marks + outcome * 2 ** index, 0),
    ];
  });
  const buys = shown
    .filter(({ largeBuy, usdc }) => largeBuy !== null && usdc >= 250e6)
    .map(({ at, own, outcome, shares, usdc, role, largeBuy }) => {
      const second = (at - HOUR_0) / SECOND_MS;
      return [second, largeBuy?.wallet, outcome, own, shares / 1e6, usdc / 1e6, role, largeBuy?.ageClass];
    });
  const nameOf = ([second, wallet, outcome]: readonly unknown[]) =>
    `${String(second).padStart(4)} ${wallet} ${outcome}`;
  return {
    bars,
    buys: buys.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)),
  };
}

function slowQuotes(orders: readonly OrderRow[], isMirrored: boolean): unknown[] {
  const minutes = new Map<number, Minute>();
  for (const { at, isOther, isSale, role, usdc, shares } of orders) {
    if (role === 'maker' || shares === 0) continue;
    const minute = Math.floor((at - HOUR_0) / MINUTE_MS);
    const second = Math.floor((at - HOUR_0) / SECOND_MS) - minute * 60;
    const row = minutes.get(minute) ?? { last: [], first: [null, null] };
    minutes.set(minute, row);
    const outcome = Number(isOther) ^ Number(isMirrored);
    const own = round6(usdc / shares);
    const price = outcome === 1 ? round6(1 - own) : own;
    row.last.push([second, price, outcome, Number(isSale)]);
    if (row.last.length > 4) row.last.splice(1, 1);
    if (!isSale) row.first[outcome as 0 | 1] ??= [second, own, shares / 1e6];
  }
  return [...minutes].map(([minute, { last, first }]) => [minute, last, ...first]);
}

test('an hour by the minute has bars, large buys, the first and the last three orders of each minute and the first buy of each outcome', () => {
  let [minutes, large] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(anyOrder, { maxLength: 60, size: 'max' }),
      fc.boolean(),
      fc.nat(3),
      (given, isMirrored, from) => {
        const orders = given
          .map(({ price, wallet, ...order }) => {
            const usdc = Math.round(order.shares * price);
            const isLarge = !order.isSale && usdc >= 100e6;
            return { ...order, usdc, largeBuy: isLarge ? { wallet, ageClass: 'fresh' as const } : null };
          })
          .sort((a, b) => a.at - b.at);

        const text = hourText(orders, { ...VIEW, isMirrored, from });

        const { bars, ...content } = parseHour(text);
        const wanted = slowBarsAndBuys(orders, isMirrored);
        expect(bars).toEqual(wanted.bars);
        expect(content.buys).toEqual(wanted.buys);
        expect(text).toBe(canonicalJson(JSON.parse(text)));
        expect(content.quotes).toEqual(slowQuotes(orders, isMirrored));
        minutes += bars.length;
        large += content.buys.length;
      },
    ),
    { numRuns: 200 },
  );
  expect(minutes).toBeGreaterThan(1_000);
  expect(large).toBeGreaterThan(200);
});

test('an hour that is observed as a whole has no quotes, one without an order an empty list', () => {
  expect(hourText([], { ...VIEW, isByMinute: false })).toBe('{"bars":[],"buys":[]}');
  expect(hourText([], { ...VIEW, from: 7 })).toBe('{"bars":[],"buys":[],"from":7,"quotes":[]}');
});
