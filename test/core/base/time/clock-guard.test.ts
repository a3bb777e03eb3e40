import { expect, test } from 'vitest';
import { ClockGuard } from '../../../../src/core/base/time/clock-guard.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { START } from '../../../support/rows.ts';

function guarded() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const { isHeld } = new ClockGuard({ clock, logger });
  return { clock, isHeld, messages: () => logger.lines.map(({ message }) => message.split(':')[0]) };
}

test.each([2 * DAY_MS, -2 * DAY_MS, HOUR_MS, -HOUR_MS, MINUTE_MS + SECOND_MS])(
  'a clock that is set by %i ms holds publication from the same moment until it is set back',
  async (byMs) => {
    const { clock, isHeld, messages } = guarded();
    expect(isHeld()).toBe(false);
    clock.set(byMs);
    expect([isHeld(), isHeld()]).toEqual([true, true]);
    await clock.advance(9 * MINUTE_MS);
    expect(isHeld()).toBe(true);
    clock.set(-byMs);
    expect(isHeld()).toBe(false);
    expect(messages()).toEqual(['the clock of this host was set', 'the clock of this host was set back']);
  },
);

test('after 10 minutes the new time is the right one, and the next change is measured from it', async () => {
  const { clock, isHeld } = guarded();
  clock.set(HOUR_MS);
  expect(isHeld()).toBe(true);
  await clock.advance(10 * MINUTE_MS);
  expect([isHeld(), isHeld()]).toEqual([false, false]);
  clock.set(-HOUR_MS);
  expect(isHeld()).toBe(true);
});

test('NTP that moves the clock by less than a minute at a time holds nothing', () => {
  const { clock, isHeld, messages } = guarded();
  for (let step = 0; step < 10; step += 1) {
    clock.set(MINUTE_MS - 1);
    expect(isHeld()).toBe(false);
  }
  expect(messages()).toEqual([]);
});
