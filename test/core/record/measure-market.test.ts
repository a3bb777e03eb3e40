import { describe, expect, it } from 'vitest';
import {
  alertOn,
  type GivenOrder,
  measured,
  measuredAlert,
  recordMarket,
  time,
} from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:30'), price: 0.4, usdc: 2_000, wallet: '0xa' };

describe('a measured market', () => {
  it('belongs to its event, or to itself while the event is unknown', () => {
    expect(measured(recordMarket({ orders: [order] }))).toMatchObject({ event: 'event', settledAt: null });
    expect(measured(recordMarket({ orders: [], eventSlug: null })).event).toBe('will-it');
  });

  it('is settled only with payouts, and not before asOf', () => {
    const settledAt = time('2 00:00:00');
    const orders = [order];
    const settledBy = (asOf: number, payouts?: readonly number[]) =>
      measured(recordMarket({ orders, settledAt, ...(payouts && { payouts }) }), { asOf }).settledAt;
    expect(settledBy(settledAt, [1, 0])).toBe(settledAt);
    expect(settledBy(settledAt - 1, [1, 0])).toBeNull();
    expect(settledBy(settledAt)).toBeNull();
  });
});

describe('a measured alert', () => {
  it('has the times of the source, which on a replay differ from those that were published', () => {
    const alert = alertOn(order, time('06:00:33'));
    const market = recordMarket({ orders: [order], alerts: [alert] });
    const replayed = { ...alert, tradedAt: 7, detectedAt: 8, publishedAt: 9, createdAt: 9 };
    expect(measured({ ...market, alerts: [replayed] }).alerts).toEqual(measured(market).alerts);
    expect(measuredAlert(market).publishedAt).toBe(time('06:00:33'));
  });

  it('counts when it is the first of its wallet, market and outcome, whatever its type', () => {
    const given: readonly [GivenOrder, 'fresh' | 'cluster'][] = [
      [order, 'fresh'],
      [{ ...order, at: order.at + 1_000 }, 'cluster'],
      [{ ...order, wallet: '0xb' }, 'cluster'],
      [{ ...order, outcome: 1, price: 0.6 }, 'fresh'],
      [{ ...order, wallet: '0xb' }, 'fresh'],
    ];
    const alerts = given.map(([each, type], index) =>
      alertOn(each, time('06:02:00'), { id: index + 1, type }),
    );
    const { alerts: found } = measured(recordMarket({ orders: [], alerts }));
    expect(found.map(({ isFirst }) => isFirst)).toEqual([true, false, true, true, false]);
  });

  it('is of the outcome that its key names', () => {
    const orders = [{ at: time('06:08:00'), price: 0.3 }];
    const priceOf = (given: Parameters<typeof alertOn>[2]) => {
      const alert = alertOn({ ...order, wallet: '0xb' }, time('06:06:00'), given);
      return measuredAlert(recordMarket({ orders, alerts: [alert] })).move.price;
    };
    expect(priceOf({ outcomeIndex: 999, outcome: 'No' })).toBe(0.3);
    expect(priceOf({ key: 'w:0xt:22:BUY:1', outcomeIndex: 0, outcome: 'Yes' })).toBe(0.7);
    expect(priceOf({ key: 'c:11:BUY:1', outcomeIndex: 1, outcome: 'No' })).toBe(0.3);
  });
});
