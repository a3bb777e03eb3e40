import { afterEach, beforeEach, expect, test } from 'vitest';
import { CallGuard } from '../../../../src/infra/database/sqlite/call-guard.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { LoopTurns } from '../../../support/loop-turns.ts';
import { START } from '../../../support/rows.ts';

const guard = new CallGuard({ check: () => {} }, createFakeClock(START));
const SLOW_MS = 2;

let turns: LoopTurns;
beforeEach(() => {
  turns = new LoopTurns();
});
afterEach(() => turns.stop());

/** Holds the thread, as SQLite does, and returns the turn in which it did. */
const busyFor = (ms: number) =>
  guard.call(async (made: number[], n: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
    made.push(n);
    return turns.count;
  });

test('calls that take long have a turn of the event loop each, in the order in which they were made', async () => {
  const slow = busyFor(SLOW_MS);
  const made: number[] = [];
  const together = await Promise.all([0, 1, 2, 3].map((n) => slow(made, n)));
  const inARow = [await slow(made, 4), await slow(made, 5)];

  expect(made).toEqual([0, 1, 2, 3, 4, 5]);
  const all = [...together, ...inARow];
  expect(new Set(all).size).toBe(all.length);
});
