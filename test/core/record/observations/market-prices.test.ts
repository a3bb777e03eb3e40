import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { MarketPrices } from '../../../../src/core/record/observations/market-prices.ts';
import type { HourQuery } from '../../../../src/core/record/observations/observation-store.ts';
import { pricePointsOf } from '../../../../src/core/record/observations/price-line.ts';
import { publishedTime, type TimeMapping } from '../../../../src/core/trades/source/source.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { alertOn, type GivenOrder, recordMarket, time } from '../record-market-fixture.ts';

const TRADED = time('12:00:00');
const TRADE: GivenOrder = { at: TRADED, price: 0.4 };
const LATER: readonly GivenOrder[] = [
  { at: TRADED + 10 * MINUTE_MS, price: 0.45 },
  { at: TRADED + 10 * MINUTE_MS + 30_000, price: 0.5, outcome: 1 },
];
const ALERT = alertOn(TRADE, TRADED);

function pricesOf(
  orders: readonly GivenOrder[],
  { alerts = [ALERT], mapping = null }: { alerts?: readonly Alert[]; mapping?: TimeMapping | null } = {},
) {
  const stored = recordMarket({ orders, alerts });
  const clock = createFakeClock(TRADED);
  const reads = { hours: 0, fails: false };
  const observations = {
    market: async (id: string) => (id === '0xm1' ? stored.market : null),
    endingNext: async () => [],
    async hours(_id: string, { from, until, limit, isNewestFirst = false }: HourQuery) {
      reads.hours += 1;
      if (reads.fails) throw new Error('the database is not available');
      const found = stored.hours.filter(({ hour }) => hour >= from && hour < until);
      return (isNewestFirst ? found.toReversed() : found).slice(0, limit);
    },
  };
  const prices = new MarketPrices(observations, async () => ({ time: 0, mapping }), clock);
  return { prices, clock, reads };
}

const order: fc.Arbitrary<GivenOrder> = fc.record({
  at: fc
    .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 7_200 }))
    .map(([hours, seconds]) => TRADED + hours * HOUR_MS + seconds * SECOND_MS),
  price: fc.integer({ min: 1, max: 99 }).map((inCents) => inCents / 100),
  outcome: fc.constantFrom(0, 1),
});
const orders = fc.uniqueArray(order, { selector: ({ at }) => at, maxLength: 60 });
const moments = fc.integer({ min: TRADED - HOUR_MS, max: TRADED + 2 * DAY_MS });

describe('the last price of an alert’s outcome', () => {
  test('is that of the last order known at the moment, to the second, on the scale of its outcome', async () => {
    const { prices } = pricesOf([TRADE, ...LATER]);
    const seconds = [-1, 0, 599, 600, 629, 630];
    const found = await Promise.all(seconds.map((s) => prices.lastOf(ALERT, TRADED + s * 1_000)));
    expect(found).toEqual([null, 0.4, 0.4, 0.45, 0.45, 0.5]);
    const other = alertOn({ ...TRADE, outcome: 1 }, TRADED);
    expect(await prices.lastOf(other, TRADED + 600_000)).toBe(0.55);
  });

  test('is the newest of all that are known by then', async () => {
    await fc.assert(
      fc.asyncProperty(orders, moments, async (given, until) => {
        const known = recordMarket({ orders: given, alerts: [ALERT] }).hours.flatMap(pricePointsOf);
        const last = known.findLast(({ at }) => at <= until);
        expect(await pricesOf(given).prices.lastOf(ALERT, until)).toBe(last?.price ?? null);
      }),
    );
  });

  test('is looked for in the last 30 days, and none before the alert’s order counts', async () => {
    const { prices } = pricesOf([{ at: TRADED - 60_000, price: 0.3 }, TRADE]);
    expect(await prices.lastOf(ALERT, TRADED + 5 * HOUR_MS)).toBe(0.4);
    expect(await prices.lastOf(ALERT, TRADED + 2 * DAY_MS)).toBe(0.4);
    expect(await prices.lastOf(ALERT, TRADED + 29 * DAY_MS)).toBe(0.4);
    expect(await prices.lastOf(ALERT, TRADED + 32 * DAY_MS)).toBeNull();
    const unwritten = pricesOf([{ at: TRADED - 60_000, price: 0.3 }]);
    expect(await unwritten.prices.lastOf(ALERT, TRADED + HOUR_MS)).toBeNull();
  });

  test('is the payout once the alert has a result; of a market that is not observed there is none', async () => {
    const { prices, reads } = pricesOf([TRADE]);
    const settled = { ...ALERT, resolution: { payout: 0.5, won: true, profitUsdc: 1 } };
    expect(await prices.lastOf(settled, TRADED)).toBe(0.5);
    expect(await prices.lastOf({ ...ALERT, marketId: '0xm2' }, TRADED)).toBeNull();
    expect(reads.hours).toBe(0);
  });

  test('is read once a minute; a read that failed is repeated', async () => {
    const { prices, clock, reads } = pricesOf([TRADE, ...LATER]);
    reads.fails = true;
    await expect(prices.lastOf(ALERT, TRADED)).rejects.toThrow('not available');
    reads.fails = false;
    await Promise.all([prices.lastOf(ALERT, TRADED), prices.lastOf(ALERT, TRADED + 1_000)]);
    await clock.advance(MINUTE_MS - 1);
    expect(await prices.lastOf(ALERT, TRADED + 600_000)).toBe(0.45);
    expect(reads.hours).toBe(2);
    await clock.advance(1);
    await prices.lastOf(ALERT, TRADED + 600_000);
    expect(reads.hours).toBe(3);
  });
});

