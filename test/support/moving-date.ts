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

const STEP_MS = 10;

/** Lets the time pass at about its real pace until the test ends: a bot keeps the pace of its platform by it. */
export function letTimePass(clock: MovingDate): void {
  const timer = setInterval(() => clock.advance(STEP_MS), STEP_MS);
  onTestFinished(() => clearInterval(timer));
}
