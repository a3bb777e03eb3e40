import { cents, utcMinute } from '../../core/base/text/formats.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../../core/base/time/duration.ts';
import type { PricePoint } from '../../core/record/observations/price-line.ts';
import { type Html, html } from '../html.ts';

export interface ChartMark extends PricePoint {
  readonly id: number;
  readonly isMain?: boolean;
}

export interface PriceChart {
  readonly outcome: string;
  readonly line: readonly (readonly PricePoint[])[];
  readonly marks: readonly ChartMark[];
  /** What a share paid, and since when that is known. */
  readonly settlement: PricePoint | null;
}

const UNITS = 1_000;
/** Numbers nearer to each other, in per cent, would cover each other. */
const NUMBER_WIDTH = 7;
const DESCRIBED = 10;

/** The line of a price with alerts, as SVG; a script makes a chart of `data-line` and `data-marks`. */
export function priceChart(chart: PriceChart): Html {
  const { line, marks, settlement } = chart;
  const all = [...line.flat(), ...marks, ...(settlement === null ? [] : [settlement])];
  if (all.length < 2) return html`<p class="muted">No prices were recorded around this time.</p>`;
  const times = all.map(({ at }) => at);
  const x = timeAxis(Math.min(...times), Math.max(...times));
  const y = priceAxis(all.map(({ price }) => price));
  return html`<figure class="chart" data-line="${dataOf(line)}" data-marks="${marks.map(markData).join(' ')}">
    <svg role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">Price of ${chart.outcome}</title>
      <desc id="chart-text">${describe(chart)}</desc>
      ${y.ticks.map(({ percent }) => html`<line class="grid" x1="0" x2="100%" y1="${percent}%" y2="${percent}%"></line>`)}
      ${x.ticks.map(({ percent }) => html`<line class="grid" x1="${percent}%" x2="${percent}%" y1="0" y2="88%"></line>`)}
      <svg viewBox="0 0 ${UNITS} ${UNITS}" preserveAspectRatio="none" width="100%" height="100%">
        <path class="line" d="${pathOf(line, x, y)}"></path>
      </svg>
      ${y.ticks.map(({ percent, label }) => html`<text x="0.25rem" y="${percent}%" dy="-0.3em">${label}</text>`)}
      ${x.ticks.map(({ percent, label }) => html`<text class="date" x="${percent}%" y="100%" dy="-0.4em">${label}</text>`)}
      ${settlementMark(settlement, x, y)} ${marksOf(marks, x, y)}
    </svg>
    <figcaption class="muted small">
      Price of <bdi>${chart.outcome}</bdi>, UTC. The line is interrupted where more than two hours had no order.
    </figcaption>
  </figure>`;
}

function pathOf(line: PriceChart['line'], x: Axis, y: Axis): string {
  const place = ({ at, price }: PricePoint) =>
    `${Math.round(x.percentOf(at) * (UNITS / 100))} ${Math.round(y.percentOf(price) * (UNITS / 100))}`;
  // A stretch of one point is drawn as the round end of a line without a length.
  return line
    .map((stretch) => `M${stretch.map(place).join('L')}${stretch.length === 1 ? 'h0' : ''}`)
    .join('');
}

function settlementMark(settlement: PricePoint | null, x: Axis, y: Axis): Html | null {
  if (settlement === null) return null;
  const left = x.percentOf(settlement.at);
  const text = `paid ${cents(settlement.price)}`;
  return html`<line class="settled" x1="${left}%" x2="${left}%" y1="0" y2="88%"></line>
    <text class="${left > 50 ? 'end' : 'start'}" x="${left}%" y="${y.percentOf(settlement.price)}%" dy="1.1em">${text}</text>`;
}

function marksOf(marks: readonly ChartMark[], x: Axis, y: Axis): readonly Html[] {
  let labelledAt = Number.NEGATIVE_INFINITY;
  return marks.map(({ id, at, price, isMain = false }) => {
    const [left, top] = [x.percentOf(at), y.percentOf(price)];
    const isLabelled = isMain || Math.abs(left - labelledAt) >= NUMBER_WIDTH;
    if (isLabelled) labelledAt = left;
    return html`<circle class="${isMain ? 'mark main' : 'mark'}" cx="${left}%" cy="${top}%" r="5"></circle>
      ${isLabelled ? html`<text class="date" x="${left}%" y="${top}%" dy="-0.7em">${id}</text>` : null}`;
  });
}

function describe({ line, marks, settlement }: PriceChart): string {
  const points = line.flat();
  const [first, last] = [points[0], points.at(-1)];
  const prices = points.map(({ price }) => price);
  const course =
    first === undefined || last === undefined
      ? 'No orders were recorded.'
      : `From ${cents(first.price)} at ${utcMinute(first.at)} to ${cents(last.price)} at ${utcMinute(last.at)}; ` +
        `lowest ${cents(Math.min(...prices))}, highest ${cents(Math.max(...prices))}.`;
  const moments = marks
    .slice(-DESCRIBED)
    .map(({ id, at, price }) => `${id} ${utcMinute(at)} at ${cents(price)}`);
  const alerts = moments.length === 0 ? '' : ` Its last alerts: ${moments.join(', ')}.`;
  const paid =
    settlement === null ? '' : ` It paid ${cents(settlement.price)}, known ${utcMinute(settlement.at)}.`;
  return `${course}${alerts}${paid}`;
}

/** Stretches are parted by `;`, points by a space: the first time in seconds since the epoch, each later one since the one before. */
function dataOf(line: PriceChart['line']): string {
  let before = 0;
  const next = (at: EpochMs) => {
    const seconds = Math.floor(at / 1_000);
    const since = seconds - before;
    before = seconds;
    return since;
  };
  return line
    .map((stretch) => stretch.map(({ at, price }) => `${next(at)},${Number(price.toFixed(4))}`).join(' '))
    .join(';');
}

function markData({ id, at, price, isMain = false }: ChartMark): string {
  return `${Math.floor(at / 1_000)},${price},${id},${isMain ? 1 : 0}`;
}

interface Tick {
  readonly percent: number;
  readonly label: string;
}

interface Axis {
  /** Per cent from the left or the top, with one decimal. */
  percentOf(value: number): number;
  readonly ticks: readonly Tick[];
}

const PRICE_STEPS = [1, 2, 5, 10, 20, 25];
const PRICE_TICKS_MAX = 5;
const SMALLEST_RANGE = 4;

const TIME_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * DAY_MS),
];
const TIME_TICKS_MAX = 4;
const LABELLED_FROM = 9;

/** Room in per cent: above the highest price, and below the lowest one for the dates. */
const TOP = 8;
const BOTTOM = 16;
const SIDE = 2;

function priceAxis(prices: readonly number[]): Axis {
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

function timeAxis(from: EpochMs, until: EpochMs): Axis {
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
