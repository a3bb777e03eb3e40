import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { largestBuys } from '../../../src/core/record/observations/largest-buys.ts';
import { type GivenOrder, hoursOf, time } from './record-market-fixture.ts';

const order = (at: string, usdc: number, given: Partial<GivenOrder> = {}): GivenOrder => ({
  ...{ at: time(at), usdc, price: 0.4, wallet: `0x${usdc}` },
  ...given,
});
const at = (...moments: string[]) => moments.map((moment) => ({ at: time(moment) }));
const END = { until: time('5 00:00:00'), count: 3 };
type Hours = ReturnType<typeof hoursOf>;
type Given = [moments: readonly { readonly at: number }[], end: typeof END];
const buysIn = (hours: Hours, ...given: Given) =>
  largestBuys(
    async ({ from, until }) => hours.filter(({ hour }) => hour > from - HOUR_MS && hour < until),
    ...given,
  );
const sumsOf = async (hours: Hours, ...given: Given) =>
  (await buysIn(hours, ...given)).map(({ moments, buys }) => [
    moments.length,
    ...buys.map(({ usdc }) => usdc),
  ]);

test('of the hour before and the hour after a moment, the largest buys; the edges count', async () => {
  const hours = hoursOf([
    order('05:59:59', 9_000),
    order('06:00:00', 300),
    order('07:10:00', 800, { outcome: 1, ageClass: 'fresh' }),
    order('07:20:00', 700, { isSale: true }),
    order('07:30:00', 500),
    order('08:00:00', 600),
    order('08:00:01', 9_000),
  ]);
  expect(await sumsOf(hours, at('07:00:00'), END)).toEqual([[1, 800, 600, 500]]);
  const [group] = await buysIn(hours, at('07:00:00'), END);
  expect(group?.buys[0]).toEqual({
    ...{ at: time('07:10:00'), wallet: '0x800', outcome: 1, price: 0.4, usdc: 800, isFresh: true },
  });
});

test('moments whose times meet are one group of six hours at most, the latest group first', async () => {
  const hours = hoursOf([order('06:30:00', 300), order('09:00:00', 400), order('23:00:00', 500)]);
  expect(await sumsOf(hours, at('22:30:00', '07:00:00', '09:00:00'), END)).toEqual([
    [1, 500],
    [2, 400, 300],
  ]);
  const hourly = Array.from({ length: 9 }, (_, hour) => ({ at: time('06:00:00') + hour * 60 * MINUTE_MS }));
  expect(await sumsOf([], hourly, END)).toEqual([[2], [7]]);
});

test('nothing later than what is known is shown', async () => {
  const hours = hoursOf([order('06:30:00', 300), order('07:30:00', 400)]);
  expect(await sumsOf(hours, at('07:00:00'), { ...END, until: time('07:29:59') })).toEqual([[1, 300]]);
});
