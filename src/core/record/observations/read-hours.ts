import { allPages } from '../../base/async/paged.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { HOUR_MS } from '../../base/time/duration.ts';
import type { ObservationStore, ObservedHour } from './observation-store.ts';

/** Hours of one read. */
const LIMIT = 500;

/** All hours of a market from `from` on and before `until`, ascending. */
export function readHours(
  observations: Pick<ObservationStore, 'hours'>,
  marketId: string,
  { from, until }: { readonly from: EpochMs; readonly until: EpochMs },
): Promise<readonly ObservedHour[]> {
  const after = (last?: ObservedHour) => {
    const start = last === undefined ? from : last.hour + HOUR_MS;
    return observations.hours(marketId, { from: start, until, limit: LIMIT });
  };
  return allPages(after, LIMIT);
}
