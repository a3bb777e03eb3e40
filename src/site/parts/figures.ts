import { type Html, html } from '../html.ts';

export interface Tile {
  readonly name: string;
  readonly value: Html | string | number;
  readonly tone?: 'right' | 'wrong' | null;
  readonly note: Html | string;
}

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

/** What the record says of all alerts, beside figures of a few. Null: the record cannot be read at the moment. */
export function conclusionLine(conclusion: string | null): Html | null {
  if (conclusion === null) return null;
  return html`<p class="prose muted small">Of all alerts: ${conclusion} <a href="/record">The record</a></p>`;
}

/** A share of 0 to 1 as a bar. It is a picture of a number beside it: screen readers leave it out. */
export function bar(share: number): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${width}" height="8"></rect>
  </svg>`;
}

export function scoreMeter(score: number): Html {
  const points = Math.round(score);
  return html`<p class="score">
    <span class="hidden">Score </span><strong>${points}</strong><span class="hidden"> of 100</span>
    ${bar(points / 100)}
  </p>`;
}

const [WIDTH, HEIGHT] = [160, 14];
const EDGE = 6;

/** Draws means on one axis with 0 on it, for the rows of one table. The numbers are beside it: screen readers leave it out. */
export function meansOn(all: readonly (number | null)[]): (mean: number | null) => Html {
  const values = all.filter((value) => value !== null);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const at = (value: number): string => {
    const share = most === least ? 0.5 : (value - least) / (most - least);
    return (EDGE + share * (WIDTH - 2 * EDGE)).toFixed(1);
  };
  return (mean) => {
    const sign = mean === null || mean === 0 ? '' : mean > 0 ? 'right' : 'wrong';
    const mark = mean === null ? null : html`<circle class="mean" cx="${at(mean)}" cy="7" r="4"></circle>`;
    return html`<svg class="interval ${sign}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
      <line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="${HEIGHT}"></line>
      ${mark}
    </svg>`;
  };
}
