import { describe, expect, test } from 'vitest';
import { followerPricesOf } from '../../../src/core/record/follower-prices.ts';
import { alertOn, type GivenOrder, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:30'), price: 0.4, usdc: 2_000, wallet: '0xa' };
const publishedAt = time('06:06:00');
const alert = alertOn(order, publishedAt);
const LATER = time('5 00:00:00');

describe('the prices of a follower', () => {
  test('have the times of the source, which on a replay differ from those that were published', () => {
    const { market } = recordMarket({
      orders: [order, { at: time('06:08:00'), price: 0.3 }],
      watched: [alert],
    });
    const replayed = { ...alert, tradedAt: 7, detectedAt: 8, publishedAt: 9, createdAt: 9 };
    const prices = followerPricesOf(alert, market, LATER);
    expect(prices).toMatchObject({ publishedAt, bought: { at: time('06:08:00'), price: 0.3 } });
    expect(followerPricesOf(replayed, market, LATER)).toEqual(prices);
  });

  test('are of the outcome that the key of the alert names', () => {
    const priceOf = (given: Parameters<typeof alertOn>[2]) => {
      const own = alertOn(order, publishedAt, given);
      const { market } = recordMarket({ orders: [{ at: time('06:08:00'), price: 0.3 }], watched: [own] });
      return followerPricesOf(own, market, LATER).bought?.price;
    };
    expect(priceOf({ outcomeIndex: 999, outcome: 'No' })).toBe(0.3);
    expect(priceOf({ key: 'w:0xt:22:BUY:1', outcomeIndex: 0, outcome: 'Yes' })).toBe(0.7);
    expect(priceOf({ key: 'c:11:BUY:1', outcomeIndex: 1, outcome: 'No' })).toBe(0.3);
  });

  test('are unknown in a market that is not watched', () => {
    const unknown = { publishedAt, settledAt: null, bought: null, later: null };
    expect(followerPricesOf(alert, null, LATER)).toEqual(unknown);
  });
});
