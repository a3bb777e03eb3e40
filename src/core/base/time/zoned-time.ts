import { LRUCache } from 'lru-cache';
import { DAY_MS, type EpochMs, HOUR_MS } from './duration.ts';

/** More than the number of zones. A formatter takes about 30 µs to create, and 30 kB of memory. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 600, memoMethod: formatterOf });

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const whole = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en-US', { ...whole, ...time, timeZone, calendar: 'gregory' });
}

/** Whether this runtime knows the zone: names are added each year. */
export function isZone(zone: string): boolean {
  try {
    return formatters.memo(zone) !== undefined;
  } catch {
    return false;
  }
}

/** What clocks in the zone show, as if it were UTC. `zone`: an IANA name. Throws `RangeError` for an unknown one. */
export function wallClockIn(zone: string, at: EpochMs): EpochMs {
  const parts = formatters.memo(zone).formatToParts(at);
  const part = (name: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find(({ type }) => type === name)?.value ?? 0);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** The whole hour that clocks show there, 0 to 23. */
export function hourIn(zone: string, at: EpochMs): number {
  return new Date(wallClockIn(zone, at)).getUTCHours();
}

/** The last moment, up to `at`, at which a day's clocks showed this hour there: the first of two where clocks go back. */
export function lastAtHour(zone: string, hour: number, at: EpochMs): EpochMs {
  const today = startOfDay(wallClockIn(zone, at));
  const moments = [0, 1, 2].map((daysAgo) => momentOf(zone, today - daysAgo * DAY_MS + hour * HOUR_MS));
  return moments.find((moment) => moment <= at) ?? at - DAY_MS;
}

/** The next moment, after `at`, at which a day's clocks show this hour there. */
export function nextAtHour(zone: string, hour: number, at: EpochMs): EpochMs {
  const today = startOfDay(wallClockIn(zone, at));
  const moments = [0, 1, 2].map((days) => momentOf(zone, today + days * DAY_MS + hour * HOUR_MS));
  return moments.find((moment) => moment > at) ?? at + DAY_MS;
}

/** The first moment at which clocks show this there; for a skipped hour, the moment to which clocks go forward. */
function momentOf(zone: string, wallClock: EpochMs): EpochMs {
  const offsets = [-DAY_MS, DAY_MS].map((shift) => offsetOf(zone, wallClock + shift));
  const moments = offsets.map((offset) => wallClock - offset);
  const shown = moments.filter((moment) => wallClockIn(zone, moment) === wallClock);
  return shown.length > 0 ? Math.min(...shown) : Math.max(...moments);
}

function offsetOf(zone: string, at: EpochMs): number {
  return wallClockIn(zone, at) - at;
}

function startOfDay(time: EpochMs): EpochMs {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
