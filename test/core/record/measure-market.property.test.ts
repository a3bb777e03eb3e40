import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { rounded } from '../../../src/core/base/rounded.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { freeFollower } from '../../../src/core/record/follower-result.ts';
import type { MeasuredMarket, PriceMoves } from '../../../src/core/record/measured-market.ts';
import { asOfs, type RandomMarket, randomMarket, storedMarket } from './random-market.ts';
import { measured } from './record-market-fixture.ts';

type RandomOrder = RandomMarket['orders'][number];

/** The price before a moment by all orders from `since` on, not by quotes; null: none. */
function slowPrice(market: RandomMarket, own: RandomOrder, moment: number, since = moment - HOUR_MS) {
  const { orders, settledAt } = market;
  if (settledAt !== null && settledAt <= moment) return own.outcome === 0 ? 1 : 0;
  // Of the minute in which the moment is, the last 4 orders are kept.
  const minute = moment - (moment % MINUTE_MS);
  const after = orders.filter(({ at }) => at >= moment && at < minute + MINUTE_MS).length;
  const ofMinute = orders.filter(({ at }) => at >= minute && at < moment);
  const known = [...orders.filter(({ at }) => at < minute), ...(after < 4 ? ofMinute.slice(after - 4) : [])];
  const last = known
    .filter(({ at }) => at >= since)
    .slice(-3)
    .map(({ outcome, price }) => (outcome === own.outcome ? price : 1 - price))
    .sort((a, b) => a - b);
  const middle = (last.length - 1) / 2;
  const [lower, upper] = [last[Math.floor(middle)], last[Math.ceil(middle)]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** Tries each minute of an hour, from the first at which 60 s have passed since the publication. */
function slowReference(market: RandomMarket, own: RandomOrder, publishedAt: number) {
  let minute = publishedAt - (publishedAt % MINUTE_MS);
  while (minute < publishedAt + 60_000) minute += MINUTE_MS;
  for (const end = minute + HOUR_MS; minute <= end; minute += MINUTE_MS) {
    const price = slowPrice(market, own, minute, Math.max(own.at + 1_000, minute - HOUR_MS));
    if (price !== null) return { minute, price };
  }
  return null;
}

function slowMoves(market: RandomMarket, own: RandomOrder, publishedAt: number): Partial<PriceMoves> {
  const reference = slowReference(market, own, publishedAt);
  if (reference === null) return { reference: null, drift1h: null, drift24h: null, state: 'stale' };
  const driftTo = (later: number | null) => (later === null ? null : rounded(later - reference.price, 6));
  const before = slowPrice(market, own, own.at);
  const [after1h, after24h] = [HOUR_MS, DAY_MS].map((time) =>
    slowPrice(market, own, reference.minute + time),
  );
  return {
    reference: rounded(reference.price, 6),
    impact: before === null ? null : rounded(reference.price - before, 6),
    drift1h: driftTo(after1h as number | null),
    drift24h: driftTo(after24h as number | null),
    state: after24h === null ? 'stale' : 'measured',
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

it('what a reader without a key would have made of an alert is what the record measures', () => {
  const states = new Set<string>();
  fc.assert(
    fc.property(randomMarket, asOfs, (given, asOf) => {
      const stored = storedMarket(given, asOf);
      const expected = measured(stored, { asOf }).alerts.map(({ id, free }) => [
        id,
        { ...free, publicAt: expect.any(Number) },
      ]);
      const { settlement } = stored;
      const alerts = stored.alerts.map((alert) => ({
        ...alert,
        resolution: settlement && resolutionOf(alert, settlement),
      }));
      const found = alerts.map((alert) => [
        alert.id,
        freeFollower(alert, stored, { asOf, freeDelayMs: 300_000 }),
      ]);
      expect(found).toEqual(expected);
      for (const [, { state }] of expected as unknown as [number, { state: string }][]) states.add(state);
    }),
    { numRuns: 200 },
  );
  expect(states.size).toBeGreaterThan(3);
});