describe('the line of a market’s price', () => {
  const ALL = { from: 0, until: TRADED + 2 * DAY_MS, points: 300 };

  async function lineOf(
    { prices }: ReturnType<typeof pricesOf>,
    request: Partial<typeof ALL> & { end?: number } = {},
  ) {
    const { market } = (await prices.marketOf(ALERT)) ?? expect.unreachable();
    return prices.lineOf(market, { ...ALL, ...request });
  }

  test('has the known prices from a moment to another in their order, none after it', async () => {
    await fc.assert(
      fc.asyncProperty(orders, moments, moments, async (given, from, until) => {
        const known = recordMarket({ orders: given, alerts: [ALERT] }).hours.flatMap(pricePointsOf);
        const shown = known.filter(({ at }) => at >= from && at <= until);
        expect(await lineOf(pricesOf(given), { from, until })).toEqual(shown);
        expect(await lineOf(pricesOf(given), { from, end: until })).toEqual(shown);
      }),
    );
  });

  test('is read again after five minutes, and ends with the newest price of the last minute', async () => {
    const given = pricesOf([0, 100, 200].map((seconds) => ({ ...TRADE, at: TRADED + seconds * SECOND_MS })));
    const secondsOf = async (seconds: number) => {
      const line = await lineOf(given, { until: TRADED + seconds * SECOND_MS });
      return line.map(({ at }) => (at - TRADED) / SECOND_MS);
    };
    expect(await secondsOf(0)).toEqual([0]);
    const { hours } = given.reads;
    await given.clock.advance(MINUTE_MS);
    expect(await secondsOf(250)).toEqual([0, 200]);
    expect(given.reads.hours).toBe(hours + 1);
    await given.clock.advance(4 * MINUTE_MS);
    expect(await secondsOf(250)).toEqual([0, 100, 200]);
  });
});

describe('on a tape that was moved in time', () => {
  const moved = (by: (at: number) => number): Alert => ({ ...ALERT, tradedAt: by(TRADED) });

  test('by a constant, the moment is moved by what the alert’s two times differ by', async () => {
    const { prices } = pricesOf([TRADE, ...LATER]);
    const alert = moved((at) => at + 3 * DAY_MS);
    const at = (seconds: number) => prices.lastOf(alert, TRADED + 3 * DAY_MS + seconds * 1_000);
    expect([await at(-1), await at(599), await at(600)]).toEqual([null, 0.4, 0.45]);
  });

  test('and is played at a speed, nothing later than the moment’s own place on the tape is known', async () => {
    for (const speed of [0.5, 60]) {
      const mapping = { pivot: TRADED - HOUR_MS, origin: TRADED + DAY_MS, speed, hasHistory: true };
      const { prices } = pricesOf([TRADE, ...LATER], { mapping });
      const alert = moved((at) => publishedTime(mapping, at));
      const published = publishedTime(mapping, TRADED + 10 * MINUTE_MS);
      expect(await prices.lastOf(alert, published)).toBe(0.45);
      expect(await prices.lastOf(alert, published - 1)).toBe(0.4);
    }
  });
});
