import type { Axis } from '../../core/alerts/charts/price-axes.ts';
import type { ChartAlert, ChartSettlement, PriceChart } from '../../core/alerts/charts/price-chart.ts';
import { type AlertMark, drawPrices, type PriceDrawing } from '../../core/alerts/charts/price-drawing.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, dollars, timeSpan, utcDay, utcMinute } from '../../core/base/text/formats.ts';
import type { PricePoint } from '../../core/trades/price-point.ts';
import { type Html, html } from '../html.ts';

/** What marks are placed for, in pixels: a chart on a phone. */
const SIZE = { width: 290, height: 200 } as const;

/**
 * A price over time with its alerts as links, exits and settlement, complete without scripts; `chart.js` shows the price at the
 * pointer. A page has one.
 */
export function priceChart(chart: PriceChart): Html {
  const drawing = drawPrices(chart);
  if (drawing === null) return html`<p class="muted">No other price is known yet.</p>`;
  const { x, y } = drawing;
  const units = { width: x.length, height: y.length };
  const { line, gaps } = drawing.paths(units);
  return html`<price-chart class="chart">
    <figure>
      <p class="reading"><strong><bdi>${chart.outcome}</bdi></strong> <span class="readout">${lastOf(chart)}</span></p>
      <div class="plot">
        <svg class="picture" role="group" aria-label="Price of ${chart.outcome}" aria-describedby="chart-text">
          <desc id="chart-text">${describe(chart)}</desc>
          ${tickLabels(drawing)}
          <svg viewBox="0 0 ${units.width} ${units.height}" preserveAspectRatio="none" width="100%" height="100%">
            ${gridOf(drawing)} ${gaps && html`<path class="gaps" d="${gaps}"></path>`}
            <path class="line" d="${line}" data-start="${x.start}" data-top="${y.start}"></path>
          </svg>
          ${settlementMark(drawing)} ${drawing.marks(SIZE).map((mark) => alertMark(mark, drawing))} ${exitMarks(drawing)}
        </svg>
      </div>
      <figcaption class="muted small">${legend(drawing, gaps !== '')}</figcaption>
    </figure>
  </price-chart>`;
}

interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

/** Prices on the left of a picture, dates below it. */
function tickLabels({ x, y }: Axes): readonly Html[] {
  return [
    ...y.ticks.map(
      ({ percent, label }) => html`<text class="end" x="-8" y="${percent}%" dy="0.35em">${label}</text>`,
    ),
    ...x.ticks.map(({ percent, label }) => html`<text x="${percent}%" y="100%" dy="1.5em">${label}</text>`),
  ];
}

/** The lines of these, in the units of the axes. */
function gridOf({ x, y }: Axes): Html {
  const at = (axis: Axis, percent: number) => Math.round((percent * axis.length) / 100);
  const across = y.ticks.map(({ percent }) => `M0 ${at(y, percent)}H${x.length}`);
  const down = x.ticks.map(({ percent }) => `M${at(x, percent)} 0V${y.length}`);
  return html`<path class="grid" d="${[...across, ...down].join('')}"></path>`;
}

/** In units of its picture. */
const SMALL = { width: 120, height: 40 } as const;

/** The course of a price without axes, beside the price itself: screen readers leave it out. Null where there is no course. */
export function smallPriceLine(line: readonly PricePoint[]): Html | null {
  const drawing = drawPrices({
    outcome: '',
    line,
    alerts: [],
    exits: [],
    settlement: null,
  });
  if (drawing === null) return null;
  const paths = drawing.paths(SMALL);
  return html`<svg class="course" viewBox="0 0 ${SMALL.width} ${SMALL.height}" preserveAspectRatio="none" aria-hidden="true"><path d="${paths.gaps}${paths.line}"></path></svg>`;
}

function triangle({ isFirstOutcome }: ChartAlert): string {
  return isFirstOutcome ? 'M0-7 7 6H-7z' : 'M0 7 7-6H-7z';
}

/** Where a point is, in per cent. */
function placed(drawing: PriceDrawing, point: PricePoint): readonly [string, string] {
  const [x, y] = drawing.place(point, { width: 100, height: 100 });
  return [`${x.toFixed(1)}%`, `${y.toFixed(1)}%`];
}

