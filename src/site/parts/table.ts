import { type Html, html } from '../html.ts';

type Column = string | { readonly name: string; readonly look: 'number' };

export const numberColumn = (name: string): Column => ({ name, look: 'number' });

/** A table that scrolls in its own frame. The first cell of a row names it; numbers get separators. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.name));
  const looks = columns.map((column) => (typeof column === 'string' ? 'text' : column.look));
  const headers = titles.map((title, index) => html`<th scope="col" class="${looks[index]}">${title}</th>`);
  const body = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, index) => {
      const shown = typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
      const own = looks[index + 1];
      return html`<td${own !== 'number' && html` class="${own}"`}>${shown}</td>`;
    });
    return html`<tr>
      <th scope="row"${looks[0] === 'number' ? html` class="number"` : null}>${first}</th>
      ${others}
    </tr>`;
  });
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${name}">
    <table>
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
