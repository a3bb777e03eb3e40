import type { Alert } from '../../alerts/alert.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { TimeMapping } from '../../trades/source/source.ts';
import { publishedTime, tapeTime } from '../../trades/source/time-mapping.ts';
import type { ObservedMarket } from './observation-store.ts';

/** How the times of a market's observations and those of its alerts follow from each other. */
export interface SourceTimes {
  /** A source's time that was published by then. */
  toSource(published: EpochMs): EpochMs;
  /** Never decreases with the source's time. */
  toPublished(source: EpochMs): EpochMs;
}

/**
 * The times of an observed market. `mapping`: of the source that is read now; null where alerts have the times of the source. An
 * alert that this mapping does not explain is from another tape or an earlier run: its own two times give the difference.
 */
export function sourceTimesOf(
  { key, tradedAt }: Pick<Alert, 'key' | 'tradedAt'>,
  { alerts }: Pick<ObservedMarket, 'alerts'>,
  mapping: TimeMapping | null,
): SourceTimes {
  const observedAt = alerts.find((alert) => alert.key === key)?.tradedAt;
  const isMapped =
    mapping !== null && (observedAt === undefined || publishedTime(mapping, observedAt) === tradedAt);
  if (isMapped)
    return {
      toSource: (published) => tapeTime(mapping, published),
      toPublished: (source) => publishedTime(mapping, source),
    };
  const difference = tradedAt - (observedAt ?? tradedAt);
  return {
    toSource: (published) => published - difference,
    toPublished: (source) => source + difference,
  };
}
