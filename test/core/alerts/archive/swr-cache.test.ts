import { describe, expect, test, vi } from 'vitest';
import type { ScheduleRead } from '../../../../src/core/alerts/archive/archive-scheduler.ts';
import { FRESH_MS, STALE_MS, SwrCache } from '../../../../src/core/alerts/archive/figures.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { countingSchedule, immediately } from '../../../support/schedules.ts';

/** Answers are numbered objects; a question can be held back until it is let go. */
function startKept(capacity = 10, refresh: ScheduleRead = immediately) {
  const clock = createFakeClock(0);
  const kept = new SwrCache<{ n: number }>(clock, capacity, refresh);
  let made = 0;
  const make = vi.fn(async () => ({ n: ++made }));
  return { clock, make, get: (question = 'q') => kept.get(question, make, immediately), kept };
}

test('an answer not older than 2 s is given again: the same object, and nothing is asked', async () => {
  const { clock, make, get } = startKept();
  const first = await get();
  await clock.advance(FRESH_MS);
  expect(await get()).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);
});

test('an entry up to 10 s old is served while it is refreshed, once', async () => {
  const { clock, make, get } = startKept();
  const first = await get();
  await clock.advance(STALE_MS);
  expect(await Promise.all([get(), get()])).toEqual([first, first]);
  expect(make).toHaveBeenCalledTimes(2);
  expect(await get()).toEqual({ n: 2 });
});

test('an older one is waited for', async () => {
  const { clock, get } = startKept();
  await get();
  await clock.advance(STALE_MS + 1);
  expect(await get()).toEqual({ n: 2 });
});

test('a fault with nothing kept is thrown to all who wait, and the next asks again', async () => {
  const { make, get } = startKept();
  make.mockRejectedValueOnce(new Error('away'));
  const results = await Promise.allSettled([get(), get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toEqual({ n: 1 });
});

test('a failed background refresh reaches no caller while an entry is cached, and the next call retries it', async () => {
  const { clock, make, get } = startKept();
  const first = await get();
  await clock.advance(FRESH_MS + 1);
  make.mockRejectedValueOnce(new Error('away'));
  expect(await get()).toBe(first);
  await new Promise(setImmediate);
  expect(await get()).toBe(first);
  expect(make).toHaveBeenCalledTimes(3);
  await clock.advance(STALE_MS);
  make.mockRejectedValueOnce(new Error('still away'));
  await new Promise(setImmediate);
  await clock.advance(STALE_MS);
  await expect(get()).rejects.toThrow('still away');
});

describe('callers with schedules of their own', () => {
  test('a caller whose turn does not come holds up no other, and takes what was made meanwhile', async () => {
    const { kept, make } = startKept();
    const late = heldSchedule();
    const [first, second] = [kept.get('q', make, late.schedule), kept.get('q', make, immediately)];
    expect(await second).toEqual({ n: 1 });
    late.release();
    expect(await first).toBe(await second);
    expect(make).toHaveBeenCalledTimes(1);
  });

  test('a refresh waits for a turn of its own, once however many ask', async () => {
    const held = heldSchedule();
    const refresh = countingSchedule(held.schedule);
    const { clock, kept, make } = startKept(10, refresh.schedule);
    await kept.get('q', make, immediately);
    await clock.advance(FRESH_MS + 1);
    const caller = countingSchedule();
    for (let count = 0; count < 3; count += 1) await kept.get('q', make, caller.schedule);
    expect([refresh.calls(), caller.calls(), make.mock.calls.length]).toEqual([1, 0, 1]);
    held.release();
    await new Promise(setImmediate);
    expect(await kept.get('q', make, caller.schedule)).toEqual({ n: 2 });
    expect(caller.calls()).toBe(0);
  });
});

function heldSchedule() {
  const { promise: turn, resolve: release } = Promise.withResolvers<void>();
  const schedule: ScheduleRead = async (read) => {
    await turn;
    return read();
  };
  return { schedule, release };
}
