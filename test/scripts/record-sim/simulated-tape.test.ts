import { describe, expect, test } from 'vitest';
import { simulate } from '../../../scripts/record-sim/simulate.ts';
import { DAY_S, planEvent } from '../../../scripts/record-sim/simulated-event.ts';
import { type SimulatedOrder, simulateMarket } from '../../../scripts/record-sim/simulated-market.ts';
import { simulatedTape } from '../../../scripts/record-sim/simulated-tape.ts';
import { driftOf, FAIR_WORLDS, PLANTED_WORLDS, worldNamed } from '../../../scripts/record-sim/worlds.ts';
import { parseLine } from '../../../src/infra/market/tapes/row-schema.ts';

const FAIR = worldNamed('fair');
const NOW = Date.UTC(2026, 0, 1);

/** The middle of bid and ask on the scale of Yes, at an order. */
function middle({ side, outcome, fills }: SimulatedOrder): number {
  const price = (fills[0]?.price ?? 0) + (side === 'BUY' ? -0.005 : 0.005);
  return outcome === 0 ? price : 1 - price;
}

/** Changes of the price toward the alert's outcome from one minute to a day after the first alert of each market. */
function movesOf(events: number, world = FAIR): readonly number[] {
  return Array.from({ length: events }, (_, no) => no).flatMap((no) =>
    planEvent(7, no).markets.map((market) => {
      const { orders } = simulateMarket(7, market, { world, drift: driftOf(world, no) });
      const at = (second: number) => middle(orders.findLast((order) => order.at <= second) as SimulatedOrder);
      const first = market.alerts[0]?.at ?? 0;
      return (at(first + DAY_S) - at(first + 60)) * (market.outcome === 0 ? 1 : -1);
    }),
  );
}

function meanAndDeviation(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, deviation: Math.sqrt(variance) };
}

describe('a simulated tape', () => {
  test('is the same for the same seed, and another one for another seed', () => {
    const make = (seed: number) => simulatedTape({ world: FAIR, seed, events: 2 });
    expect(make(1)).toEqual(make(1));
    expect(make(2).lines).not.toEqual(make(1).lines);
  });

  test.each(FAIR_WORLDS)(
    'of the world $name has rows in the form of tapes, in the order of their times',
    (world) => {
      const [, ...lines] = simulatedTape({ world, seed: 1, events: 2 }).lines;
      const rows = lines.map((line) => parseLine(line, NOW));
      expect(rows.filter(({ kind }) => kind === 'bad')).toEqual([]);
      const times = rows.flatMap((row) => (row.kind === 'bad' || row.at === null ? [] : row.at));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    },
  );

  test('has the effect in exactly the stated share of the events', () => {
    for (const world of [...FAIR_WORLDS, ...PLANTED_WORLDS]) {
      const drifts = Array.from({ length: 100 }, (_, event) => driftOf(world, event));
      expect(drifts.filter((drift) => drift > 0)).toHaveLength(Math.round(world.share * 100));
    }
  });

  test('has prices that move nowhere on average without an effect', () => {
    for (const name of ['fair', 'favourites', 'long-shots', 'momentum']) {
      const moves = movesOf(250, worldNamed(name));
      const { mean, deviation } = meanAndDeviation(moves);
      expect(Math.abs(mean), name).toBeLessThan((3.5 * deviation) / Math.sqrt(moves.length));
    }
  });
});

test('an obvious effect is found, and none where there is none: two tapes through the service and its record', async () => {
  const big = { ...FAIR, name: 'big', drift: 0.12, share: 1 };
  const [found, none] = [
    await simulate({ world: big, seed: 1, events: 56 }),
    await simulate({ world: FAIR, seed: 1, events: 56 }),
  ];
  expect(found).toMatchObject({ world: 'big', verdict: 'above' });
  expect(none).toMatchObject({ world: 'fair', verdict: 'not_shown', held: 'not_shown' });
  for (const { bets, alerts } of [found, none]) expect([bets > 20, alerts > 56]).toEqual([true, true]);
}, 60_000);
