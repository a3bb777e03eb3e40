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
