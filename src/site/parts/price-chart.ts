import { axesOf, pathOf } from '../../core/alerts/charts/axes.ts';
import {
  chartAxes,
  chartPicture,
  type PriceChart,
  rangeWords,
  shapeOf,
} from '../../core/alerts/charts/price-chart.ts';
import { resultWord } from '../../core/alerts/describe-alert.ts';
import { cents, utcMinute } from '../../core/base/text/formats.ts';
import type { PricePoint } from '../../core/trades/price-point.ts';
import { Html, html } from '../html.ts';

/**
 * A price over time with its alerts as links, exits and settlement, complete without scripts; `chart.js` shows the price at the
 * pointer. A page has one.
 */
export function priceChart(chart: PriceChart): Html {
  const axes = chartAxes(chart);
  if (axes === null) return html`<p class="muted">No other price is known yet.</p>`;
  return html`<price-chart class="chart">
    <figure>
      <p class="reading"><strong><bdi>${chart.outcome}</bdi></strong> <span class="readout" id="chart-text">${courseOf(chart)}</span></p>
      <div class="plot">
        <svg class="picture" role="group" aria-label="Price of ${chart.outcome}" aria-describedby="chart-text">
          ${new Html(chartPicture(chart, axes))}
        </svg>
      </div>
      <figcaption class="muted small">${legend(chart)}</figcaption>
    </figure>
  </price-chart>`;
}

/** In units of its picture. */
const SMALL = { width: 120, height: 40 } as const;

/** The course of a price without axes, beside the price itself: screen readers leave it out. Null where there is no course. */
export function smallPriceLine(line: readonly PricePoint[]): Html | null {
  const axes = axesOf(line);
  if (axes === null) return null;
  return html`<svg class="course" viewBox="0 0 ${SMALL.width} ${SMALL.height}" preserveAspectRatio="none" aria-hidden="true"><path d="${pathOf(line, axes, SMALL)}"></path></svg>`;
}

/** What is read while no point is chosen. */
function courseOf({ line, settlement }: PriceChart): string {
  const prices = line.map(({ price }) => price);
  const last = line.at(-1);
  const traded =
    last === undefined
      ? 'no orders were recorded'
      : `${rangeWords(prices, cents)}, last ${cents(last.price)} at ${utcMinute(last.at)}`;
  return settlement === null ? traded : `${traded}; paid ${cents(settlement.price)}`;
}

function legend({ alerts, exits, settlement }: PriceChart): Html {
  const key = (look: string, shape: string) =>
    html`<svg class="key ${look}" viewBox="-9 -9 18 18" aria-hidden="true">${new Html(shape)}</svg>`;
  const looks = new Map(alerts.map(({ alert }) => [`${alert.outcome} ${resultWord(alert)}`, alert]));
  const bought = [...looks.values()].map((alert) => {
    const result = resultWord(alert);
    return html`<li>${key(`mark ${result}`, shapeOf(alert))} bought <bdi>${alert.outcome}</bdi>: <span class="${result}">${result}</span></li>`;
  });
  return html`<ul class="legend">
    ${bought}
    ${exits.length === 0 ? null : html`<li>${key('exit', shapeOf('exit'))} sold or hedged</li>`}
    ${settlement && html`<li>${key('settled', shapeOf('settlement'))} settled</li>`}
  </ul>`;
}