/** The way of the price between orders is not part of it: the line of the settlement has its words above the picture. */
function settlementMark(drawing: PriceDrawing): Html | null {
  const { settlement } = drawing.chart;
  if (settlement === null) return null;
  const [x, y] = placed(drawing, settlement);
  const words = `paid ${cents(settlement.price)}`;
  return html`<g class="settled"><title>Settled: ${paidWords(settlement)}</title>
    <line x1="${x}" x2="${x}" y2="100%"></line><circle cx="${x}" cy="${y}" r="5"></circle>
    <text class="end" x="${x}" dy="-0.5em">${words}</text></g>`;
}

function paidWords({ price, at, isUndated = false }: ChartSettlement): string {
  return `paid ${cents(price)}${isUndated ? '' : `, known ${utcMinute(at)}`}`;
}

function exitMarks(drawing: PriceDrawing): readonly Html[] {
  return drawing.chart.exits.map((exit) => {
    const [x, y] = placed(drawing, exit);
    return html`<svg class="exit" x="${x}" y="${y}"><title>${exit.words}, ${utcMinute(exit.at)}</title><path class="ground" d="${CROSS}"></path><path d="${CROSS}"></path></svg>`;
  });
}

const CROSS = 'M-5-5 5 5M5-5-5 5';

/** Its circle is what a finger hits. */
function alertMark({ alerts }: AlertMark, drawing: PriceDrawing): Html {
  const [first, ...others] = alerts;
  const [x, y] = placed(drawing, first);
  const look = `mark ${first.result}${first.isMain ? ' main' : ''}`;
  const words = others.length === 0 ? alertWords(first, drawing.chart) : groupWords(alerts);
  return html`<a class="${look}" href="${alertPath(first.id)}"><title>${words}</title><svg x="${x}" y="${y}"><circle r="12"></circle><path d="${triangle(first)}"></path></svg></a>`;
}

function alertWords({ id, at, outcome, putInUsdc, result }: ChartAlert, chart: PriceChart): string {
  const on = outcome === chart.outcome ? '' : ` on ${outcome}`;
  return `Alert ${id}: ${dollars(putInUsdc)} put in${on} by ${utcMinute(at)}${result === 'open' ? '' : `, ${result}`}`;
}

function groupWords(alerts: readonly ChartAlert[]): string {
  const [times, prices] = [alerts.map(({ at }) => at), alerts.map(({ price }) => price)];
  return `${counted(alerts.length, 'alert')}: ${range(times, utcDay)}, ${range(prices, cents)}`;
}

function range(values: readonly number[], words: (value: number) => string): string {
  const [from, until] = [words(Math.min(...values)), words(Math.max(...values))];
  return from === until ? from : `${from} to ${until}`;
}

/** What is read while no point is chosen. */
function lastOf({ line, settlement }: PriceChart): string {
  const last = line.at(-1);
  if (settlement !== null) return paidWords(settlement);
  return last === undefined ? 'no orders were recorded' : `last ${cents(last.price)}, ${utcMinute(last.at)}`;
}

function legend(drawing: PriceDrawing, hasGaps: boolean): Html {
  const { chart, breakMs } = drawing;
  const { alerts, exits, settlement } = chart;
  const key = (look: string, shape: Html) =>
    html`<svg class="key ${look}" viewBox="-9 -9 18 18" aria-hidden="true">${shape}</svg>`;
  const looks = new Map(alerts.map((alert) => [`${alert.outcome} ${alert.result}`, alert]));
  return html`<ul class="legend">
    ${[...looks.values()].map((alert) => html`<li>${key(`mark ${alert.result}`, html`<path d="${triangle(alert)}"></path>`)} bought <bdi>${alert.outcome}</bdi>: <span class="${alert.result}">${alert.result}</span></li>`)}
    ${exits.length === 0 ? null : html`<li>${key('exit', html`<path d="${CROSS}"></path>`)} sold or hedged</li>`}
    ${settlement && html`<li>${key('settled', html`<circle r="5"></circle>`)} settled</li>`}
    ${hasGaps ? html`<li>${key('', html`<path class="gaps" d="M-9 0H9"></path>`)} no order for over ${timeSpan(breakMs)}</li>` : null}
  </ul>`;
}

/** Its alerts are links with words of their own. */
function describe({ line, settlement }: PriceChart): string {
  const [first, last] = [line[0], line.at(-1)];
  const course =
    first === undefined || last === undefined
      ? 'No orders were recorded.'
      : `From ${cents(first.price)} at ${utcMinute(first.at)} to ${cents(last.price)} at ${utcMinute(last.at)}; ` +
        `${range(
          line.map(({ price }) => price),
          cents,
        )}.`;
  return settlement === null ? course : `${course} It ${paidWords(settlement)}.`;
}
