import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';

/** Where a tape clock stands: at the real moment `at` it showed `time`. Enough to run the same clock in another process. */
export interface ClockReading {
  readonly at: EpochMs;
  readonly time: EpochMs;
  /** Milliseconds of the clock in one real one. */
  readonly speed: number;
}

/** Longer waits may be the time limits of answers, which a machine does not give sooner because the clock is fast: they last this long at least. */
const LIMIT_MS = 4_000;
const LIMIT_REAL_MS = 1_500;

/** A clock of a tape's time. A jump moves `now`, and no sleep is any shorter for it. */
export type TapeClock = ReturnType<typeof createTapeClock>;

export function createTapeClock(start: ClockReading) {
  let current = start;
  const now = () => Math.floor(current.time + (Date.now() - current.at) * current.speed);

  return {
    now,
    monotonic: now,
    sleep(ms: number, signal?: AbortSignal) {
      const realMs = Math.max(0, ms) / current.speed;
      return systemClock.sleep(ms < LIMIT_MS ? realMs : Math.max(realMs, LIMIT_REAL_MS), signal);
    },
    reading: () => current,
    /** Only forward: an earlier moment changes nothing. */
    jumpTo(to: EpochMs) {
      if (to > now()) current = { at: Date.now(), time: to, speed: current.speed };
    },
    runAt(to: number) {
      current = { at: Date.now(), time: now(), speed: to };
    },
    follow(reading: ClockReading) {
      current = reading;
    },
  };
}
