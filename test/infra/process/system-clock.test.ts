import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/infra/process/system-clock.ts';

test('a sleep longer than a timer of Node takes does not end immediately', async () => {
  const stop = new AbortController();
  let isOver = false;
  const asleep = systemClock.sleep(60 * 86_400_000, stop.signal).then(() => {
    isOver = true;
  });
  await systemClock.sleep(20);
  expect(isOver).toBe(false);
  stop.abort();
  await asleep;
});

test('a sleep that is called off ends immediately and leaves neither timer nor listener', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const stop = new AbortController();
  const asleep = systemClock.sleep(60_000, stop.signal);
  expect(timers()).toBe(before + 1);
  stop.abort();
  await asleep;
  await systemClock.sleep(60_000, stop.signal);

  expect(timers()).toBe(before);
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
