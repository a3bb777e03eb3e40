import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { bootstrapIntervals } from '../../../src/core/record/bootstrap.ts';
import { conclusionOf, FEWEST_EVENTS } from '../../../src/core/record/conclusion.ts';
import {
  type PublishedRecord,
  type RecordEntry,
  type RecordFigures,
  ratesOf,
  summariseRecord,
} from '../../../src/core/record/record.ts';
import { seededRandom } from '../../../src/core/seeded-random.ts';
import { alertOf } from '../../support/alerts.ts';

const none: RecordFigures = {
  count: 0,
  resolved: 0,
  winRate: null,
  averageEntry: null,
  edge: null,
  intervals: null,
};

type Edge = readonly [low: number, high: number] | null;

function figuresOf(resolved: number, edge: Edge, count = resolved): RecordFigures {
  if (edge === null) return { ...none, count, resolved };
  const interval = { low: edge[0], high: edge[1] };
  const intervals = { winRate: interval, averageEntry: interval, edge: interval };
  const mean = (edge[0] + edge[1]) / 2;
  return { count, resolved, winRate: 0.5 + mean, averageEntry: 0.5, edge: mean, intervals };
}

function recordOf(all: Omit<RecordEntry, 'profitUsdc' | 'positions'>): PublishedRecord {
  const entry = { ...all, profitUsdc: 0, positions: { count: 0, profitUsdc: 0 } };
  return {
    all: entry,
    byType: { fresh: entry, fresh_accumulator: entry, cluster: entry },
    byBand: { very_high: entry, strong: entry, moderate: entry, informational: entry },
  };
}

/** Markets and events with the interval of each one's edge; ten alerts a market. */
const observed = (markets: readonly [number, Edge], events: readonly [number, Edge]) =>
  recordOf({
    perAlert: figuresOf(markets[0] * 10, markets[1]),
    perMarket: figuresOf(...markets),
    perEvent: figuresOf(...events),
  });

const HOLDS_0: Edge = [-0.05, 0.14];
const ABOVE: Edge = [0.02, 0.74];
const BELOW: Edge = [-0.74, -0.02];

describe('conclusionOf', () => {
  test.each<[string, readonly [number, Edge], readonly [number, Edge], string]>([
    [
      'markets of one night, 0 inside',
      [20, HOLDS_0],
      [1, null],
      'No evidence that these alerts beat the price: 20 markets of one night are too few to say.',
    ],
    [
      'one market',
      [1, null],
      [1, null],
      'No evidence that these alerts beat the price: 1 market is too few to say.',
    ],
    [
      'few events, above 0',
      [30, ABOVE],
      [19, ABOVE],
      'These alerts did better than the price, but 30 markets of 19 nights are too few to say that it is more than chance.',
    ],
    [
      'few events, below 0',
      [12, BELOW],
      [12, BELOW],
      'These alerts did worse than the price, but 12 markets are too few to say that it is more than chance.',
    ],
    [
      'enough events, 0 inside, whatever the markets say',
      [400, ABOVE],
      [20, HOLDS_0],
      'No evidence that these alerts beat the price: 400 markets of 20 nights.',
    ],
    [
      'enough events, above 0',
      [60, HOLDS_0],
      [60, ABOVE],
      'These alerts did better than the price: 60 markets; chance can still do that in 60 nights.',
    ],
    [
      'many events, below 0',
      [1_500, BELOW],
      [800, BELOW],
      'These alerts did worse than the price: 1,500 markets of 800 nights; what they do next may differ, and fees are not counted.',
    ],
  ])('%s', (_, markets, events, expected) => {
    expect(conclusionOf(observed(markets, events), 'night')).toBe(expected);
  });

  it('says that there is nothing to conclude from where nothing is settled, or nothing was found', () => {
    expect(conclusionOf(recordOf({ perAlert: none, perMarket: none, perEvent: none }))).toBe(
      'There is nothing to conclude from: no alert.',
    );
    const open = { ...none, count: 3 };
    expect(conclusionOf(recordOf({ perAlert: open, perMarket: open, perEvent: open }))).toBe(
      'There is nothing to conclude from: no market of these alerts is settled.',
    );
  });

  it('says below a sensible number of events that they are too few, whatever the intervals say', () => {
    const edge = fc.option(fc.constantFrom(HOLDS_0, ABOVE, BELOW));
    const events = fc.integer({ min: 1, max: FEWEST_EVENTS - 1 });
    fc.assert(
      fc.property(edge, edge, events, fc.integer({ min: 0, max: 500 }), (market, event, count, more) => {
        expect(conclusionOf(observed([count + more, market], [count, event]))).toContain('too few to say');
      }),
    );
  });
});

