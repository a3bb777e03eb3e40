import { describe, expect, test } from 'vitest';
import { alertOn, type GivenOrder, measuredAlert, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:20'), price: 0.45, usdc: 2_000 };
/** A reader can buy in minutes from 06:02 to 07:00. */
const alert = alertOn(order, time('06:00:23'));
const before: GivenOrder = { at: time('05:58:00'), price: 0.61, outcome: 1 };
/** Too early: in the minute before. */
const early: GivenOrder = { at: time('06:01:59'), price: 0.9 };
const first: GivenOrder = { at: time('06:05:07'), price: 0.54, outcome: 1 };
const second: GivenOrder = { at: time('06:05:09'), price: 0.99 };
const anHourLater: GivenOrder = { at: time('07:06:01'), price: 0.5 };
const aDayLater: GivenOrder = { at: time('1 06:06:30'), price: 0.35 };
const all = [before, order, early, first, second, anHourLater, aDayLater];

const moveOf = (given: Parameters<typeof recordMarket>[0], asOf?: number) =>
  measuredAlert(recordMarket({ alerts: [alert], ...given }), asOf === undefined ? {} : { asOf }).move;

describe('what a reader could buy after an alert, and what it was worth', () => {
  test('is the first order of a minute that begins 60 s after publication, and the first one a day after it', () => {
    expect(moveOf({ orders: all })).toEqual({
      state: 'measured',
      openedAt: first.at,
      price: 0.46,
      before: 0.39,
      afterHour: 0.5,
      closedAt: aDayLater.at,
      value: 0.35,
    });
  });

  test('does not exist without an order in the hour after publication', () => {
    const inTime = { at: time('07:00:50'), price: 0.6 };
    const tooLate = { at: time('07:01:00'), price: 0.6 };
    expect(moveOf({ orders: [order, early, inTime] })).toMatchObject({ state: 'pending', price: 0.6 });
    expect(moveOf({ orders: [order, early, tooLate] })).toMatchObject({ state: 'no_price', price: null });
    const stateAt = (clock: string) => moveOf({ orders: [order] }, time(clock)).state;
    expect([stateAt('07:00:59'), stateAt('07:01:00')]).toEqual(['pending', 'no_price']);
  });

  test('is unobserved where an order of that hour may not have been kept', () => {
    const spans = [{ from: time('05:00:00'), until: time('06:00:00') }];
    expect(moveOf({ orders: [order], spans }).state).toBe('unobserved');
    expect(moveOf({ orders: [order, first], spans: recordMarket({ orders: [] }).market.spans }).price).toBe(
      0.46,
    );
  });

  test('is the payout where the market was settled within the day, when it was', () => {
    const settledAt = time('20:00:00');
    const settled = { orders: all, payouts: [1, 0], settledAt };
    expect(moveOf(settled)).toMatchObject({ value: 1, closedAt: settledAt, afterHour: 0.5 });
    expect(moveOf({ ...settled, settledAt: time('07:00:00') })).toMatchObject({ afterHour: 1, value: 1 });
  });
});
