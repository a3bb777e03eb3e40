import type { PricePoint } from '../../trades/price-point.ts';

/** Maximum number of points in a line. */
export const LINE_POINTS_MAX = 300;
/** Prices kept per interval: the lowest and the highest. */
const POINTS_PER_INTERVAL = 2;

/**
 * At most so many points of a line, ascending by time: if there are more, the lowest and the highest price of each interval (half as
 * many intervals as points), and the last point.
 */
export function thinned(points: readonly PricePoint[], most: number): readonly PricePoint[] {
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
