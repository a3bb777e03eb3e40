import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { ObservedMarket } from '../../../../src/core/record/observations/observation-store.ts';
import { type ComposedHour, Observer } from '../../../../src/core/record/observations/observer.ts';
import { HOUR_0 } from './observation-fixture.ts';
import { alertAt, market, orders, settled, taken } from './observer-fixture.ts';

let observer: Observer;
beforeEach(() => {
  observer = new Observer();
});
const parsed = (hours: readonly ComposedHour[]) =>
  hours.map(({ hour, text }) => ({ hour: (hour - HOUR_0) / HOUR_MS, ...JSON.parse(text) }));

describe('the hours of an observed market', () => {
  test('are by the minute from 24 h before an alert to 48 h after it, whole hours, then two prices of each hour until it is settled', () => {
    const hour = (n: number) => ({ at: HOUR_0 + n * HOUR_MS + 90_000, wallet: `0x${n}` });
    orders(observer, hour(-25), hour(-24), hour(0));
    alertAt(observer, HOUR_0 + 90_000);
    expect(market(observer)?.spans).toEqual([{ from: HOUR_0 - DAY_MS, until: HOUR_0 + 49 * HOUR_MS }]);
    orders(observer, hour(48), hour(49), hour(80));
    observer.market(settled(), HOUR_0 + 80 * HOUR_MS);
    orders(observer, hour(81));
    expect(parsed(taken(observer))).toEqual([
      { hour: -24, orders: [[90, 0.5]] },
      { hour: 0, orders: [[90, 0.5]] },
      { hour: 48, orders: [[90, 0.5]] },
      { hour: 49, whole: [0.5, 0.5] },
      { hour: 80, whole: [0.5, 0.5] },
    ]);
  });

  test('become minutes again when a later alert looks back on them; spans that overlap or touch are one', () => {
    orders(observer, { wallet: '0xa' });
    alertAt(observer, HOUR_0);
    orders(observer, { wallet: '0xb', at: HOUR_0 + 90 * HOUR_MS });
    orders(observer, { wallet: '0xc', at: HOUR_0 + 100 * HOUR_MS });
    const areMinutes = () => parsed(taken(observer)).map(({ orders }) => orders !== undefined);
    expect(areMinutes()).toEqual([true, false, false]);
    alertAt(observer, HOUR_0 + 100 * HOUR_MS);
    expect(areMinutes()).toEqual([true, true]);
    expect(market(observer)?.spans).toHaveLength(2);
    alertAt(observer, HOUR_0 + 72 * HOUR_MS);
    expect(market(observer)?.spans).toEqual([{ from: HOUR_0 - DAY_MS, until: HOUR_0 + 148 * HOUR_MS }]);
  });

  test('of which less is remembered than when they were composed are kept and counted', () => {
    observer = new Observer({ segmentRows: 2, rows: 4 });
    orders(observer, { wallet: '0xa', shares: 5 });
    alertAt(observer, HOUR_0);
    for (let n = 1; n < 20; n++)
      orders(observer, { wallet: `0x${n}`, marketId: '0xm2', at: HOUR_0 + n * SECOND_MS });
    orders(observer, { wallet: '0xlate', shares: 7, at: HOUR_0 + 19 * SECOND_MS });
    expect(parsed(taken(observer))).toEqual([{ hour: 0, orders: [[0, 0.5]] }]);
    expect(observer.retained).toBe(1);
  });

  test('before which the memory begins say from which second they are complete', () => {
    orders(observer, { wallet: '0xa', at: HOUR_0 + 65_000 }, { wallet: '0xb', at: HOUR_0 + HOUR_MS });
    alertAt(observer, HOUR_0 + HOUR_MS);
    expect(parsed(taken(observer))).toMatchObject([{ hour: 0, from: 65 }, { hour: 1 }]);
    orders(observer, { wallet: '0xc', at: HOUR_0 - HOUR_MS });
    expect(parsed(taken(observer))).toMatchObject([{ hour: -1, from: 3_600 }]);
  });

  test('stay on the scale of the stored base outcome, though the memory restarted with the other one', () => {
    orders(observer, { wallet: '0xa', asset: '1001', price: 0.4 });
    alertAt(observer, HOUR_0);
    const stored = market(observer) as ObservedMarket;
    observer = new Observer();
    observer.load(stored);
    orders(observer, { wallet: '0xb', asset: '1002', price: 0.7, usdc: 300 });
    expect(parsed(taken(observer))).toMatchObject([{ orders: [[0, 0.3]] }]);
  });
});
