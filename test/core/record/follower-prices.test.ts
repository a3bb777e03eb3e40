import { describe, expect, test } from 'vitest';
import type { ObservedMarket } from '../../../src/core/record/observations/observation-store.ts';
import {
  alertOn,
  type GivenOrder,
  observationsOf,
  pricesOf,
  recordMarket,
  time,
} from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:30'), price: 0.4, usdc: 2_000, wallet: '0xa' };
const publishedAt = time('06:06:00');
const alert = alertOn(order, publishedAt);

describe('the prices of a follower', () => {
  test('have the times of the source, which on a replay differ from those that were published', async () => {
    const market = recordMarket({ orders: [order, { at: time('06:08:00'), price: 0.3 }], alerts: [alert] });
    const replayed = { ...alert, tradedAt: 7, detectedAt: 8, publishedAt: 9, createdAt: 9 };
    const prices = await pricesOf(market, alert);
    expect(prices).toMatchObject({ publishedAt, bought: { at: time('06:08:00'), price: 0.3 } });
    expect(await pricesOf(market, replayed)).toEqual(prices);
  });

  test('are of the outcome that the key of the alert names', async () => {
    const market = recordMarket({ orders: [{ at: time('06:08:00'), price: 0.3 }] });
    const priceOf = async (given: Parameters<typeof alertOn>[2]) =>
      (await pricesOf(market, alertOn(order, publishedAt, given))).bought?.price;
    expect(await priceOf({ outcomeIndex: 999, outcome: 'No' })).toBe(0.3);
    expect(await priceOf({ key: 'w:0xt:22:BUY:1', outcomeIndex: 0, outcome: 'Yes' })).toBe(0.7);
    expect(await priceOf({ key: 'c:11:BUY:1', outcomeIndex: 1, outcome: 'No' })).toBe(0.3);
  });

  test('are unknown in a market that is not observed', async () => {
    const none = { market: null, hours: [] };
    const unknown = { publishedAt, settledAt: null, bought: null, later: null };
    expect(await pricesOf(none, alert)).toEqual(unknown);
  });

  test('of a day later are the first ones, however late, also after hours without an order', async () => {
    const orders = [
      { at: time('06:08:00'), price: 0.3 },
      { at: time('4 09:30:00'), price: 0.6 },
    ];
    const market = recordMarket({ orders });
    const empty = { marketId: '0xm1', hour: time('1 06:00:00'), text: '{"orders":[]}' };
    const { later } = await pricesOf({ ...market, hours: [...market.hours, empty] }, alert);
    expect(later).toEqual({ at: time('4 09:30:00'), price: 0.6 });
  });

  test('are read once where the market is settled and no longer observed, and each time before', async () => {
    const orders = [{ at: time('06:08:00'), price: 0.3 }];
    const readsOf = async (given: Partial<ObservedMarket>) => {
      const { market, hours } = recordMarket({ orders, alerts: [alert] });
      const stored = { market: { ...market, ...given }, hours };
      const { reader, reads } = observationsOf(stored);
      for (let time = 0; time < 3; time += 1) await reader.read(alert, Number.MAX_SAFE_INTEGER);
      return reads();
    };
    expect(await readsOf({ settledAt: time('2 00:00:00'), isOpen: false })).toBe(1);
    expect(await readsOf({ settledAt: time('2 00:00:00') })).toBe(3);
    expect(await readsOf({})).toBe(3);
  });
});
