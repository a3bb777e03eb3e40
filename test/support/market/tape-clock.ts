import type { SteadyClock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';

/** Where a tape clock stands: at the real moment `at` it showed `time`. Enough to run the same clock in another process. */
export interface ClockReading {
  readonly at: EpochMs;
  readonly time: EpochMs;
  /** Milliseconds of the clock in one real one. */
  readonly speed: number;
}

/** A clock of a tape's time. A jump moves `now`, and no sleep is any shorter for it. */
export interface TapeClock extends SteadyClock {
  readonly speed: number;
  reading(): ClockReading;
  /** Only forward: an earlier moment changes nothing. */
  jumpTo(time: EpochMs): void;
  runAt(speed: number): void;
  /** Takes over what another process's clock shows. */
  follow(reading: ClockReading): void;
}

export function createTapeClock({
  time,
  speed = 1,
  at = Date.now(),
}: {
  time: EpochMs;
  speed?: number;
  at?: EpochMs;
}): TapeClock {
  let current: ClockReading = { at, time, speed };
  const now = () => Math.floor(current.time + (Date.now() - current.at) * current.speed);

  return {
    get speed() {
      return current.speed;
    },
    now,
    monotonic: now,
    sleep: (ms, signal) => systemClock.sleep(Math.max(0, ms) / current.speed, signal),
    reading: () => current,
    jumpTo(to) {
      if (to > now()) current = { at: Date.now(), time: to, speed: current.speed };
    },
    runAt(to) {
      current = { at: Date.now(), time: now(), speed: to };
    },
    follow(reading) {
      current = reading;
    },
  };
}
