import { type Html, html, textOf } from '../html.ts';
import { code } from './code.ts';
import { tableOf } from './table.ts';

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/;
const LINK = /^\[(.+)\]\((.+)\)$/;

/** Our own texts: code in backticks, strong words in two stars, links. */
export function marked(text: string): readonly Html[] {
  return text.split(INLINE).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, words, address] = LINK.exec(part) ?? [];
    return address === undefined ? textOf(part) : html`<a href="${address}">${marked(words ?? '')}</a>`;
  });
}

/** Blocks of our own texts: headings, paragraphs, tables and code, which are called by the heading before them. */
export function blocksOf(markdown: string): readonly Html[] {
  let name = '';
  return markdown.split(/\n\n(?![^`]*\n```(?:\n|$))/).map((block) => {
    if (block.startsWith('## ')) {
      name = block.slice(3);
      return html`<h2 id="${name.toLowerCase()}">${name}</h2>`;
    }
    if (block.startsWith('```')) return code(name, block.replaceAll(/^```\w*\n|\n```$/g, ''));
    if (!block.startsWith('|')) return html`<p>${marked(block)}</p>`;
    const [head = [], , ...rows] = block.split('\n').map((line) => line.slice(1, -1).split('|'));
    const cells = rows.map((row) => row.map((cell) => html`${marked(cell.trim())}`));
    return tableOf(
      name,
      head.map((cell) => cell.trim()),
      cells,
    );
  });
}
