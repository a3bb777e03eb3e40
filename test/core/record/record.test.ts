import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALERT_TYPES, type Alert } from '../../../src/core/alerts/alert.ts';
import { SCORE_BANDS, scoreBandOf, summariseRecord } from '../../../src/core/record/record.ts';

function alertOf(given: Partial<Alert>): Alert {
  return {
    id: 1,
    key: 'k',
    type: 'fresh',
    wallet: '0xw',
    marketId: 'm1',
    eventTitle: 't',
    eventSlug: 's',
    side: 'BUY',
    outcome: 'Yes',
    outcomeIndex: 0,
    entryPrice: 0.5,
    usdc: 1000,
    shares: 2000,
    score: 50,
    category: 'other',
    tradeCount: 1,
    tradedAt: 0,
    details: {
      walletAgeDays: 1,
      isAccumulating: false,
      marketBuyCount: 1,
      marketTotalBought: 1000,
      marketAvgPrice: 0.5,
      reasons: [],
      ruleVersion: 'r',
    },
    detectedAt: 0,
    publishedAt: 0,
    createdAt: 0,
    isHistory: false,
    threadId: 1,
    supersedes: null,
    resolution: null,
    ...given,
  };
}

const won = (profitUsdc: number) => ({ payout: 1, won: true, profitUsdc });
const lost = (profitUsdc: number) => ({ payout: 0, won: false, profitUsdc });

describe('summariseRecord', () => {
  // Market a: three wins bought at 0.5, 0.6 and 0.7. Market b: one loss at 0.2. Market c: not resolved.
  const alerts = [
    alertOf({ marketId: 'a', entryPrice: 0.5, resolution: won(100) }),
    alertOf({ marketId: 'a', entryPrice: 0.6, resolution: won(200) }),
    alertOf({ marketId: 'a', entryPrice: 0.7, resolution: won(600) }),
    alertOf({ marketId: 'b', entryPrice: 0.2, resolution: lost(-1000) }),
    alertOf({ marketId: 'c', entryPrice: 0.9, resolution: null }),
  ];

  it('counts a position once, as the last alert of its thread states it, and older alerts not at all', () => {
    const held = (id: number, threadId: number, marketTotalBought: number, positionShares?: number) => {
      const shares = positionShares === undefined ? {} : { positionShares };
      const details = { ...alertOf({}).details, marketTotalBought, ...shares };
      return alertOf({ id, threadId, details, resolution: won(500) });
    };
    const thread = [held(2, 2, 1_000, 2_000), held(5, 2, 3_000, 10_000)];
    const positionsOf = (...alerts: Alert[]) => summariseRecord(alerts).all.positions;
    expect(positionsOf(...thread.toReversed())).toEqual({ count: 1, profitUsdc: 7_000 });
    expect(positionsOf(...thread, held(7, 7, 900))).toEqual({ count: 1, profitUsdc: 7_000 });
    expect(positionsOf(held(7, 7, 900))).toEqual({ count: 0, profitUsdc: null });
  });

  it('leaves clusters out beside alerts of wallets, which have their members already', () => {
    const details = { ...alertOf({}).details, marketTotalBought: 1_000, positionShares: 2_000 };
    const member = alertOf({ id: 1, threadId: 1, score: 90, details, resolution: won(1_000) });
    const bought = { wallets: ['0xa', '0xb', '0xc'], clusterTotal: 3_000, clusterShares: 6_000 };
    const cluster = alertOf({
      ...{ id: 2, threadId: 2, type: 'cluster', score: 70 },
      ...{ details: { ...details, ...bought }, resolution: won(1_000) },
    });
    const { all, byType, byBand } = summariseRecord([member, cluster]);
    expect(all.positions).toEqual({ count: 1, profitUsdc: 1_000 });
    expect(byBand.very_high.positions).toEqual({ count: 1, profitUsdc: 1_000 });
    for (const alone of [byType.cluster, byBand.strong])
      expect(alone.positions).toEqual({ count: 1, profitUsdc: 3_000 });
  });

  it('counts every alert once, losses included and the unresolved left out of the rates', () => {
    const { perAlert, profitUsdc } = summariseRecord(alerts).all;
    const { count, resolved, winRate, averageEntry, edge } = perAlert;
    expect([count, resolved, winRate, profitUsdc]).toEqual([5, 4, 0.75, -100]);
    expect(averageEntry).toBeCloseTo(0.5, 12);
    expect(edge).toBeCloseTo(0.25, 12);
  });

  it('counts a market once, as the mean of its resolved alerts', () => {
    const { count, resolved, winRate, averageEntry, edge } = summariseRecord(alerts).all.perMarket;
    expect([count, resolved, winRate]).toEqual([3, 2, 0.5]);
    expect(averageEntry).toBeCloseTo(0.4, 12);
    expect(edge).toBeCloseTo(0.1, 12);
  });

  it('leaves an unresolved alert out of the mean of its own market', () => {
    const mixed = [alertOf({ resolution: lost(-10), entryPrice: 0.3 }), alertOf({ entryPrice: 0.9 })];
    expect(summariseRecord(mixed).all.perMarket).toEqual({
      count: 1,
      resolved: 1,
      winRate: 0,
      averageEntry: 0.3,
      edge: -0.3,
      intervals: null,
    });
  });

  it('says null, not zero, where nothing is resolved', () => {
    const nothing = { resolved: 0, winRate: null, averageEntry: null, edge: null, intervals: null };
    const { all } = summariseRecord([alertOf({})]);
    expect(all.perAlert).toEqual({ count: 1, ...nothing });
    expect(all.perEvent).toEqual({ count: 1, ...nothing });
    expect(all.profitUsdc).toBeNull();
    expect(summariseRecord([]).all.perMarket).toEqual({ count: 0, ...nothing });
  });

  it('counts an event once, as the mean of its markets, however many alerts each has', () => {
    const eventOf = (marketId: string) => (marketId === 'c' ? 'other' : 'night');
    const { perEvent, perMarket } = summariseRecord(alerts, { eventOf }).all;
    expect([perEvent.count, perEvent.resolved, perEvent.winRate]).toEqual([2, 1, 0.5]);
    expect(perEvent.averageEntry).toBeCloseTo(0.4, 12);
    // One event does not say how much events vary; its two markets say how much markets do.
    expect(perEvent.intervals).toBeNull();
    expect(perMarket.intervals).not.toBeNull();
  });

  it('draws the intervals of alerts by market: a market’s copies give none', () => {
    const copies = Array.from({ length: 50 }, () => alertOf({ resolution: won(10) }));
    expect(summariseRecord(copies).all.perAlert.intervals).toBeNull();
    const { perAlert } = summariseRecord([...copies, alertOf({ marketId: 'b', resolution: lost(-10) })]).all;
    // Drawn by alert, 50 of 51 right would leave no room for a win rate of 0.
    expect(perAlert.intervals?.winRate).toEqual({ low: 0, high: 1 });
  });

  it('takes the price of the other side as the entry of a SELL, so that its edge is against the odds', () => {
    const { averageEntry, edge } = summariseRecord([
      alertOf({ side: 'SELL', entryPrice: 0.75, resolution: { payout: 0, won: true, profitUsdc: 75 } }),
    ]).all.perAlert;
    expect([averageEntry, edge]).toEqual([0.25, 0.75]);
  });

  it('splits by type and by band, the empty ones present', () => {
    const { byType, byBand } = summariseRecord([
      alertOf({ type: 'cluster', score: 80, resolution: won(5) }),
      alertOf({ type: 'fresh', score: 79, resolution: lost(-5) }),
    ]);
    expect(Object.keys(byType)).toEqual([...ALERT_TYPES]);
    expect(Object.keys(byBand)).toEqual(SCORE_BANDS.map(({ band }) => band));
    expect(byType.cluster.profitUsdc).toBe(5);
    expect(byType.fresh_accumulator.perAlert.count).toBe(0);
    expect(byBand.very_high.profitUsdc).toBe(5);
    expect(byBand.strong.profitUsdc).toBe(-5);
  });
});

