import { type Html, html } from '../html.ts';

/** A figure with its name, and what it is made of. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  /** Default: neutral. */
  readonly tone?: 'right' | 'wrong' | null;
  readonly note: Html | string;
}

/** Figures in a row, each with what it is and what it is made of. */
export function figureTiles(tiles: readonly Tile[]): Html {
  return html`<dl class="figures">
    ${tiles.map(
      ({ name, value, tone, note }) =>
        html`<div>
          <dt>${name}</dt>
          <dd class="${tone ?? 'plain'}">${value}</dd>
          <dd>${note}</dd>
        </div>`,
    )}
  </dl>`;
}
