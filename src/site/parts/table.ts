import { type Html, html } from '../html.ts';

/** A column: its header, and whether its cells are numbers. */
interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  /** The cells repeat what others say: left out where there is little room, and by screen readers. */
  readonly isPicture?: boolean;
}

interface Table {
  /** For screen readers, and of the frame in which it scrolls. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** A table that scrolls in its own frame where the page is narrower. */
export function tableOf({ name, columns, rows }: Table): Html {
  const classOf = ({ isNumber, isPicture }: Column = { name: '' }) =>
    isPicture === true ? 'picture' : isNumber === true ? 'number' : 'text';
  const headers = columns.map((column) => {
    const text = column.isPicture === true ? html`<span class="hidden">${column.name}</span>` : column.name;
    return html`<th scope="col" class="${classOf(column)}">${text}</th>`;
  });
  const body = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, index) => html`<td class="${classOf(columns[index + 1])}">${cell}</td>`);
    return html`<tr>
      <th scope="row">${first}</th>
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
