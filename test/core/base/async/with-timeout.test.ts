import { describe, expect, test } from 'vitest';
import { untilAborted } from '../../../../src/core/base/async/repeat.ts';
import { withDeadline, withTimeout } from '../../../../src/core/base/async/with-timeout.ts';
import { createFakeClock } from '../../../support/clock.ts';

describe('withTimeout', () => {
  test('gives the answer and leaves no timer', async () => {
    const clock = createFakeClock(0);
    expect(await withTimeout({ clock, timeoutMs: 1_000 }, Promise.resolve('answer'))).toBe('answer');
    expect(clock.sleepers).toBe(0);
  });

  test('throws when the time has passed, and aborts the task with that error', async () => {
    const clock = createFakeClock(0);
    let seen: AbortSignal | undefined;
    const run = withTimeout({ clock, timeoutMs: 1_000 }, (signal) => {
      seen = signal;
      return new Promise(() => {});
    });
    const failed = expect(run).rejects.toThrow('no answer within 1000 ms');
    await clock.asleep(1);
    await clock.advance(999);
    expect(seen?.aborted).toBe(false);
    await clock.advance(1);
    await failed;
    expect(seen?.reason).toEqual(new Error('no answer within 1000 ms'));
  });

  test("the caller's abort reaches the task", async () => {
    const clock = createFakeClock(0);
    const caller = new AbortController();
    const run = withTimeout({ clock, timeoutMs: 1_000, signal: caller.signal }, async (signal) => {
      signal.throwIfAborted();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const failed = expect(run).rejects.toThrow('hung up');
    caller.abort(new Error('hung up'));
    await failed;
  });
});

describe('withDeadline', () => {
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
});
