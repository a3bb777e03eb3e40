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
