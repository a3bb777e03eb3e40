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
    const { event, tags, endsAt, settledAt } = measured(
      recordMarket({ orders: [order], tags: ['politics'], endsAt: 5 }),
    );
    expect({ event, tags, endsAt, settledAt }).toEqual({
      event: 'event',
      tags: ['politics'],
      endsAt: 5,
      settledAt: null,
    });
    expect(measured(recordMarket({ orders: [], eventSlug: null }))).toMatchObject({
      event: 'will-it',
      tags: [],
      endsAt: null,
    });
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
    expect(measuredAlert(market)).toMatchObject({ tradedAt: order.at, publishedAt: time('06:00:33') });
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

  it('leaves the buys of all members of its cluster out of its controls', () => {
    const known = { ageClass: 'not_fresh', usdc: 300 } as const;
    const buys = ['0xm', '0xn', '0xo'].map((wallet, index) => ({
      ...order,
      ...known,
      wallet,
      at: order.at + index * 1_000,
    }));
    const { details } = alertOf({ id: 1 });
    const alert = alertOn(order, time('06:02:00'), {
      type: 'cluster',
      details: { ...details, wallets: ['0xa', '0xm', '0xn'] },
    });
    expect(measuredAlert(recordMarket({ orders: [order, ...buys], alerts: [alert] })).controls.drawn).toBe(1);
  });

  it('is of the outcome that its key names, else of its index, else of its name', () => {
    const orders = [
      { at: time('06:05:00'), price: 0.3 },
      { at: time('06:05:10'), price: 0.3 },
    ];
    const referenceOf = (given: Parameters<typeof alertOn>[2], baseOutcomeIndex = 0) => {
      const alert = alertOn({ ...order, wallet: '0xb' }, time('06:06:00'), given);
      return measuredAlert(recordMarket({ orders, alerts: [alert], baseOutcomeIndex })).moves.reference;
    };
    expect(referenceOf({ outcomeIndex: 999, outcome: 'No' })).toBe(0.3);
    expect(referenceOf({ key: 'w:0xt:22:BUY:1', outcomeIndex: 0, outcome: 'Yes' })).toBe(0.7);
    expect(referenceOf({ key: 'w:0xt:hash', outcomeIndex: 1, outcome: 'Yes' })).toBe(0.7);
    expect(referenceOf({ key: 'w:0xt:hash', outcomeIndex: 999, outcome: 'Yes' })).toBe(0.3);
    expect(referenceOf({ key: 'w:0xt:hash', outcomeIndex: 0, outcome: 'No' }, 999)).toBe(0.7);
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
    const later = { at: time('05:05:30'), price: 0.56 };
    const market = recordMarket({ orders: [...buys, later], payouts: [0, 1], settledAt: time('06:00:00') });
    const rival = measured(market).buys.find(({ price }) => price === 0.4);
    // The reference moment is 05:06, a minute after the order: 0.56 of Yes.
    expect(rival).toMatchObject({ usdc: 6_000, profitAtStake: 9_000, payout: 1 });
    expect(rival?.moves).toMatchObject({ reference: 0.44, drift24h: 0.56, knownAt: time('06:00:00') });
  });

  it('are those of asOf', () => {
    const rivalsAt = (clock: string) =>
      measured(recordMarket({ orders: buys }), { asOf: time(clock) }).buys.length;
    expect([rivalsAt('05:00:59'), rivalsAt('05:01:00'), rivalsAt('05:06:00')]).toEqual([0, 1, 4]);
  });
});
