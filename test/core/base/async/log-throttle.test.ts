import { expect, test } from 'vitest';
import { LogThrottle } from '../../../../src/core/base/async/failure-log.ts';
import { createFakeClock } from '../../../support/clock.ts';

test('the first event passes immediately, then one in each interval, with the number of events since the last', async () => {
  const clock = createFakeClock(0);
  const throttle = new LogThrottle(clock, 60_000);
  expect(throttle.take()).toBe(1);
  expect([throttle.take(), throttle.take()]).toEqual([null, null]);
  await clock.advance(59_999);
  expect(throttle.take()).toBeNull();
  await clock.advance(1);
  expect(throttle.take()).toBe(4);
  expect(throttle.take()).toBeNull();
});
