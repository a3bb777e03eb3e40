import { escapeHtml } from '../../base/text/escape.ts';
import { cents, counted, dollars, utcDay, utcMinute } from '../../base/text/formats.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import type { Alert } from '../alert.ts';
import { putInOf } from '../bet.ts';
import { resultWord } from '../describe-alert.ts';
import type { Exit } from '../exits/exit.ts';
import { exitWords } from '../exits/exit-words.ts';
import { alertPath } from '../site-paths.ts';
import { type Axes, axesOf, pathOf, placeOf, priceTicks, type Size } from './axes.ts';

/** The price of one outcome over time, and what happened at it. All prices are on the scale of the outcome. */
export interface PriceChart {
  /** The outcome, as the market names it. */
  readonly outcome: string;
  /** Last prices, ascending by time. */
  readonly line: readonly PricePoint[];
  readonly alerts: readonly ChartAlert[];
  /** When positions were sold or hedged. */
  readonly exits: readonly ChartExit[];
  /** What a share paid, at the end; null while that is not known. */
  readonly settlement: PricePoint | null;
}

/** An alert at the second and the price of its order. */
export interface ChartAlert extends PricePoint {
  readonly alert: Alert;
  /** Whether it is the alert that the chart is about. */
  readonly isMain: boolean;
}

/** A sale or a hedge. */
export interface ChartExit extends PricePoint {
  readonly exit: Exit;
}

/** In pixels, what marks are placed for: a chart on a phone. */
const PHONE: Size = { width: 290, height: 200 };
/** Least distance between pointer targets (WCAG 2.2, 2.5.8), in pixels. */
const APART = 24;
const CROSS = 'M-5-5 5 5M5-5-5 5';

/** Axes that fit a chart; null if all of it is at one moment. */
export function chartAxes(chart: PriceChart): Axes | null {
  return axesOf(pointsOf(chart));
}

/**
 * A chart as SVG elements, for the page and for the card: each puts them into a picture of its own and styles their classes.
 * All but the line have their places in per cent. `units`: of the line; those of the axes let every price be read.
 */
export function chartPicture(chart: PriceChart, axes: Axes, units: Size = axes): string {
  const path = pathOf(chart.line, axes, units);
  return `${priceLabels(axes)}${dateLabels(chart)}
    <svg viewBox="0 0 ${units.width} ${units.height}" preserveAspectRatio="none" width="100%" height="100%">
      <path class="line" d="${path}" data-start="${axes.left}" data-top="${axes.top}"></path>
    </svg>
    ${settlementMark(chart, axes)}${alertMarks(chart, axes)}${exitMarks(chart, axes)}`;
}

/** What an alert, or a sale, looks like: also in a legend. */
export function shapeOf(mark: Alert | 'exit' | 'settlement'): string {
  if (mark === 'exit') return `<path d="${CROSS}"></path>`;
  if (mark === 'settlement') return '<circle r="5"></circle>';
  return `<path d="${mark.outcomeIndex === 1 ? 'M0 7 7-6H-7z' : 'M0-7 7 6H-7z'}"></path>`;
}

function pointsOf({ line, alerts, exits, settlement }: PriceChart): readonly PricePoint[] {
  return [...line, ...alerts, ...exits, ...(settlement === null ? [] : [settlement])];
}

/** A line across the picture for each round price, and the price on its left. */
function priceLabels(axes: Axes): string {
  const labels = priceTicks(axes).map((cent) => {
    const [, y] = placed({ at: 0, price: cent / 100 }, axes);
    return `<line class="grid" x2="100%" y1="${y}" y2="${y}"></line><text class="end" x="-8" y="${y}" dy="0.35em">${cent}¢</text>`;
  });
  return labels.join('');
}

/** The first and the last moment, below the picture. */
function dateLabels(chart: PriceChart): string {
  const times = pointsOf(chart).map(({ at }) => at);
  const words = (at: number) => utcMinute(at).slice(0, 16);
  return `<text y="100%" dy="1.5em">${words(Math.min(...times))}</text>
    <text class="end" x="100%" y="100%" dy="1.5em">${words(Math.max(...times))}</text>`;
}

