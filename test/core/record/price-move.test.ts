import { describe, expect, test } from 'vitest';
import { alertOn, type GivenOrder, measuredAlert, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:20'), price: 0.45, usdc: 2_000 };
/** A reader can buy in minutes from 06:02 to 07:00. */
const alert = alertOn(order, time('06:00:23'));
/** Too early: in the minute before. */
const early: GivenOrder = { at: time('06:01:59'), price: 0.9 };
const first: GivenOrder = { at: time('06:05:07'), price: 0.54, outcome: 1 };
const second: GivenOrder = { at: time('06:05:09'), price: 0.99 };
const aDayLater: GivenOrder = { at: time('1 06:06:30'), price: 0.35 };
const all = [order, early, first, second, aDayLater];

const moveOf = (given: Parameters<typeof recordMarket>[0], asOf?: number) =>
  measuredAlert(recordMarket({ alerts: [alert], ...given }), asOf === undefined ? {} : { asOf }).move;

describe('what a reader could buy after an alert, and what it was worth', () => {
  test('is the first order of a minute that begins 60 s after publication, and the first one a day after it', () => {
    expect(moveOf({ orders: all })).toEqual({
      openedAt: first.at,
      price: 0.46,
      closedAt: aDayLater.at,
      value: 0.35,
    });
  });

  test('does not exist without an order in the hour after publication', () => {
    const inTime = { at: time('07:00:50'), price: 0.6 };
    const tooLate = { at: time('07:01:00'), price: 0.6 };
    expect(moveOf({ orders: [order, early, inTime] })).toMatchObject({ price: 0.6, value: null });
    expect(moveOf({ orders: [order, early, tooLate] })).toMatchObject({ openedAt: null, price: null });
  });

  test('is the payout where the market was settled within the day, when it was', () => {
    const settledAt = time('20:00:00');
    const settled = { orders: all, payouts: [1, 0], settledAt };
    expect(moveOf(settled)).toMatchObject({ value: 1, closedAt: settledAt });
    // Before a reader could have bought.
    expect(moveOf({ ...settled, settledAt: time('06:04:00') })).toMatchObject({ price: null, value: null });
  });
});
