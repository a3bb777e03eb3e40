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

/** Blocks of our own texts: paragraphs, tables and code. `name`: what tables and code are called. */
export function blocksOf(markdown: string, name: string): readonly Html[] {
  return markdown.split(/\n\n(?![^`]*\n```(?:\n|$))/).map((block) => {
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
