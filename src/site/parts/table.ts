import { attribute, type Html, html } from '../html.ts';
import type { Scale } from './figures.ts';

type Column =
  | string
  | { readonly name: string; readonly look: 'number' }
  | { readonly name: string; readonly look: 'axis'; readonly ends: Scale['ends'] };

export const numberColumn = (name: string): Column => ({ name, look: 'number' });
/** Its cells repeat on an axis what others say: screen readers leave them out. */
export const pictureColumn = (name: string, { ends }: Pick<Scale, 'ends'>): Column => ({
  ...{ name, look: 'axis', ends },
});

/**
 * A table that scrolls in its own frame. The first cell of a row names it; numbers get separators. `stacked`: where there is
 * little room, each row is a list of its cells with their names.
 */
export function tableOf(
  name: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string | number)[])[],
  look: 'stacked' | null = null,
): Html {
  const names = columns.map((column) => nameOf(column, look));
  const looks = columns.map((column) => (typeof column === 'string' ? 'text' : column.look));
  const headers = columns.map((column, index) => {
    const text = typeof column === 'string' ? column : column.name;
    const ends = typeof column === 'string' || column.look === 'number' ? null : column.ends.join(' ');
    const shown =
      ends === null ? text : html`<span class="hidden">${text}</span><span class="ends">${ends}</span>`;
    return html`<th scope="col" class="${looks[index]}">${shown}</th>`;
  });
  const body = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, index) => {
      const shown = typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
      const look = looks[index + 1];
      return html`<td${look !== 'number' && html` class="${look}"`}${names[index + 1]}>${shown}</td>`;
    });
    return html`<tr>
      <th scope="row"${looks[0] === 'number' ? html` class="number"` : null}>${first}</th>
      ${others}
    </tr>`;
  });
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${name}">
    <table class="${look ?? ''}">
      <thead>
        <tr>
          ${headers}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

/** What a cell is called where it has no header above it. */
function nameOf(column: Column, look: 'stacked' | null): Html {
  if (typeof column === 'string') return attribute('data-name', look && column);
  return attribute('data-name', look && (column.look === 'axis' ? column.ends.join(' ') : column.name));
}