it.each([
  [100, 'very_high'],
  [80, 'very_high'],
  [79, 'strong'],
  [60, 'strong'],
  [59, 'moderate'],
  [40, 'moderate'],
  [39, 'informational'],
  [0, 'informational'],
] as const)('a score of %i is %s', (score, band) => {
  expect(scoreBandOf(score)).toBe(band);
});

const given = fc.record({
  marketId: fc.constantFrom('a', 'b', 'c', 'd'),
  type: fc.constantFrom(...ALERT_TYPES),
  score: fc.integer({ min: 0, max: 100 }),
  entryPrice: fc.double({ min: 0.01, max: 0.95, noNaN: true }),
  resolution: fc.option(
    fc.record({
      payout: fc.constantFrom(0, 0.5, 1),
      won: fc.boolean(),
      profitUsdc: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    }),
  ),
});
const alertsArbitrary = fc.array(given.map(alertOf), { maxLength: 40 });

const quick = { resamples: 100, eventOf: (marketId: string) => marketId };

describe('summariseRecord, for any alerts', () => {
  it('gives the same record in any order, to the last bit', () => {
    const shuffled = alertsArbitrary.chain((alerts) =>
      fc.tuple(fc.constant(alerts), fc.shuffledSubarray(alerts, { minLength: alerts.length })),
    );
    fc.assert(
      fc.property(shuffled, ([alerts, other]) => {
        expect(summariseRecord(other, quick)).toEqual(summariseRecord(alerts, quick));
      }),
    );
  });

  it('counts per market what it counts per alert when each market has one alert', () => {
    fc.assert(
      fc.property(alertsArbitrary, (alerts) => {
        const apart = alerts.map((alert, index) => ({ ...alert, marketId: `m${index}` }));
        const { all } = summariseRecord(apart, quick);
        expect(all.perMarket).toEqual(all.perAlert);
        expect(all.perEvent).toEqual(all.perAlert);
      }),
    );
  });

  it('has types that add up to all, bands that add up to all, and rates between 0 and 1', () => {
    fc.assert(
      fc.property(alertsArbitrary, (alerts) => {
        const { all, byType, byBand } = summariseRecord(alerts, quick);
        for (const split of [Object.values(byType), Object.values(byBand)]) {
          expect(split.reduce((total, entry) => total + entry.perAlert.count, 0)).toBe(alerts.length);
          expect(split.reduce((total, entry) => total + entry.perAlert.resolved, 0)).toBe(
            all.perAlert.resolved,
          );
        }
        for (const { winRate } of [all.perAlert, all.perMarket]) {
          expect(winRate === null || (winRate >= 0 && winRate <= 1)).toBe(true);
        }
      }),
    );
  });

  it('gives the same intervals when every alert comes twice: copies add no certainty', () => {
    fc.assert(
      fc.property(alertsArbitrary, (alerts) => {
        const boundsOf = (given: readonly Alert[]) => {
          const { perAlert, perMarket } = summariseRecord(given, quick).all;
          return [perAlert, perMarket].flatMap(({ intervals }) =>
            Object.values(intervals ?? {}).flatMap(({ low, high }) => [low, high]),
          );
        };
        const [once, twice] = [boundsOf(alerts), boundsOf([...alerts, ...alerts])];
        expect(twice).toHaveLength(once.length);
        for (const [index, bound] of once.entries()) expect(twice[index]).toBeCloseTo(bound, 9);
      }),
    );
  });
});
