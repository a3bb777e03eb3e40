import { expect, test } from 'vitest';
import { systemClock } from '../../src/infra/system-clock.ts';

test('a sleep longer than a timer of Node takes does not end at once', async () => {
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
