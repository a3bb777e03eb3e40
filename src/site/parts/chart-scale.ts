import type { EpochMs } from '../../core/base/time/duration.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/base/time/duration.ts';

/** A value on an axis, and where it is: per cent of the axis from its start. */
export interface Tick {
  readonly percent: number;
  readonly label: string;
}

/** An axis from a first to a last value. */
export interface Axis {
  /** Per cent from the left or the top, with one decimal. */
  percentOf(value: number): number;
  readonly ticks: readonly Tick[];
}

/** In cents. */
const PRICE_STEPS = [1, 2, 5, 10, 20, 25];
const PRICE_TICKS_MAX = 5;
const SMALLEST_RANGE = 4;

const TIME_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * DAY_MS),
];
const TIME_TICKS_MAX = 4;
/** A label in the middle of its tick fits in between. */
const LABELLED_FROM = 9;

/** Room in per cent: above the highest price, and below the lowest one for the dates. */
const TOP = 8;
const BOTTOM = 16;
const SIDE = 2;

/** Prices of 0 to 1 USDC, from the bottom to the top, labelled in cents. */
export function priceAxis(prices: readonly number[]): Axis {
  const inCents = prices.map((price) => price * 100);
  const [low, high] = widened(Math.min(...inCents), Math.max(...inCents));
  const step = PRICE_STEPS.find((each) => (high - low) / each < PRICE_TICKS_MAX) ?? 50;
  const percentOf = (price: number) =>
    toTenth(TOP + (100 - TOP - BOTTOM) * (1 - (price * 100 - low) / (high - low)));
  const ticks: Tick[] = [];
  for (let cent = Math.ceil(low / step) * step; cent <= high; cent += step)
    ticks.push({ percent: percentOf(cent / 100), label: `${cent}¢` });
  return { percentOf, ticks };
}

/** Times from the left to the right, labelled in UTC. */
export function timeAxis(from: EpochMs, until: EpochMs): Axis {
  const length = Math.max(until - from, MINUTE_MS);
  const step = TIME_STEPS.find((each) => length / each <= TIME_TICKS_MAX) ?? 365 * DAY_MS;
  const percentOf = (at: EpochMs) => toTenth(SIDE + (100 - 2 * SIDE) * ((at - from) / length));
  const ticks: Tick[] = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step)
    ticks.push({ percent: percentOf(at), label: timeLabel(at, step) });
  return { percentOf, ticks: ticks.filter(({ percent }) => isLabelled(percent)) };
}

function isLabelled(percent: number): boolean {
  return percent >= LABELLED_FROM && percent <= 100 - LABELLED_FROM;
}

function timeLabel(at: EpochMs, step: number): string {
  const date = new Date(at);
  const time = date.toISOString().slice(11, 16);
  const day = date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return step >= DAY_MS || time === '00:00' ? day : time;
}

/** A flat line would fill its chart with noise. */
function widened(low: number, high: number): readonly [number, number] {
  const missing = Math.max(0, SMALLEST_RANGE - (high - low)) / 2;
  const [from, until] = [Math.max(0, low - missing), Math.min(100, high + missing)];
  return until - from >= SMALLEST_RANGE ? [from, until] : from === 0 ? [0, SMALLEST_RANGE] : [96, 100];
}

function toTenth(percent: number): number {
  return Math.round(percent * 10) / 10;
}
