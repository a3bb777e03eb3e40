import { logAxis } from '../../core/alerts/charts/log-axis.ts';
import { timeAxis } from '../../core/alerts/charts/price-axes.ts';
import { type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';
import type { MoveBettor } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';
import { gridOf, tickLabels } from './price-chart.ts';

/** The capital of both bettors until then, on a logarithmic axis with the line at which the record speaks. Null without a bet. */
export function capitalChart({ course, threshold, bought, sold }: MoveBettor, until: EpochMs): Html | null {
  const [first] = course;
  if (first === undefined) return null;
  const x = timeAxis(Date.parse(first.at), until);
  const y = logAxis(
    course.flatMap((point) => [point.bought, point.sold]),
    threshold,
  );
  const line = (name: 'bought' | 'sold') => {
    const steps = course.map((point, index) => {
      const at = Math.floor(Date.parse(point.at) / SECOND_MS) - x.start;
      return `${index === 0 ? 'M' : 'H'}${at}${index === 0 ? ' ' : 'V'}${y.at(point[name])}`;
    });
    return `${steps.join('')}H${Math.floor(until / SECOND_MS) - x.start}`;
  };
  const limit = `${((100 * y.at(threshold)) / y.length).toFixed(1)}%`;
  return html`<figure class="chart capital">
    <p><strong>Hypothetical bankroll, starting at $1</strong> <span class="muted small">on a logarithmic axis</span></p>
    <div class="plot">
      <svg class="picture" role="img" aria-label="${describe({ threshold, bought, sold })}">
        ${tickLabels({ x, y })}
        <svg viewBox="0 0 ${x.length} ${y.length}" preserveAspectRatio="none" width="100%" height="100%">
          ${gridOf({ x, y })}
          <path class="line against" d="${line('sold')}"></path>
          <path class="line" d="${line('bought')}"></path>
        </svg>
        <line class="limit" x2="100%" y1="${limit}" y2="${limit}"></line>
        <text class="start" x="4" y="${limit}" dy="1.3em">evidence from $${threshold}</text>
      </svg>
    </div>
    <figcaption class="small">
      <ul class="legend">
        <li>${key('')} bets on the alerts: ${nowAndMost(bought)}</li>
        <li>${key(' against')} bets against them: ${nowAndMost(sold)}</li>
      </ul>
    </figcaption>
  </figure>`;
}

function key(look: string): Html {
  return html`<svg class="key" viewBox="0 -9 18 18" aria-hidden="true"><path class="line${look}" d="M0 0H18"></path></svg>`;
}

function nowAndMost({ now, highest }: MoveBettor['bought']): string {
  return `$${now.toFixed(2)} now, $${highest.toFixed(2)} at the most`;
}

function describe({ threshold, bought, sold }: Pick<MoveBettor, 'threshold' | 'bought' | 'sold'>): string {
  return `Hypothetical bankroll over time, starting at $1. Bets on the alerts: ${nowAndMost(bought)}. Bets against them: ${nowAndMost(sold)}. Evidence from $${threshold}.`;
}
