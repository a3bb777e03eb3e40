import { describe, expect, test } from 'vitest';
import { type RetryOptions, retry, withoutJitter } from '../../../../src/core/base/async/retry.ts';
import { createFakeClock } from '../../../support/clock.ts';

const BACKOFF = { firstMs: 100, mostMs: 300 };

function started(successAt: number, options: Partial<RetryOptions> = {}) {
  const clock = createFakeClock(0);
  const attempts: number[] = [];
  const task = async () => {
    attempts.push(clock.now());
    if (attempts.length < successAt) throw new Error(`failure ${attempts.length}`);
    return 'answer';
  };
  const signal = new AbortController().signal;
  const answer = retry(task, { clock, signal, backoff: BACKOFF, random: withoutJitter, ...options });
  // Failures are looked at later.
  answer.catch(() => {});
  return { clock, attempts, answer };
}

async function startedLongAgo(...given: Parameters<typeof started>) {
  const { clock, attempts, answer } = started(...given);
  await clock.asleep();
  await clock.advance(10_000);
  return { attempts, answer };
}

describe('retry', () => {
  test('asks again after 100, 200, 300, 300 ms and returns the answer', async () => {
    const { attempts, answer } = await startedLongAgo(5);

    expect(await answer).toBe('answer');
    expect(attempts).toEqual([0, 100, 300, 600, 900]);
  });

  test('a function of the error and the number of failures may choose the pause', async () => {
    const backoff = (error: unknown, failures: number) =>
      (error as Error).message === 'failure 2' ? 5_000 : failures * 10;
    const { attempts, answer } = await startedLongAgo(4, { backoff });

    expect(await answer).toBe('answer');
    expect(attempts).toEqual([0, 10, 5_010, 5_040]);
  });

  test('gives up after so many attempts with the last error', async () => {
    const { attempts, answer } = await startedLongAgo(5, { attempts: 2 });

    await expect(answer).rejects.toThrow('failure 2');
    expect(attempts).toHaveLength(2);
  });

  test('begins no attempt after the moment', async () => {
    const { attempts, answer } = await startedLongAgo(5, { until: 299 });

    await expect(answer).rejects.toThrow('failure 2');
    expect(attempts).toEqual([0, 100]);
  });

  test('a final failure is thrown immediately', async () => {
    const { attempts, answer } = started(5, { isFinal: () => true });

    await expect(answer).rejects.toThrow('failure 1');
    expect(attempts).toHaveLength(1);
  });

  test('an abort ends the pause and throws the last error', async () => {
    const stop = new AbortController();
    const { clock, answer } = started(5, { signal: stop.signal });
    await clock.asleep();
    stop.abort();

    await expect(answer).rejects.toThrow('failure 1');
    expect(clock.sleepers).toBe(0);
  });
});
