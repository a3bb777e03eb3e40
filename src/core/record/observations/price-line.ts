import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import { parseHour } from './hour-text.ts';
import { type ObservedHour, type OutcomeSide, onScaleOf } from './observation-store.ts';

/** Maximum number of points in a line. */
export const LINE_POINTS_MAX = 300;
/** Prices kept per interval: the lowest and the highest. */
const POINTS_PER_INTERVAL = 2;

/** What a line of prices shows. */
interface LineRequest {
  /** On whose scale the prices are. */
  readonly outcome: OutcomeSide;
  /** Earlier prices are left out. */
  readonly from?: EpochMs;
  /** Nothing later is known, on the clock of the source. */
  readonly until: EpochMs;
  /** Maximum number of points. Default: `LINE_POINTS_MAX`. */
  readonly points?: number | undefined;
}

/**
 * The line of an observed market from its prices, which are on the scale of the base outcome and ascend by time
 * (`pricePointsOf`). If there are too many, the lowest and highest price of each interval are kept (half as many intervals as
 * points), and the last point.
 */
export function priceLine(
  prices: readonly PricePoint[],
  { outcome, from = 0, until, points = LINE_POINTS_MAX }: LineRequest,
): readonly PricePoint[] {
  const known = prices
    .filter(({ at }) => at >= from && at <= until)
    .map(({ at, price }) => ({ at, price: onScaleOf(outcome, price) }));
  return thinned(known, points);
}

function thinned(points: readonly PricePoint[], most: number): readonly PricePoint[] {
  if (points.length <= most) return points;
  const [first, last] = [points[0] as PricePoint, points.at(-1) as PricePoint];
  const intervals = Math.floor((most - 1) / POINTS_PER_INTERVAL);
  const width = (last.at - first.at + 1) / intervals;
  const kept = new Set([last]);
  const byInterval = Map.groupBy(points, ({ at }) => Math.floor((at - first.at) / width));
  for (const group of byInterval.values()) {
    kept.add(group.reduce((low, point) => (point.price < low.price ? point : low)));
    kept.add(group.reduce((high, point) => (point.price > high.price ? point : high)));
  }
  return points.filter((point) => kept.has(point));
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
