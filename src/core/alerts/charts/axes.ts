import { SECOND_MS } from '../../base/time/duration.ts';
import type { PricePoint } from '../../trades/price-point.ts';

/** In pixels, or in other units of a picture. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a picture spans. A path in these units keeps every time to its second and every price to a hundredth of a cent. */
export interface Axes extends Size {
  /** Seconds since 1970 at the left edge; `width` is in seconds. */
  readonly left: number;
  /** Hundredths of a cent at the top edge; `height` is in hundredths of a cent. */
  readonly top: number;
}

const UNITS_PER_CENT = 100;
const UNITS_PER_DOLLAR = 100 * UNITS_PER_CENT;
/** A shorter time, or a flatter line, would fill its picture with noise. */
const LEAST_SECONDS = 60;
const LEAST_UNITS = 4 * UNITS_PER_CENT;
/** Room at either edge, as shares of the time span and of the price span. */
const SIDE = 0.03;
const ABOVE = 0.08;

const STEPS = [1, 2, 5, 10, 20, 25];
const TICKS_MAX = 6;

/** Axes that fit these points; null if all are at one moment, which shows no course. */
export function axesOf(points: readonly PricePoint[]): Axes | null {
  const times = points.map(({ at }) => at / SECOND_MS);
  if (new Set(times).size < 2) return null;
  const prices = points.map(({ price }) => price * UNITS_PER_DOLLAR);
  const [left, right] = rangeOf(times, LEAST_SECONDS, SIDE);
  const [bottom, top] = rangeOf(prices, LEAST_UNITS, ABOVE);
  return { left, width: right - left, top, height: top - bottom };
}

function rangeOf(values: readonly number[], least: number, room: number): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = (low + high) / 2;
  const reach = Math.max(high - low, least) * (0.5 + room);
  return [Math.floor(middle - reach), Math.ceil(middle + reach)];
}

/** Position of a point in a picture of this size, from its left and its top. */
export function placeOf({ at, price }: PricePoint, axes: Axes, size: Size): readonly [number, number] {
  return [
    (size.width * (Math.floor(at / SECOND_MS) - axes.left)) / axes.width,
    (size.height * (axes.top - price * UNITS_PER_DOLLAR)) / axes.height,
  ];
}

/** Round prices within the axes, in cents. */
export function priceTicks({ top, height }: Axes): readonly number[] {
  const low = Math.max(0, (top - height) / UNITS_PER_CENT);
  const high = Math.min(100, top / UNITS_PER_CENT);
  const step = STEPS.find((each) => (high - low) / each <= TICKS_MAX) ?? 50;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** A line as an SVG path of steps, in whole units of a picture of this size: a price holds until the next order. */
export function pathOf(line: readonly PricePoint[], axes: Axes, size: Size): string {
  let [path, x, y] = ['', 0, 0];
  for (const point of line) {
    const [nextX = 0, nextY = 0] = placeOf(point, axes, size).map(Math.round);
    // Round ends make a point of a line without a length.
    path += path === '' ? `M${nextX} ${nextY}h0` : `h${nextX - x}v${nextY - y}`;
    [x, y] = [nextX, nextY];
  }
  return path;
}
