import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { conclusionOf, FEWEST_EVENTS } from '../../src/core/conclusion.ts';
import type { PublishedRecord, RecordEntry, RecordFigures } from '../../src/core/record.ts';

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
  return { count, resolved, winRate: 0.5, averageEntry: 0.5, edge: 0, intervals };
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
const ABOVE: Edge = [0.02, 0.14];
const BELOW: Edge = [-0.14, -0.02];

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
      [7, BELOW],
      [7, BELOW],
      'These alerts did worse than the price, but 7 markets are too few to say that it is more than chance.',
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
