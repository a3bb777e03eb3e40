import { utcDay } from '../../base/text/formats.ts';
import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';

/** `last 30 days`, or whatever `current` says; of a window that ended more than a day ago `30 days to 2022-11-10`. */
export function windowWords(
  length: string,
  { until, now }: { readonly until: EpochMs; readonly now: EpochMs },
  current = `last ${length}`,
): string {
  return now - until > DAY_MS ? `${length} to ${utcDay(until)}` : current;
}
