import { DAY_MS, type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time/duration.ts';

/** A line across the chart: its distance from the left or top in per cent, and its label. */
export interface Tick {
  readonly percent: number;
  readonly label: string;
}

/** One direction of a chart. */
export interface Axis {
  /** The value at the left or the top edge, a whole number of units: a time in seconds, a price in hundredths of a cent. */
  readonly start: number;
  /** Units from there to the other edge. */
  readonly length: number;
  readonly ticks: readonly Tick[];
}

/** From a minute to two weeks. */
const TIME_STEPS = [1, 5, 15, 30, 60, 180, 360, 720, 1_440, 2_880, 5_760, 10_080, 20_160].map(
  (minutes) => minutes * MINUTE_MS,
);
const MONTH_STEPS = [1, 2, 3, 6];
const MONTH_MS = 30 * DAY_MS;
const TIME_TICKS_MAX = 5;
/** Per cent of the width that a date needs on either side of its tick, at 300 px. */
const LABEL_ROOM = 8;
/** Room at either edge, as shares of the time span and of the price span. */
const SIDE = 0.03;
const ABOVE = 0.08;

const PRICE_STEPS = [1, 2, 5, 10, 20, 25];
const PRICE_TICKS_MAX = 6;
/** In cents: a flat line would fill its chart with noise. */
const SMALLEST_RANGE = 4;
const UNITS_PER_CENT = 100;

/** An axis of at least a minute around these two times, with dates or times of the day, UTC. */
export function timeAxis(first: EpochMs, last: EpochMs): Axis {
  const span = Math.max(last - first, MINUTE_MS);
  const start = Math.floor((first - SIDE * span) / SECOND_MS);
  const length = Math.ceil((first + (1 + SIDE) * span) / SECOND_MS) - start;
  const isFew = (step: number) => span / step <= TIME_TICKS_MAX;
  const step = TIME_STEPS.find(isFew);
  const months = MONTH_STEPS.find((count) => isFew(count * MONTH_MS)) ?? 12;
  const moments = step === undefined ? startsOfMonths(first, last, months) : multiples(first, last, step);
  const ticks = moments
    .map((at) => ({
      percent: toTenth((100 * (at / SECOND_MS - start)) / length),
      label: timeLabel(at, step ?? MONTH_MS),
    }))
    .filter(({ percent }) => percent >= LABEL_ROOM && percent <= 100 - LABEL_ROOM);
  return { start, length, ticks };
}

/** An axis of at least four cents around these prices, USDC a share, the highest at its start. */
export function priceAxis(prices: readonly number[]): Axis {
  const inCents = prices.map((price) => price * 100);
  const [low, high] = widened(Math.min(...inCents), Math.max(...inCents));
  const room = (high - low) * ABOVE;
  const start = Math.ceil((high + room) * UNITS_PER_CENT);
  const length = start - Math.floor((low - room) * UNITS_PER_CENT);
  const step = PRICE_STEPS.find((each) => (high - low) / each < PRICE_TICKS_MAX) ?? 50;
  const ticks = multiples(low, high, step).map((cent) => {
    return { percent: toTenth((100 * (start - cent * UNITS_PER_CENT)) / length), label: `${cent}¢` };
  });
  return { start, length, ticks };
}

function multiples(from: number, until: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(until / step) - first + 1 }, (_, index) => (first + index) * step);
}

function startsOfMonths(from: EpochMs, until: EpochMs, step: number): readonly EpochMs[] {
  const monthOf = (at: EpochMs) => 12 * (new Date(at).getUTCFullYear() - 1970) + new Date(at).getUTCMonth();
  return multiples(monthOf(from) + 1, monthOf(until), step).map((month) => Date.UTC(1970, month));
}

function timeLabel(at: EpochMs, step: number): string {
  const date = new Date(at);
  const time = date.toISOString().slice(11, 16);
  if (step < DAY_MS && time !== '00:00') return time;
  // A format of the locale takes 50 µs, and a page has a hundred dates.
  const [, day, month] = date.toUTCString().split(' ');
  return `${month} ${Number(day)}`;
}

function widened(low: number, high: number): readonly [number, number] {
  const missing = Math.max(0, SMALLEST_RANGE - (high - low)) / 2;
  const [from, until] = [Math.max(0, low - missing), Math.min(100, high + missing)];
  if (until - from >= SMALLEST_RANGE) return [from, until];
  return from === 0 ? [0, SMALLEST_RANGE] : [100 - SMALLEST_RANGE, 100];
}

function toTenth(percent: number): number {
  return Math.round(percent * 10) / 10;
}
