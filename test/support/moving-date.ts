import { onTestFinished, vi } from 'vitest';

/** `Date` stands still until it is moved; timers stay real. For libraries that take no clock. */
export interface MovingDate {
  now(): number;
  advance(ms: number): void;
}

/** While `Date` is faked. */
export const movingDate: MovingDate = {
  now: () => Date.now(),
  advance: (ms) => void vi.setSystemTime(Date.now() + ms),
};

/** Until the test ends. */
export function stopDate(at: number): MovingDate {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  onTestFinished(() => void vi.useRealTimers());
  return movingDate;
}
