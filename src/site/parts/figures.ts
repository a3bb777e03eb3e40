import { type Html, html } from '../html.ts';

export interface Tile {
  readonly name: string;
  readonly value: Html | string | number;
  readonly tone?: 'right' | 'wrong' | null;
  readonly note: Html | string;
  /** As wide as the row. */
  readonly isWide?: boolean;
}

export function figureTiles(tiles: readonly Tile[]): Html {
  return html`<dl class="figures">
    ${tiles.map(
      ({ name, value, tone, note, isWide = false }) =>
        html`<div class="${isWide ? 'whole' : ''}">
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
  return html`<svg class="bar" aria-hidden="true"><rect width="${width}%" height="100%"></rect></svg>`;
}

export function scoreMeter(score: number): Html {
  const points = Math.round(score);
  return html`<p class="score" role="img" aria-label="Score ${points} of 100">${points}${bar(points / 100)}</p>`;
}

const [WIDTH, HEIGHT] = [160, 14];
/** Half of the axis: its ends have room for a point. */
const REACH = 74;
const STEPS = [0.1, 0.2, 0.3, 0.5, 1];

/** A mean, what it is of, and its interval; null: an end that it has not, or nothing measured. */
interface Drawn {
  readonly mean: number | null;
  /** Of one event the point is hollow. */
  readonly events: number;
  readonly low?: number | null;
  readonly high?: number | null;
}

/** An axis with 0 in its middle that all values fit on. */
export interface Scale {
  /** Its left end, 0 and its right end. */
  readonly ends: readonly [string, string, string];
  /** The number is beside it: screen readers leave it out. */
  readonly draw: (drawn: Drawn) => Html;
}

/** One scale for all pictures of these values. */
export function scaleOf(values: readonly (number | null)[], words: (value: number) => string): Scale {
  const most = Math.max(0.01, ...values.map((value) => Math.abs(value ?? 0)));
  const power = 10 ** Math.ceil(Math.log10(most));
  const end = power * (STEPS.find((step) => step * power >= most) ?? 1);
  const at = (value: number) => (WIDTH / 2 + REACH * Math.max(-1, Math.min(1, value / end))).toFixed(1);
  return {
    ends: [words(-end), '0', words(end)],
    draw({ mean, events, low, high }) {
      const point =
        mean === null
          ? null
          : html`<circle class="${events === 1 ? 'one' : 'mean'}" cx="${at(mean)}" cy="7" r="4"></circle>`;
      const isOpen = low === undefined || high === undefined || (low === null && high === null);
      const range = isOpen
        ? null
        : html`<path class="range" d="M${at(low ?? -end)} 7H${at(high ?? end)}"></path>`;
      return html`<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">${range}${point}</svg>`;
    },
  };
}
