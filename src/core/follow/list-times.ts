import { DAY_MS, type EpochMs, MINUTE_MS } from '../base/time/duration.ts';
import { hourIn, isZone, lastAtHour, nextAtHour } from '../base/time/zoned-time.ts';
import type { Follower } from './follower.ts';

/** The hour at which a person's day ends and their list comes. */
const LIST_HOUR = 19;
const BEFORE_EVENING_MS = 5 * MINUTE_MS;
/** Seven days: how far back a list looks at most, and how long nothing may be sent before the person is told so. */
export const WEEK_MS = 7 * DAY_MS;

type Times = Pick<Follower, 'zone' | 'quiet'>;

/** The person's zone as an IANA name; UTC until they name one. */
export function zoneOf({ zone }: Pick<Follower, 'zone'>): string {
  // A zone that only another build knows must not stop everybody's lists.
  return zone !== null && isZone(zone) ? zone : 'UTC';
}

/** When the person's current day of places began. */
export function dayStartOf(follower: Times, now: EpochMs): EpochMs {
  return lastAtHour(zoneOf(follower), LIST_HOUR, now);
}

/** Shortly before the next evening: what is held until then is in that evening's list and in no earlier one. */
export function beforeEvening(follower: Times, at: EpochMs): EpochMs {
  return nextAtHour(zoneOf(follower), LIST_HOUR, at) - BEFORE_EVENING_MS;
}

/** Whether it is within the person's quiet hours. */
export function isQuiet(follower: Times, at: EpochMs): boolean {
  const { quiet } = follower;
  if (quiet === null) return false;
  const hour = hourIn(zoneOf(follower), at);
  const { from, to } = quiet;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** The end of the quiet hours that the time is in; otherwise the time itself. */
export function quietEndOf(follower: Times, at: EpochMs): EpochMs {
  const { quiet } = follower;
  return quiet !== null && isQuiet(follower, at) ? nextAtHour(zoneOf(follower), quiet.to, at) : at;
}

/** The last time, up to `now`, at which a list was due: in the evening, unless it is quiet then, and at the end of quiet hours. */
export function lastListTime(
  follower: Times,
  now: EpochMs,
): { readonly at: EpochMs; readonly occasion: 'evening' | 'quiet' } {
  const zone = zoneOf(follower);
  const evening = { at: lastAtHour(zone, LIST_HOUR, now), occasion: 'evening' } as const;
  if (follower.quiet === null) return evening;
  const end = { at: lastAtHour(zone, follower.quiet.to, now), occasion: 'quiet' } as const;
  return end.at >= evening.at || isQuiet(follower, evening.at) ? end : evening;
}

/** The next time, after `now`, at which a list is due. */
export function nextListTime(follower: Times, now: EpochMs): EpochMs {
  const zone = zoneOf(follower);
  const evening = nextAtHour(zone, LIST_HOUR, now);
  if (follower.quiet === null) return evening;
  const end = nextAtHour(zone, follower.quiet.to, now);
  return isQuiet(follower, evening) ? end : Math.min(end, evening);
}

/** The hour of an evening in UTC, for ids: two evenings can fall on one UTC day when clocks change. */
export function hourOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 13);
}

/** The evening at which the person's week is over that ends at `end` or later: weeks count from the first follow. */
export function weekEndOf(follower: Pick<Follower, 'zone' | 'createdAt'>, end: EpochMs): EpochMs {
  const weeks = Math.max(1, Math.ceil((end - follower.createdAt) / WEEK_MS));
  return nextAtHour(zoneOf(follower), LIST_HOUR, follower.createdAt + weeks * WEEK_MS - 1);
}
