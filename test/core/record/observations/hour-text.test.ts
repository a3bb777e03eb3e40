import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/base/text/canonical-json.ts';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { type HourView, hourText, parseHour } from '../../../../src/core/record/observations/hour-text.ts';
import type { OrderRow } from '../../../../src/core/record/observations/order-segment.ts';
import { HOUR_0 } from './observation-fixture.ts';

const VIEW: HourView = { hour: HOUR_0, isByMinute: true, isMirrored: false, from: 0 };

/** Few seconds, so that orders share minutes and seconds. */
const anyOrder = fc.record({
  at: fc.integer({ min: 0, max: 7 * 60 }).map((n) => HOUR_0 + n * 7 * SECOND_MS),
  isOther: fc.boolean(),
  isMaker: fc.constantFrom(false, false, true),
  price: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100),
  shares: fc.constantFrom(0, 1e6, 2.5e6, 3_333_333, 1_000e6),
});

const round6 = (value: number) => Math.round(value * 1e6) / 1e6;

/** The orders that are shown, by minute, each with its second of the hour and its price. */
function slowMinutes(orders: readonly OrderRow[], isMirrored: boolean): readonly number[][][] {
  const shown = orders.filter(({ isMaker, shares }) => !isMaker && shares > 0);
  const byMinute = Map.groupBy(shown, ({ at }) => Math.floor((at - HOUR_0) / MINUTE_MS));
  return [...byMinute.values()].map((own) =>
    own.map(({ at, isOther, usdc, shares }) => {
      const price = round6(usdc / shares);
      return [(at - HOUR_0) / SECOND_MS, isOther === isMirrored ? price : round6(1 - price)];
    }),
  );
}

test('an hour by the minute has the first and the last three orders of each minute, one as a whole its first and last price', () => {
  let minutes = 0;
  fc.assert(
    fc.property(
      fc.array(anyOrder, { maxLength: 60, size: 'max' }),
      fc.boolean(),
      fc.nat(3),
      (given, isMirrored, from) => {
        const orders = given
          .map(({ price, ...order }) => ({ ...order, usdc: Math.round(order.shares * price) }))
          .sort((a, b) => a.at - b.at);
        const wanted = slowMinutes(orders, isMirrored);

        const text = hourText(orders, { ...VIEW, isMirrored, from });
        const whole = hourText(orders, { ...VIEW, isMirrored, from, isByMinute: false });

        expect(parseHour(text).orders).toEqual(
          wanted.flatMap((own) => own.filter((_, index) => index === 0 || index >= own.length - 3)),
        );
        const all = wanted.flat();
        const ends = all.length === 0 ? [] : [all[0]?.[1], all.at(-1)?.[1]];
        expect(parseHour(whole).whole).toEqual(ends);
        for (const each of [text, whole]) {
          expect(parseHour(each).from ?? 0).toBe(from);
          expect(each).toBe(canonicalJson(JSON.parse(each)));
        }
        minutes += wanted.length;
      },
    ),
    { numRuns: 200 },
  );
  expect(minutes).toBeGreaterThan(1_000);
});
