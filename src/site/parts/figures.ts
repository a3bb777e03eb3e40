import type { RecordMean } from '../../core/record/record-report.ts';
import { type Html, html } from '../html.ts';

export interface Tile {
  readonly name: string;
  readonly value: Html | string | number;
  readonly tone?: 'right' | 'wrong' | null;
  readonly note: Html | string;
}

/** Figures in a row. Numbers get their separators. */
export function figureTiles(tiles: readonly Tile[]): Html {
  return html`<dl class="figures">
    ${tiles.map(
      ({ name, value, tone, note }) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="${tone ?? 'plain'}">${typeof value === 'number' ? value.toLocaleString('en-US') : value}</dd>
          <dd>${note}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A share of 0 to 1 as a bar. It is a picture of a number beside it: screen readers leave it out. */
export function bar(share: number): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="8"></rect>
    <rect class="value" width="${width}" height="8"></rect>
  </svg>`;
}

export function scoreMeter(score: number): Html {
  const points = Math.round(score);
  return html`<p class="score">
    <span class="hidden">Score </span><strong class="number">${points}</strong><span class="hidden"> of 100</span>
    ${bar(points / 100)}
  </p>`;
}

const [WIDTH, HEIGHT] = [160, 14];
/** Room for a mark at either end. */
const EDGE = 6;

type PlottedMean = Pick<RecordMean, 'mean'> & {
  readonly low?: number | null;
  readonly high?: number | null;
};

/** Draws means on one axis with 0 on it, for the rows of one table. The numbers are beside it: screen readers leave it out. */
export function intervalsOn(all: readonly PlottedMean[]): (row: PlottedMean) => Html {
  const values = all.flatMap(({ mean, low, high }) => [mean, low, high]).filter((value) => value != null);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const at = (value: number): string => {
    const share = most === least ? 0.5 : (value - least) / (most - least);
    return (EDGE + share * (WIDTH - 2 * EDGE)).toFixed(1);
  };
  return ({ mean, low, high }) => {
    const sign = mean === null || mean === 0 ? '' : mean > 0 ? 'right' : 'wrong';
    const line =
      low == null || high == null
        ? null
        : html`<line class="range" x1="${at(low)}" x2="${at(high)}" y1="7" y2="7"></line>`;
    const mark = mean === null ? null : html`<circle class="mean" cx="${at(mean)}" cy="7" r="4"></circle>`;
    return html`<svg class="interval ${sign}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
      <line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="${HEIGHT}"></line>
      ${line}${mark}
    </svg>`;
  };
}
