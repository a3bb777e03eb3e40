import { describe, expect, test } from 'vitest';
import { FailureLog } from '../../../../src/core/base/async/failure-log.ts';
import { type RepeatUntilOptions, repeatUntil } from '../../../../src/core/base/async/repeat.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

function started(
  task: (run: number) => Promise<boolean> | boolean,
  options: Partial<RepeatUntilOptions> = {},
) {
  const clock = createFakeClock(0);
  const runs: number[] = [];
  const ended = repeatUntil(() => task(runs.push(clock.now())), { clock, intervalMs: 1_000, ...options });
  return { clock, runs, ended };
}

describe('repeatUntil', () => {
  test('ends without a pause after the run that returns true', async () => {
    const { runs, ended } = started(() => true);
    await ended;

    expect(runs).toEqual([0]);
  });

  test('runs again after each pause while the task returns false, a promise of it too', async () => {
    const { clock, runs, ended } = started((run) => (run === 1 ? false : Promise.resolve(run === 3)));
    await clock.asleep();
    await clock.advance(5_000);
    await ended;

    expect(runs).toEqual([0, 1_000, 2_000]);
  });

  test('the signal ends it during a pause, although the task has not returned true', async () => {
    const stop = new AbortController();
    const { clock, runs, ended } = started(() => false, { signal: stop.signal });
    await clock.asleep();
    stop.abort();
    await ended;

    expect(runs).toEqual([0]);
  });

  test('never runs where the signal has aborted before', async () => {
    const { runs, ended } = started(() => true, { signal: AbortSignal.abort() });
    await ended;

    expect(runs).toEqual([]);
  });

  test('a failure ends it and is thrown', async () => {
    const { runs, ended } = started(() => Promise.reject(new Error('away')));

    await expect(ended).rejects.toThrow('away');
    expect(runs).toEqual([0]);
  });

  test('with a failure log a failure counts as false, and the next run may end it', async () => {
    const logger = createRecordingLogger();
    const failures = new FailureLog(logger, 'the store is unavailable; retrying');
    const task = (run: number) => (run === 1 ? Promise.reject(new Error('away')) : true);
    const { clock, runs, ended } = started(task, { failures, retryMs: 100 });
    await clock.asleep();
    await clock.advance(100);
    await ended;

    expect(runs).toEqual([0, 100]);
  });
});
