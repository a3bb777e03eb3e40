import { describe, expect, it } from 'vitest';
import { alertOn, type GivenOrder, measuredAlert, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:20'), price: 0.45, usdc: 2_000 };
const alert = alertOn(order, time('06:00:23'));
const before: readonly GivenOrder[] = [
  { at: time('05:50:00'), price: 0.4 },
  { at: time('05:55:00'), price: 0.41, isSale: true },
  { at: time('05:58:00'), price: 0.61, outcome: 1 },
  { at: time('06:00:10'), price: 0.42 },
];
// The reference moment is 06:02: the first whole minute 60 s after 06:00:23.
const after: readonly GivenOrder[] = [
  { at: time('06:00:21'), price: 0.9 },
  { at: time('06:00:40'), price: 0.43, isSale: true },
  { at: time('06:01:10'), price: 0.54, outcome: 1 },
  { at: time('06:01:59'), price: 0.44 },
  { at: time('06:02:00'), price: 0.99 },
];
const later: readonly GivenOrder[] = [
  { at: time('06:30:00'), price: 0.47 },
  { at: time('06:45:00'), price: 0.48 },
  { at: time('07:01:59'), price: 0.5 },
  { at: time('07:02:00'), price: 0.99 },
  { at: time('1 05:30:00'), price: 0.35 },
];
const all = [...before, order, ...after, ...later];

const movesOf = (given: Parameters<typeof recordMarket>[0], asOf?: number) =>
  measuredAlert(recordMarket({ alerts: [alert], ...given }), asOf === undefined ? {} : { asOf }).moves;

describe('price moves of an alert', () => {
  it('compare medians of the last 3 orders: before the order, and after it before whole minutes', () => {
    expect(movesOf({ orders: all })).toEqual({
      reference: 0.44, // 0.43, 0.46 (54 ¢ of the other outcome), 0.44
      impact: 0.03, // from 0.41: 0.41, 0.39 (61 ¢ of the other outcome), 0.42
      drift1h: 0.04, // 0.47, 0.48, 0.5 before 07:02
      drift24h: -0.09, // one order of 0.35 in the hour before
      state: 'measured',
      knownAt1h: time('07:02:00'),
      knownAt: time('1 06:02:00'),
    });
  });

  it('begin at the first whole minute at least 60 s after publication', () => {
    const referenceAt = (publishedAt: string) =>
      movesOf({ orders: all, alerts: [alertOn(order, time(publishedAt))] }).reference;
    // 06:02: 0.43, 0.46, 0.44. 06:03: 0.46, 0.44, 0.99.
    expect(referenceAt('06:01:00')).toBe(0.44);
    expect(referenceAt('06:01:01')).toBe(0.46);
  });

  it('have a reference of orders after the own second, and begin with the first of them', () => {
    const sameSecond = { ...order, price: 0.8, wallet: '0xother' };
    const next = { at: time('06:10:30'), price: 0.5 };
    const orders = [...before, sameSecond, order, next, ...later];
    // The reference moment is 06:11: after 1 h 0.47, 0.48, 0.5 and 0.99 have been traded, the last 3 are 0.48, 0.5, 0.99.
    expect(movesOf({ orders })).toMatchObject({
      reference: 0.5,
      impact: 0.09,
      drift1h: 0,
      knownAt1h: time('07:11:00'),
      knownAt: time('1 06:11:00'),
    });
  });

  it('are stale without an order until 1 h after the earliest reference moment', () => {
    const next = (clock: string) => movesOf({ orders: [...before, order, { at: time(clock), price: 0.5 }] });
    expect(next('07:01:59').reference).toBe(0.5);
    const none = { state: 'stale', reference: null, impact: null, drift24h: null };
    expect(next('07:02:00')).toMatchObject({
      ...none,
      knownAt1h: time('07:02:00'),
      knownAt: time('07:02:00'),
    });
    const late = alertOn(order, time('08:00:23'));
    // Two hours late: what was traded more than an hour before 08:02 does not count.
    expect(movesOf({ orders: all, alerts: [late] })).toMatchObject({ reference: 0.99, drift1h: null });
    expect(movesOf({ orders: [order, ...after], alerts: [late] }).state).toBe('stale');
  });

  it('are stale without an order in the hour before the later moment, which leaves the 1 h drift as it is', () => {
    const moves = movesOf({ orders: [...all.slice(0, -1), { at: time('1 05:01:59'), price: 0.35 }] });
    expect(moves).toMatchObject({ state: 'stale', drift1h: 0.04, drift24h: null });
    expect([moves.knownAt1h, moves.knownAt]).toEqual([time('07:02:00'), time('1 06:02:00')]);
  });

  it('are pending until their moment has come, each on its own', () => {
    expect(movesOf({ orders: all }, time('06:01:59'))).toMatchObject({ state: 'pending', reference: null });
    expect(movesOf({ orders: all }, time('07:01:59'))).toMatchObject({ reference: 0.44, drift1h: null });
    const beforeLast = movesOf({ orders: all }, time('1 06:01:59'));
    expect(beforeLast).toMatchObject({ drift1h: 0.04, drift24h: null, state: 'pending', knownAt: null });
    expect(movesOf({ orders: all }, time('1 06:02:00'))).toMatchObject({
      drift24h: -0.09,
      state: 'measured',
    });
    expect(movesOf({ orders: [order] }, time('07:01:59')).state).toBe('pending');
    expect(movesOf({ orders: [order] }, time('07:02:00')).state).toBe('stale');
  });

  it.each([
    ['before the reference moment', '06:02:00', { reference: 1, drift1h: 0, drift24h: 0, impact: 0.59 }],
    ['before 1 h', '07:02:00', { reference: 0.44, drift1h: 0.56, drift24h: 0.56, impact: 0.03 }],
    ['before 24 h', '07:02:01', { reference: 0.44, drift1h: 0.04, drift24h: 0.56, impact: 0.03 }],
  ])('take the payout of a market that is settled %s, as soon as it is settled', (_, settled, expected) => {
    const settledAt = time(settled);
    const moves = movesOf({ orders: all, payouts: [1, 0], settledAt }, settledAt + 1);
    expect(moves).toMatchObject({ ...expected, state: 'measured', knownAt: settledAt });
  });

  it('take the payout where the market is settled before another order comes', () => {
    const settledAt = time('06:31:01');
    const settled = { orders: [...before, order, ...later], payouts: [1, 0], settledAt };
    expect(movesOf(settled)).toMatchObject({ reference: 0.47, drift1h: 0.53 });
    const unpriced = { ...settled, orders: [...before, order] };
    expect(movesOf(unpriced)).toMatchObject({ reference: 1, drift24h: 0, knownAt: settledAt });
  });

  it('do not know a settlement before it was made', () => {
    const settledAt = time('12:00:00');
    const moves = movesOf({ orders: all, payouts: [1, 0], settledAt }, settledAt - 1);
    expect(moves).toEqual(movesOf({ orders: all }, settledAt - 1));
  });

  it('are unobserved where orders were not kept by the minute', () => {
    const spans = [{ from: time('06:00:00'), until: time('07:00:00') }];
    expect(movesOf({ orders: [...before, order], spans })).toMatchObject({ state: 'unobserved' });
  });
});
