import { type Html, html } from '../html.ts';

/** A table that scrolls in its own frame. The first cell of a row names it. */
export function tableOf(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  const body = rows.map(
    ([first, ...cells]) => html`<tr>
      <th scope="row">${first}</th>
      ${cells.map((cell) => html`<td>${cell}</td>`)}
    </tr>`,
  );
  return html`<div class="scroll" role="group" tabindex="0" aria-label="${name}">
    <table>
      <thead><tr>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
      <tbody>${body}</tbody>
    </table>
  </div>`;
}
