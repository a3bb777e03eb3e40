import { expect, test } from 'vitest';
import { RecentReads } from '../../../../src/core/base/async/recent-reads.ts';

test('an answer is kept for its time, also on a clock that is set back, and of each name apart', async () => {
  let [now, count] = [10_000, 0];
  const reads = new RecentReads<number>({ now: () => now }, { keptMs: 1_000, max: 2 });
  const read = (name = 'a') => reads.get(name, async () => ++count);
  expect([await read(), await read(), await read('b')]).toEqual([1, 1, 2]);
  now += 999;
  expect(await read()).toBe(1);
  now += 1;
  expect(await read()).toBe(3);
  now -= 5_000;
  expect(await read()).toBe(4);
});

test('a read that fails is not kept', async () => {
  const reads = new RecentReads<number>({ now: () => 0 }, { keptMs: 1_000, max: 2 });
  await expect(reads.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await reads.get('a', async () => 1)).toBe(1);
});
