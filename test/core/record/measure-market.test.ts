import { describe, expect, it } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
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

  it('has the alerts that were published by asOf', () => {
    const alerts = [
      alertOn(order, time('06:01:00')),
      alertOn({ ...order, wallet: '0xb' }, time('06:02:00'), { id: 2 }),
    ];
    const market = recordMarket({ orders: [order], alerts });
    const idsAt = (clock: string) => measured(market, { asOf: time(clock) }).alerts.map(({ id }) => id);
    expect([idsAt('06:00:59'), idsAt('06:01:00'), idsAt('06:02:00')]).toEqual([[], [1], [1, 2]]);
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

  it('states the price of its position where that is more than the order', () => {
    const { details } = alertOf({ id: 1 });
    const priceOf = (given: Parameters<typeof alertOn>[2]) =>
      measuredAlert(recordMarket({ orders: [], alerts: [alertOn(order, time('06:02:00'), given)] }))
        .positionPrice;
    expect(priceOf({ details: { ...details, marketBuyCount: 1, marketAvgPrice: 0.4 } })).toBeNull();
    expect(priceOf({ details: { ...details, marketBuyCount: 3, marketAvgPrice: 0.35 } })).toBe(0.35);
    const cluster = { ...details, marketBuyCount: 3, marketAvgPrice: 0.35, clusterAvgPrice: 0.38 };
    expect(priceOf({ type: 'cluster', details: cluster })).toBe(0.38);
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

describe('controls', () => {
  const publishedAt = time('06:02:30');
  const later = [
    { at: time('06:10:00'), price: 0.42 },
    { at: time('1 06:20:00'), price: 0.5 },
  ];
  const known = { usdc: 300, ageClass: 'not_fresh' } as const;
  const controlsOf = (
    buys: readonly Partial<GivenOrder>[],
    given: Parameters<typeof alertOn>[2] = {},
    asOf = time('5 00:00:00'),
  ) => {
    const orders = buys.map((buy, index) => ({
      ...order,
      ...known,
      at: time('06:04:00') + index * 1_000,
      wallet: `0x${index}`,
      ...buy,
    }));
    const alerts = [alertOn(order, publishedAt, given)];
    return measuredAlert(recordMarket({ orders: [order, ...orders, ...later], alerts }), { asOf }).controls;
  };

  it('are all buys of the outcome by older wallets within 24 h and 10 ¢, measured with the delay of the alert', () => {
    const day = 86_400_000;
    const eligible = [{ price: 0.3 }, { price: 0.5 }, { at: order.at - day }, { wallet: '0x0' }];
    const excluded: Partial<GivenOrder>[] = [
      { outcome: 1, price: 0.6 },
      { ageClass: 'fresh' },
      { ageClass: 'unknown' },
      { wallet: '0xa' },
      { wallet: '0xm' },
      { at: order.at - day - 1_000 },
      { at: order.at + day + 1_000 },
      { price: 0.299 },
      { price: 0.501 },
      { usdc: 249 },
      { isSale: true },
    ];
    const { details } = alertOf({ id: 1 });
    const cluster = { type: 'cluster', details: { ...details, wallets: ['0xa', '0xm'] } } as const;
    const found = controlsOf([...eligible, ...excluded], cluster);
    expect(found).toMatchObject({ eligible: 4, usdc: 1_200 });
  });

  it('have the mean of their moves, and none until their day is over', () => {
    // Bought at 06:10 for .42, worth .5 a day later.
    expect(controlsOf([{}])).toEqual({ eligible: 1, measured: 1, usdc: 300, move24h: 0.08 });
    const tooLate = { at: time('1 05:59:00') };
    expect(controlsOf([{}, tooLate])).toMatchObject({ eligible: 2, measured: 1, move24h: 0.08 });
    expect(controlsOf([{}], {}, time('1 06:00:00'))).toMatchObject({ eligible: 0, move24h: null });
    expect(controlsOf([])).toEqual({ eligible: 0, measured: 0, usdc: 0, move24h: null });
  });
});

describe('rivals', () => {
  const buys: readonly GivenOrder[] = [
    { at: time('05:00:00'), price: 0.5, usdc: 999.99, wallet: '0xa' },
    { at: time('05:01:00'), price: 0.5, usdc: 1_000, wallet: '0xa' },
    { at: time('05:02:00'), price: 0.5, usdc: 2_000, wallet: '0xa' },
    { at: time('05:03:00'), price: 0.5, usdc: 5_000, wallet: '0xa' },
    { at: time('05:04:00'), price: 0.5, usdc: 9_000, wallet: '0xa' },
    { at: time('05:05:00'), price: 0.4, usdc: 6_000, wallet: '0xa', outcome: 1 },
    { at: time('05:06:00'), price: 0.5, usdc: 1_500, wallet: '0xb' },
    { at: time('05:07:00'), price: 0.5, usdc: 1_500, wallet: '0xc', isSale: true },
  ];

  it('are the first buys of 1,000 and of 5,000 USDC of each wallet and outcome', () => {
    const found = measured(recordMarket({ orders: buys })).buys;
    expect(found.map(({ at, isFirst }) => [at, isFirst])).toEqual([
      [time('05:01:00'), true],
      [time('05:03:00'), false],
      [time('05:05:00'), true],
      [time('05:06:00'), true],
    ]);
  });

  it('are measured from the second of their order, on the scale of their outcome', () => {
    const later = { at: time('05:06:30'), price: 0.56 };
    const market = recordMarket({
      orders: [...buys.slice(0, 6), later],
      payouts: [0, 1],
      settledAt: time('06:00:00'),
    });
    const rival = measured(market).buys.find(({ price }) => price === 0.4);
    expect(rival).toMatchObject({ usdc: 6_000, toWin: 9_000, payout: 1 });
    expect(rival?.move).toMatchObject({ price: 0.44, value: 1, closedAt: time('06:00:00') });
  });

  it('are those of asOf', () => {
    const rivalsAt = (clock: string) =>
      measured(recordMarket({ orders: buys }), { asOf: time(clock) }).buys.length;
    expect([rivalsAt('05:00:59'), rivalsAt('05:01:00'), rivalsAt('05:06:00')]).toEqual([0, 1, 4]);
  });
});
