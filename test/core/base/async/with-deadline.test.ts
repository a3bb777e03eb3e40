import { expect, test } from 'vitest';
import { untilAborted } from '../../../../src/core/base/async/repeat.ts';
import { withDeadline } from '../../../../src/core/base/async/with-timeout.ts';
import { createFakeClock } from '../../../support/clock.ts';

function started(task: (signal: AbortSignal) => Promise<string>) {
  const clock = createFakeClock(0);
  const stop = new AbortController();
  return { clock, stop, answer: withDeadline({ clock, deadlineMs: 1_000, signal: stop.signal }, task) };
}

test('a task gets a signal that aborts when the time has passed, and its answer still counts', async () => {
  const { clock, answer } = started(async (signal) => {
    await untilAborted(signal);
    return `ended at ${clock.now()}`;
  });
  await clock.advance(2_000);
  expect(await answer).toBe('ended at 1000');
});

test("the caller's signal aborts the task's", async () => {
  const { stop, answer } = started(async (signal) => {
    await untilAborted(signal);
    return 'aborted';
  });
  stop.abort();
  expect(await answer).toBe('aborted');
});

test.each([
  ['an answer', () => Promise.resolve('answer')],
  ['an error', () => Promise.reject(new Error('broken'))],
])('leaves no timer after %s', async (_, task) => {
  const { clock, answer } = started(task);
  await answer.catch(() => {});
  await Promise.resolve();
  expect(clock.sleepers).toBe(0);
});
