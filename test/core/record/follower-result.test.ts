import { describe, expect, it } from 'vitest';
import { alertOn, type GivenOrder, measuredAlert, recordMarket, time } from './record-market-fixture.ts';

const order: GivenOrder = { at: time('06:00:10'), price: 0.45, usdc: 2_000 };
const alert = alertOn(order, time('06:00:20'));
const early: GivenOrder = { at: time('06:01:59'), price: 0.47 };
const fill: GivenOrder = { at: time('06:02:05'), price: 0.46 };
const freeFill: GivenOrder = { at: time('06:07:30'), price: 0.5 };

const resultsOf = ({ orders, ...given }: Parameters<typeof recordMarket>[0], asOf = time('5 00:00:00')) => {
  const market = recordMarket({ alerts: [alert], orders: [order, ...orders], ...given });
  const { pro, free } = measuredAlert(market, { asOf });
  return { pro, free };
};

describe('result of a follower', () => {
  const unpriced = { payouts: [1, 0], settledAt: time('3 00:00:00') };
  const settled = { ...unpriced, feeRate: 0.04 };

  it('is what the first buy paid in a minute that begins 60 s after publication, less the fee', () => {
    // 06:01 begins 40 s after publication. Free: published at 06:05:20, so from 06:07.
    const { pro, free } = resultsOf({ orders: [early, fill, freeFill], ...settled });
    // 0.04 · 0.46 · 0.54, and 1 − 0.46 − 0.009936
    const expected = { price: 0.46, fee: 0.009936, result: 0.530064 };
    expect(pro).toEqual({ state: 'settled', filledAt: fill.at, ...expected });
    expect(free).toEqual({ state: 'settled', filledAt: freeFill.at, price: 0.5, fee: 0.01, result: 0.49 });
  });

  it('comes from a buy of the same outcome, at the price of that outcome', () => {
    const other = alertOn({ ...order, outcome: 1 }, time('06:00:20'));
    const orders = [fill, { at: time('06:03:00'), price: 0.56, outcome: 1 as const }];
    const { pro } = resultsOf({ orders, alerts: [other], ...settled, payouts: [0.5, 0.5] });
    expect(pro).toMatchObject({ price: 0.56, result: -0.069856 });
  });

  it('has no fill without a buy in a minute that begins within the hour', () => {
    const sale = { ...fill, isSale: true };
    const inTime = { at: time('07:00:50'), price: 0.6 };
    const tooLate = { at: time('07:01:00'), price: 0.6 };
    expect(resultsOf({ orders: [sale, inTime] }).pro).toMatchObject({ price: 0.6, filledAt: inTime.at });
    expect(resultsOf({ orders: [sale, tooLate] }).pro).toEqual({
      state: 'not_fillable',
      filledAt: null,
      price: null,
      fee: null,
      result: null,
    });
  });

  it('waits for a fill until the last minute of the hour is over', () => {
    const stateAt = (clock: string) => resultsOf({ orders: [] }, time(clock)).pro.state;
    expect([stateAt('07:00:59'), stateAt('07:01:00')]).toEqual(['waiting', 'not_fillable']);
    expect(resultsOf({ orders: [fill] }, fill.at - 1).pro.state).toBe('waiting');
    expect(resultsOf({ orders: [fill] }, fill.at).pro.state).toBe('settlement');
  });

  it('is no figure while the fee rate is unknown, and counts a rate of 0', () => {
    const { pro, free } = resultsOf({ orders: [fill, freeFill], ...unpriced });
    expect(pro).toMatchObject({ state: 'fee_unknown', price: 0.46, fee: null, result: null });
    expect(free.state).toBe('fee_unknown');
    expect(resultsOf({ orders: [fill], ...settled, feeRate: 0 }).pro).toMatchObject({ fee: 0, result: 0.54 });
  });

  it('has no fill after the settlement', () => {
    const settledAt = time('06:05:00');
    const { pro, free } = resultsOf({ orders: [fill, freeFill], ...settled, settledAt });
    expect([pro.state, free.state]).toEqual(['settled', 'not_fillable']);
    expect(resultsOf({ orders: [], ...settled, settledAt }, settledAt).pro.state).toBe('not_fillable');
  });

  it('is unobserved where the minutes were not kept', () => {
    const spans = [{ from: time('05:00:00'), until: time('06:00:00') }];
    expect(resultsOf({ orders: [], spans }).pro.state).toBe('unobserved');
  });
});
