import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import type { MeasuredMarket, PriceMoves } from '../../../src/core/record/measured-market.ts';
import { rounded } from '../../../src/core/rounded.ts';
import { asOfs, type RandomMarket, randomMarket, storedMarket } from './random-market.ts';
import { measured } from './record-market-fixture.ts';

type RandomOrder = RandomMarket['orders'][number];

/** The price before a whole minute by all orders, not by quotes; null: none. */
function slowPrice({ orders, settledAt }: RandomMarket, own: RandomOrder, minute: number): number | null {
  const isOwn = (order: RandomOrder) => order.outcome === own.outcome;
  if (settledAt !== null && settledAt <= minute) return own.outcome === 0 ? 1 : 0;
  const last = orders
    .filter((order) => order !== own && order.at < minute && order.at >= minute - HOUR_MS)
    .slice(-3)
    .map((order) => (isOwn(order) ? order.price : 1 - order.price))
    .sort((a, b) => a - b);
  const middle = (last.length - 1) / 2;
  const [lower, upper] = [last[Math.floor(middle)], last[Math.ceil(middle)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** The first whole minute at which 60 s have passed, found by looking at each. */
function slowReference(publishedAt: number): number {
  let minute = 0;
  for (minute = publishedAt - (publishedAt % MINUTE_MS); minute < publishedAt + 60_000; ) minute += MINUTE_MS;
  return minute;
}

function slowMoves(market: RandomMarket, own: RandomOrder, publishedAt: number): Partial<PriceMoves> {
  const price = (minute: number) => slowPrice(market, own, minute);
  const difference = (later: number | null, earlier: number | null) =>
    later === null || earlier === null ? null : rounded(later - earlier, 6);
  const moment = slowReference(publishedAt);
  const [reference, after24h] = [price(moment), price(moment + DAY_MS)];
  return {
    reference: reference === null ? null : rounded(reference, 6),
    impact: difference(reference, price(own.at - (own.at % MINUTE_MS))),
    drift1h: difference(price(moment + HOUR_MS), reference),
    drift24h: difference(after24h, reference),
    state: reference === null || after24h === null ? 'stale' : 'measured',
  };
}

/** The price that a follower paid; null: not fillable. */
function slowFill({ orders, settledAt }: RandomMarket, own: RandomOrder, publishedAt: number): number | null {
  const fill = orders.find(({ at, outcome, isSale }) => {
    const minute = at - (at % MINUTE_MS);
    const isInTime = minute >= publishedAt + 60_000 && minute < publishedAt + HOUR_MS;
    return isInTime && !isSale && outcome === own.outcome;
  });
  return fill === undefined || (settledAt !== null && fill.at >= settledAt) ? null : fill.price;
}

/** Names and values of all figures that are known. States, and counts that may grow, are left out. */
function knownFigures({ alerts, buys }: MeasuredMarket): ReadonlyMap<string, unknown> {
  const known = new Map<string, unknown>();
  const add = (name: string, figures: object) => {
    for (const [figure, value] of Object.entries(figures))
      if (value !== null && figure !== 'state') known.set(`${name} ${figure}`, value);
  };
  for (const { id, moves, controls, pro, free } of alerts) {
    const { drawn, sameOutcome, measured: count, ...figures } = controls;
    add(`${id} controls`, drawn === 0 ? {} : { ...figures, drawn, sameOutcome });
    for (const [name, own] of Object.entries({ moves, pro, free })) add(`${id} ${name}`, own);
    if (controls.knownAt !== null) add(`${id} final`, { controls, count });
    if (moves.knownAt !== null) add(`${id} final`, { moves });
  }
  for (const { at, moves } of buys) add(`${at}`, moves);
  return known;
}

describe('measureMarket, for any orders', () => {
  it('gives the figures of a slow model that reads orders instead of quotes', () => {
    fc.assert(
      fc.property(randomMarket, (market) => {
        const { alerts, buys } = measured(storedMarket(market));
        for (const [index, { order, delay }] of market.alerted.entries()) {
          const { moves, pro, free, publishedAt } = alerts[index] as (typeof alerts)[number];
          expect(publishedAt).toBe(order.at + delay);
          expect(moves).toMatchObject(slowMoves(market, order, publishedAt));
          expect(pro.price).toBe(slowFill(market, order, publishedAt));
          expect(free.price).toBe(slowFill(market, order, publishedAt + 300_000));
        }
        for (const buy of buys) {
          const order = market.orders.find(({ at }) => at === buy.at) as RandomOrder;
          expect(buy.moves).toMatchObject(slowMoves(market, order, buy.at));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('uses nothing later than asOf: the same as when it has not happened yet', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, (market, asOf) => {
        const known = measured(storedMarket(market), { asOf });
        expect(known).toEqual(measured(storedMarket(market, asOf), { asOf }));
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every figure that was known before', () => {
    fc.assert(
      fc.property(randomMarket, asOfs, asOfs, (market, one, other) => {
        const at = (asOf: number) => knownFigures(measured(storedMarket(market), { asOf }));
        const later = at(Math.max(one, other));
        for (const [name, value] of at(Math.min(one, other)))
          expect([name, later.get(name)]).toEqual([name, value]);
      }),
      { numRuns: 100 },
    );
  });
});