/** Where a point is. */
function placed(point: PricePoint, axes: Axes): readonly [string, string] {
  const [x, y] = placeOf(point, axes, { width: 100, height: 100 });
  return [`${x.toFixed(1)}%`, `${y.toFixed(1)}%`];
}

/** Its words stand above the picture. */
function settlementMark({ settlement }: PriceChart, axes: Axes): string {
  if (settlement === null) return '';
  const [x, y] = placed(settlement, axes);
  const words = `paid ${cents(settlement.price)}`;
  return `<g class="settled"><title>Settled: ${words}</title>
    <line x1="${x}" x2="${x}" y2="100%"></line><circle cx="${x}" cy="${y}" r="5"></circle>
    <text class="end" x="${x}" dy="-0.5em">${words}</text></g>`;
}

function exitMarks({ exits }: PriceChart, axes: Axes): string {
  const marks = exits.map((point) => {
    const [x, y] = placed(point, axes);
    const words = `${exitWords(point.exit)}, ${utcMinute(point.at)}`;
    return `<svg class="exit" x="${x}" y="${y}"><title>${escapeHtml(words)}</title><path class="ground" d="${CROSS}"></path>${shapeOf('exit')}</svg>`;
  });
  return marks.join('');
}

/** Alerts that would cover each other are one mark: that of the alert that the chart is about, or of the newest. */
function alertMarks({ alerts, outcome }: PriceChart, axes: Axes): string {
  const byRank = alerts.toSorted((a, b) => Number(b.isMain) - Number(a.isMain) || b.at - a.at);
  const marks: { readonly x: number; readonly y: number; readonly group: [ChartAlert, ...ChartAlert[]] }[] =
    [];
  for (const alert of byRank) {
    const [x, y] = placeOf(alert, axes, PHONE);
    const near = marks.find((mark) => Math.abs(mark.x - x) < APART && Math.abs(mark.y - y) < APART);
    if (near === undefined) marks.push({ x, y, group: [alert] });
    else near.group.push(alert);
  }
  return marks
    .toSorted((a, b) => a.x - b.x)
    .map(({ group }) => alertMark(group, axes, outcome))
    .join('');
}

/** Its circle is what a finger hits. */
function alertMark(group: readonly [ChartAlert, ...ChartAlert[]], axes: Axes, outcome: string): string {
  const [first] = group;
  const [x, y] = placed(first, axes);
  const look = `mark ${resultWord(first.alert)}${first.isMain ? ' main' : ''}`;
  const words = group.length === 1 ? alertWords(first.alert, outcome) : groupWords(group);
  return `<a class="${look}" href="${alertPath(first.alert.id)}"><title>${escapeHtml(words)}</title><svg x="${x}" y="${y}"><circle r="12"></circle>${shapeOf(first.alert)}</svg></a>`;
}

function alertWords(alert: Alert, charted: string): string {
  const on = alert.outcome === charted ? '' : ` on ${alert.outcome}`;
  const result = resultWord(alert);
  return `Alert ${alert.id}: ${dollars(putInOf(alert))} put in${on} by ${utcMinute(alert.tradedAt)}${result === 'open' ? '' : `, ${result}`}`;
}

function groupWords(group: readonly ChartAlert[]): string {
  const [times, prices] = [group.map(({ at }) => at), group.map(({ price }) => price)];
  return `${counted(group.length, 'alert')}: ${rangeWords(times, utcDay)}, ${rangeWords(prices, cents)}`;
}

/** `12¢ to 40¢`, or the one value. */
export function rangeWords(values: readonly number[], words: (value: number) => string): string {
  const [from, until] = [words(Math.min(...values)), words(Math.max(...values))];
  return from === until ? from : `${from} to ${until}`;
}
