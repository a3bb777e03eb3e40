import { type Html, html } from '../html.ts';

type Column = string | { readonly name: string; readonly look: 'number' | 'picture' };

export const numberColumn = (name: string): Column => ({ name, look: 'number' });
/** Its cells repeat what others say: left out where there is little room, and by screen readers. */
export const pictureColumn = (name: string): Column => ({ name, look: 'picture' });

/** A table that scrolls in its own frame. The first cell of a row names it; numbers get separators. */
export function tableOf(
  name: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string | number)[])[],
): Html {
  const looks = columns.map((column) => (typeof column === 'string' ? 'text' : column.look));
  const headers = columns.map((column, index) => {
    const text = typeof column === 'string' ? column : column.name;
    const shown = looks[index] === 'picture' ? html`<span class="hidden">${text}</span>` : text;
    return html`<th scope="col" class="${looks[index]}">${shown}</th>`;
  });
  const body = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, index) => {
      const shown = typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
      return html`<td class="${looks[index + 1]}">${shown}</td>`;
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
