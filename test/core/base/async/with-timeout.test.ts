import { describe, expect, test } from 'vitest';
import { endsWithin, withTimeout } from '../../../../src/core/base/async/with-timeout.ts';
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

describe('endsWithin', () => {
  test('tells that work ended in time, and leaves no timer', async () => {
    const clock = createFakeClock(0);
    expect(await endsWithin({ clock, timeoutMs: 1_000 }, Promise.resolve('answer'))).toBe(true);
    expect(clock.sleepers).toBe(0);
  });

  test('tells that work did not end in time; a later error is dropped', async () => {
    const clock = createFakeClock(0);
    const work = Promise.withResolvers<void>();
    const ended = endsWithin({ clock, timeoutMs: 1_000 }, work.promise);
    await clock.asleep(1);
    await clock.advance(1_000);
    expect(await ended).toBe(false);
    work.reject(new Error('too late'));
    await clock.advance(1);
  });

  test('throws the error of work that fails in time', async () => {
    const clock = createFakeClock(0);
    const failed = endsWithin({ clock, timeoutMs: 1_000 }, Promise.reject(new Error('broken')));
    await expect(failed).rejects.toThrow('broken');
    expect(clock.sleepers).toBe(0);
  });
});
