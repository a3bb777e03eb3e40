import type { EpochMs } from '../../base/time/duration.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import { parseHour } from './hour-text.ts';
import type { ObservedHour } from './observation-store.ts';

/** A price at which an observed market traded, USDC a share, and when it was known. */
export interface PricePoint {
  readonly at: EpochMs;
  readonly price: number;
}

/**
 * The known prices of an hour on the scale of the base outcome, ascending by time: the last orders of each minute at their seconds;
 * where quotes were not kept, the last price of each bar at its end.
 */
export function pricePointsOf({ hour, text }: Pick<ObservedHour, 'hour' | 'text'>): readonly PricePoint[] {
  const { bars, quotes } = parseHour(text);
  if (quotes === undefined) return bars.map(([minute, , last]) => ({ at: endOf(hour, minute), price: last }));
  return quotes.flatMap(([minute, last]) =>
    last.map(([second, price]) => ({ at: hour + minute * MINUTE_MS + second * SECOND_MS, price })),
  );
}

function endOf(hour: EpochMs, minute: number | null): EpochMs {
  return hour + (minute === null ? HOUR_MS : (minute + 1) * MINUTE_MS);
}
