import { describe, expect, test } from 'vitest';
import { FailureLog } from '../../../../src/core/base/async/failure-log.ts';
import {
  allOrNone,
  Notifier,
  type RepeatOptions,
  repeat,
  repeatUntil,
  untilAborted,
} from '../../../../src/core/base/async/repeat.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const MESSAGE = 'the store is unavailable; retrying';

function started(task: (run: number) => unknown, options: Partial<RepeatOptions> = {}) {
  const clock = createFakeClock(0);
  const stop = new AbortController();
  const runs: number[] = [];
  const ended = repeat(
    async () => {
      runs.push(clock.now());
      await task(runs.length);
    },
    { clock, signal: stop.signal, intervalMs: 1_000, ...options },
  );
  const pass = async (ms: number) => {
    await clock.asleep();
    await clock.advance(ms);
    stop.abort();
    await ended;
  };
  return { clock, stop, runs, ended, pass };
}

describe('repeat', () => {
  test('runs the task immediately, and again after each pause, until the signal aborts', async () => {
    const { runs, pass } = started(() => {});
    await pass(2_500);

    expect(runs).toEqual([0, 1_000, 2_000]);
  });

  test('each failure is logged, and followed by its own pause', async () => {
    const logger = createRecordingLogger();
    const failures = new FailureLog(logger, MESSAGE);
    const isAway = (run: number) => run < 3 || run === 4;
    const task = (run: number) => (isAway(run) ? Promise.reject(new Error(`away ${run}`)) : undefined);
    const { runs, pass } = started(task, { failures, retryMs: 100 });
    await pass(1_250);

    expect(runs).toEqual([0, 100, 200, 1_200]);
    expect(
      logger.lines.map(({ message, fields }) => [message, String((fields as { err: Error }).err)]),
    ).toEqual([
      [MESSAGE, 'Error: away 1'],
      [MESSAGE, 'Error: away 2'],
      [MESSAGE, 'Error: away 4'],
    ]);
  });

  test('a failure after the signal aborted is not logged, and ends the loop', async () => {
    const logger = createRecordingLogger();
    const failures = new FailureLog(logger, MESSAGE);
    const { promise, reject } = Promise.withResolvers<void>();
    const { stop, runs, ended } = started(() => promise, { failures });
    stop.abort();
    reject(new Error('aborted'));
    await ended;

    expect([runs, logger.lines]).toEqual([[0], []]);
  });

  test('without a log a failure ends the loop and is thrown', async () => {
    const { ended } = started(() => Promise.reject(new Error('broken')));

    await expect(ended).rejects.toThrow('broken');
  });

  test('a fatal failure ends the loop and is thrown, whatever is logged', async () => {
    const logger = createRecordingLogger();
    const failures = new FailureLog(logger, MESSAGE);
    const { clock, runs, ended } = started((run) => Promise.reject(new Error(`broken ${run}`)), {
      failures,
      isFatal: (error) => (error as Error).message === 'broken 2',
    });
    const end = expect(ended).rejects.toThrow('broken 2');
    await clock.asleep();
    await clock.advance(1_000);
    await end;

    expect(runs).toEqual([0, 1_000]);
  });

  test('a call to wake ends the pause, also one during a run', async () => {
    const notifier = new Notifier();
    const wake = () => notifier.nextNotification();
    const { clock, stop, runs, ended } = started((run) => run === 1 && notifier.notify(), { wake });
    await expect.poll(() => runs).toEqual([0, 0]);
    await clock.advance(300);
    notifier.notify();
    await expect.poll(() => runs.length).toBe(3);
    stop.abort();
    await ended;

    expect(runs).toEqual([0, 0, 300]);
    expect(clock.sleepers).toBe(0);
  });
  test('a call to wake that never comes costs one promise, however many runs there are', async () => {
    let promises = 0;
    const wake = () => {
      promises += 1;
      return new Promise<void>(() => {});
    };
    const { runs, pass } = started(() => {}, { wake });
    await pass(100_000);

    expect([runs.length, promises]).toEqual([101, 1]);
  });
});

describe('repeatUntil', () => {
  test('runs again after each pause until the task returns true, or a promise of it', async () => {
    const clock = createFakeClock(0);
    const runs: number[] = [];
    const task = () => (runs.push(clock.now()) === 2 ? false : Promise.resolve(runs.length === 3));
    const ended = repeatUntil(task, { clock, intervalMs: 1_000 });
    await clock.asleep();
    await clock.advance(5_000);
    await ended;

    expect([runs, clock.sleepers]).toEqual([[0, 1_000, 2_000], 0]);
  });
});

describe('allOrNone', () => {
  const until = (ended: string[], name: string) => async (signal: AbortSignal) => {
    await untilAborted(signal);
    ended.push(name);
  };

  test('when one fails the others are ended first, and then its exception is thrown', async () => {
    const ended: string[] = [];
    const failing = async () => {
      throw new Error('away');
    };

    await expect(allOrNone(new AbortController().signal, [until(ended, 'a'), failing])).rejects.toThrow(
      'away',
    );
    expect(ended).toEqual(['a']);
  });
});