interface Odds {
  readonly from: number;
  readonly to: number;
  /** How much more often the outcome comes than its price says. */
  readonly edge?: number;
}

/** `count` markets, each an event of its own, and one alert each. */
function drawnFigures(count: number, { from, to, edge = 0 }: Odds, random: () => number): RecordFigures {
  const markets = Array.from({ length: count }, () => {
    const price = from + random() * (to - from);
    return { price, won: random() < price + edge ? 1 : 0 };
  });
  const clusters = markets.map(({ price, won }) => ({ weight: 1, sums: [won, price, won - price] }));
  const [winRate, averageEntry, ofEdge] = bootstrapIntervals(clusters, 300) ?? [];
  const intervals = winRate && averageEntry && ofEdge ? { winRate, averageEntry, edge: ofEdge } : null;
  const won = markets.filter((market) => market.won === 1).length;
  const entrySum = markets.reduce((total, { price }) => total + price, 0);
  return { count, resolved: count, ...ratesOf({ resolved: count, won, entrySum }), intervals };
}

/** The share of 300 records that are said to have beaten the price, or to have been beaten by it. */
function claimedShare(count: number, odds: Odds): number {
  const random = seededRandom(99);
  const runs = 300;
  let claimed = 0;
  for (let run = 0; run < runs; run += 1) {
    const figures = drawnFigures(count, odds, random);
    const record = recordOf({ perAlert: figures, perMarket: figures, perEvent: figures });
    if (conclusionOf(record).startsWith('These alerts did')) claimed += 1;
  }
  return claimed / runs;
}

/** detection.md, "What the record says". */
describe('conclusionOf and chance', () => {
  const RIGHT_PRICES: readonly Odds[] = [
    { from: 0.02, to: 0.1 },
    { from: 0.3, to: 0.7 },
    { from: 0.9, to: 0.98 },
  ];
  const cases = RIGHT_PRICES.flatMap((odds) => [20, 40, 100, 250].map((count) => ({ ...odds, count })));

  test.each(cases)(
    'names a direction in at most about 5 % of records of $count markets with right prices of $from to $to',
    ({ count, ...odds }) => {
      expect(claimedShare(count, odds)).toBeLessThanOrEqual(0.06);
    },
  );

  it('finds an edge that is there, in enough markets', () => {
    expect(claimedShare(250, { from: 0.3, to: 0.7, edge: 0.15 })).toBeGreaterThan(0.95);
    expect(claimedShare(250, { from: 0.05, to: 0.1, edge: 0.1 })).toBeGreaterThan(0.95);
  });

  const settled = (count: number, entryPrice: number, wins: number) =>
    summariseRecord(
      Array.from({ length: count }, (_, index) => {
        const won = index < wins;
        const resolution = { payout: won ? 1 : 0, won, profitUsdc: 0 };
        return alertOf({ id: index + 1, marketId: `m${index}`, entryPrice, side: 'BUY', resolution });
      }),
      { resamples: 300 },
    );

  test.each([
    ['no win where 1.2 were expected', 40, 0.03, 0],
    ['no loss where 1.2 were expected', 40, 0.97, 40],
    ['4 wins where 1.6 were expected', 40, 0.04, 4],
    ['no win where 6 were expected', 40, 0.15, 0],
    ['no loss where 20 were expected', 40, 0.5, 40],
  ])('%s: too few to say', (_, count, entryPrice, wins) => {
    expect(conclusionOf(settled(count, entryPrice, wins))).toBe(
      `No evidence that these alerts beat the price: ${count} markets are too few to say.`,
    );
  });

  it('names no direction in few events either, where few wins were expected', () => {
    expect(conclusionOf(settled(19, 0.03, 0))).toBe(
      'No evidence that these alerts beat the price: 19 markets are too few to say.',
    );
  });
});
