import { describe, expect, test } from 'vitest';
import { driftOf, SCENARIOS, scenarioNamed } from '../../../scripts/record-sim/scenarios.ts';
import { DAY_S, planEvent } from '../../../scripts/record-sim/simulated-event.ts';
import { type SimulatedOrder, simulateMarket } from '../../../scripts/record-sim/simulated-market.ts';
import { simulatedTape } from '../../../scripts/record-sim/simulated-tape.ts';
import { parseLine } from '../../../src/infra/market/tapes/row-schema.ts';

const NULL = scenarioNamed('null');
const NOW = Date.UTC(2026, 0, 1);

/** The middle of bid and ask on the scale of Yes, at an order. */
function middle({ side, outcome, fills }: SimulatedOrder): number {
  const price = (fills[0]?.price ?? 0) + (side === 'BUY' ? -0.005 : 0.005);
  return outcome === 0 ? price : 1 - price;
}

/**
 * Per event the mean, over its alerts, of the price's change toward the alert's outcome from one minute to a day after it. Of
 * markets with at least so many alerts.
 */
function driftsOf(events: number, drift: number, alertsMin = 1): readonly number[] {
  return Array.from({ length: events }, (_, no) => no).flatMap((no) => {
    const markets = planEvent(7, no).markets.filter(({ alerts }) => alerts.length >= alertsMin);
    const drifts = markets.flatMap((market) => {
      const { orders } = simulateMarket(7, market, drift);
      const at = (second: number) => middle(orders.findLast((order) => order.at <= second) as SimulatedOrder);
      const sign = market.outcome === 0 ? 1 : -1;
      return market.alerts.map((alert) => (at(alert.at + DAY_S) - at(alert.at + 60)) * sign);
    });
    return drifts.length === 0 ? [] : [drifts.reduce((sum, each) => sum + each, 0) / drifts.length];
  });
}

function meanAndDeviation(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, deviation: Math.sqrt(variance) };
}

describe('a simulated tape', () => {
  test('is the same for the same seed, and another one for another seed', () => {
    const make = (seed: number) => simulatedTape({ scenario: NULL, seed, events: 2 });
    expect(make(1)).toEqual(make(1));
    expect(make(2).lines).not.toEqual(make(1).lines);
  });

  test('has rows in the form of tapes, in the order of their times', () => {
    const parse = parseLine;
    const [, ...lines] = simulatedTape({ scenario: NULL, seed: 1, events: 2 }).lines;
    const rows = lines.map((line) => parse(line, NOW));
    expect(rows.filter(({ kind }) => kind === 'bad')).toEqual([]);
    const times = rows.flatMap((row) => (row.kind === 'bad' || row.at === null ? [] : row.at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('has the effect in exactly the stated share of the events', () => {
    for (const scenario of SCENARIOS) {
      const events = Array.from({ length: 100 }, (_, event) => driftOf(scenario, event));
      expect(events.filter((drift) => drift > 0)).toHaveLength(Math.round(scenario.share * 100));
    }
  });

  test('has prices that move nowhere on average without an effect, by about 6.1 ¢ for an event', () => {
    const { mean, deviation } = meanAndDeviation(driftsOf(400, 0));
    expect(Math.abs(mean)).toBeLessThan((3 * deviation) / Math.sqrt(400));
    expect(deviation).toBeGreaterThan(0.056);
    expect(deviation).toBeLessThan(0.066);
  });

  test('moves toward the outcome of the alerts by the stated drift, however many follow each other', () => {
    const [without, withDrift] = [driftsOf(200, 0), driftsOf(200, 0.05)];
    const added = withDrift.map((drift, event) => drift - (without[event] ?? 0));
    expect(meanAndDeviation(added).mean).toBeCloseTo(0.05, 2);
  });
});
