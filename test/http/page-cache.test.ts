import { describe, expect, test } from 'vitest';
import { type MadePage, PageCache } from '../../src/http/views/page-cache.ts';
import { ReadyAnswer } from '../../src/http/views/ready-answer.ts';
import { createFakeClock } from '../support/clock.ts';

const MINUTE = 60_000;

function openCache() {
  const clock = createFakeClock(0);
  const cache = new PageCache(clock);
  const made: string[] = [];
  const pageOf = (name: string, bytes = 1): MadePage => {
    made.push(name);
    const answer = new ReadyAnswer(name, { contentType: 'text/html', cacheControl: 'no-cache' });
    return { answer, bytes, topics: [name] };
  };
  const get = (name: string, bytes?: number) => cache.get(name, async () => pageOf(name, bytes));
  return { clock, cache, made, pageOf, get };
}

describe('a page', () => {
  test('is made once for all who ask, also while it is made', async () => {
    const { get, made } = openCache();
    const [first, second] = await Promise.all([get('a'), get('a')]);
    expect([second, await get('a'), made]).toEqual([first, first, ['a']]);
  });

  test('is made again after a change of one of its topics, and of no other', async () => {
    const { get, cache, made } = openCache();
    await get('a');
    cache.change('b');
    await get('a');
    expect(made).toEqual(['a']);
    cache.change('a');
    await get('a');
    expect(made).toEqual(['a', 'a']);
  });

  test('that was begun before a change is not kept, and is not given to who asks after the change', async () => {
    const { cache, pageOf, get, made } = openCache();
    const { promise, resolve } = Promise.withResolvers<MadePage>();
    const early = cache.get('a', () => promise);
    cache.change('a');
    const late = await get('a');
    resolve({ ...pageOf('before the change'), topics: ['a'] });
    expect(await early).not.toBe(late);
    await get('a');
    expect(made.length).toBeGreaterThan(2);
    const kept = await get('a');
    expect(await get('a')).toBe(kept);
  });

  test('is kept for a minute, whichever way the clock is set', async () => {
    const { clock, get, made } = openCache();
    await get('a');
    clock.set(MINUTE);
    await get('a');
    expect(made.length).toBe(1);
    clock.set(1);
    await get('a');
    expect(made.length).toBe(2);
    clock.set(-2 * MINUTE);
    await get('a');
    expect(made.length).toBe(3);
  });

  test('that is the same when it is made again stays the same answer, which is compressed already', async () => {
    const { clock, get, made } = openCache();
    const first = await get('a');
    clock.set(2 * MINUTE);
    expect(await get('a')).toBe(first);
    expect(made.length).toBe(2);
  });

  test('that does not exist, or cannot be made, is asked for again', async () => {
    const { cache, get, made } = openCache();
    expect(await cache.get('a', async () => null)).toBeNull();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect([(await get('a')) === null, made]).toEqual([false, ['a']]);
  });
});

describe('the pages kept', () => {
  test('are 64 MiB at most: the one that was not asked for the longest goes first', async () => {
    const { get, made } = openCache();
    const half = 32 * 1_024 * 1_024;
    await get('a', half);
    await get('b', half);
    await get('a', half);
    await get('c', 1);
    made.length = 0;
    for (const name of ['a', 'c', 'b']) await get(name);
    expect(made).toEqual(['b']);
  });
});
