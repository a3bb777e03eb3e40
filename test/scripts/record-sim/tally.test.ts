import { expect, test } from 'vitest';
import type { SimulationOutcome } from '../../../scripts/record-sim/outcome.ts';
import { shareOf, tallies } from '../../../scripts/record-sim/tally.ts';

type Verdict = SimulationOutcome['comparisons'][number]['verdict'];

function outcomeOf(scenario: string, ...verdicts: readonly Verdict[]): SimulationOutcome {
  const figure = { events: 100, mean: 0.01, deviation: 0.06 };
  return {
    ...{
      scenario,
      seed: 1,
      planned: 100,
      trades: 1,
      alerts: 1,
      counted: 1,
      events: 100,
      blocks: 80,
      seconds: 1,
    },
    figures: {
      ...{ impact: figure, drift_1h: figure, drift_24h: figure, controls_drift_24h: figure },
      ...{ drift_24h_minus_controls: figure, won_minus_price: figure, follower_pro: figure },
    },
    comparisons: verdicts.map((verdict, index) => ({
      ...{ name: `figure ${index}`, mean: 0.01, p: 0.5, adjusted: 1, verdict },
    })),
  };
}

test('a share has the interval of Wilson', () => {
  // 20 of 100: 13.34 % to 28.88 % (Newcombe 1998, method 3 without continuity correction, computed by its formula).
  const { low, high } = shareOf(20, 100);
  expect([low, high].map((bound) => Math.round(bound * 10_000))).toEqual([1_334, 2_888]);
  expect(shareOf(0, 200)).toMatchObject({ low: 0 });
  expect(shareOf(200, 200).high).toBeCloseTo(1, 9);
});

test('only the primary figure finds an effect; a verdict for any figure counts against a world without one', () => {
  const outcomes = [
    outcomeOf('3c-everywhere', 'above', 'not_shown'),
    outcomeOf('3c-everywhere', 'not_shown', 'above'),
    outcomeOf('null', 'not_shown', 'not_shown'),
    outcomeOf('null', 'not_shown', 'above'),
    outcomeOf('null', 'below', 'not_shown'),
  ];
  const [without, everywhere] = tallies(outcomes);
  expect(without).toMatchObject({ above: { count: 1, of: 3 }, any: { count: 2, of: 3 }, isReached: false });
  expect(everywhere).toMatchObject({ found: { count: 1, of: 2 }, isReached: false });
});

test('an aim is reached when the share is exactly the aim', () => {
  const found = Array.from({ length: 10 }, (_, index) =>
    outcomeOf('3c-everywhere', index < 9 ? 'above' : 'not_shown'),
  );
  expect(tallies(found)[0]?.isReached).toBe(true);
});
