import { expect, test, vi } from 'vitest';
import { createKept, FRESH_MS, STALE_MS } from '../../src/core/kept.ts';
import { createFakeClock } from '../support/clock.ts';

/** Answers are numbered objects; a question can be held back until it is let go. */
function startKept(capacity = 10) {
  const clock = createFakeClock(0);
  const kept = createKept<{ n: number }>({ clock, capacity });
  let made = 0;
  const make = vi.fn(async () => ({ n: ++made }));
  return { clock, make, get: (question = 'q') => kept.get(question, make), kept };
}

test('an answer not older than 2 s is given again: the same object, and nothing is asked', async () => {
  const { clock, make, get } = startKept();
  const first = await get();
  await clock.advance(FRESH_MS);
  expect(await get()).toBe(first);
  expect(make).toHaveBeenCalledTimes(1);
});

test('up to 10 s old it is given while it is made anew, once', async () => {
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

test('its age counts from when it began to be made', async () => {
  const { clock, kept } = startKept();
  const slow = Promise.withResolvers<{ n: number }>();
  const asked = kept.get('q', () => slow.promise);
  await clock.advance(STALE_MS + 1);
  slow.resolve({ n: 1 });
  expect(await asked).toEqual({ n: 1 });
  expect(await kept.get('q', async () => ({ n: 2 }))).toEqual({ n: 2 });
});

test('a clock that was set back makes no answer young', async () => {
  const clock = { time: 1_000_000, now: () => clock.time };
  const kept = createKept<number>({ clock, capacity: 4 });
  await kept.get('q', async () => 1);
  clock.time = 0;
  expect(await kept.get('q', async () => 2)).toBe(2);
});

test('those who ask at once share one making, other questions have their own', async () => {
  const { make, get } = startKept();
  expect(await Promise.all([get(), get(), get('other')])).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
  expect(make).toHaveBeenCalledTimes(2);
});

test('a making that does not end holds up those alone who asked in its first 10 s, and nothing when it comes after all', async () => {
  const { clock, kept } = startKept();
  const stuck = Promise.withResolvers<{ n: number }>();
  const first = kept.get('q', () => stuck.promise);
  await clock.advance(STALE_MS);
  const second = kept.get('q', async () => ({ n: 2 }));
  await clock.advance(1);
  expect(await kept.get('q', async () => ({ n: 3 }))).toEqual({ n: 3 });
  stuck.resolve({ n: 1 });
  expect(await Promise.all([first, second])).toEqual([{ n: 1 }, { n: 1 }]);
  expect(await kept.get('q', async () => ({ n: 4 }))).toEqual({ n: 3 });
});

test('a fault with nothing kept is thrown to all who wait, and the next asks again', async () => {
  const { make, get } = startKept();
  make.mockRejectedValueOnce(new Error('away'));
  const results = await Promise.allSettled([get(), get()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toEqual({ n: 1 });
});

test('a fault in the background is told to nobody while an answer is kept, and the next asks again', async () => {
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

test('no more answers are kept than its capacity, those asked for last stay', async () => {
  const { make, get } = startKept(4);
  for (const question of ['a', 'b', 'c', 'd', 'e', 'f']) await get(question);
  make.mockClear();
  await get('f');
  expect(make).not.toHaveBeenCalled();
  await get('a');
  expect(make).toHaveBeenCalledTimes(1);
});
