import { describe, expect, test } from 'vitest';
import { replayProblem } from '../../../../src/infra/market/tapes/replay-plan.ts';

const MOMENT = Date.UTC(2022, 10, 7, 15);

describe('speed and shift', () => {
  test.each([
    [0, 'now'],
    [0, null],
    [60, MOMENT],
    [0.5, MOMENT],
    [60, null],
  ] as const)('speed %d goes with %s', (speed, shift) => {
    expect(replayProblem({ speed, shift })).toBeNull();
  });

  test.each([
    [0, MOMENT, /needs a speed above 0/],
    [60, 'now', /goes with speed 0 only/],
    [-1, null, /0 or more, got -1/],
    [Number.NaN, null, /0 or more/],
    [Number.POSITIVE_INFINITY, null, /0 or more/],
  ] as const)(
    'speed %d with %s is a configuration error that says what would be right',
    (speed, shift, text) => {
      expect(replayProblem({ speed, shift })).toMatch(text);
    },
  );

  test('a head start goes with a moment only', () => {
    const headStartMs = 300_000;
    expect(replayProblem({ speed: 60, shift: MOMENT, headStartMs })).toBeNull();
    for (const shift of [null, 'now'] as const)
      expect(replayProblem({ speed: 0, shift, headStartMs })).toMatch(/head start goes with a moment/);
  });
});
