import type { Paragraph, TextSpan } from '../screen.ts';
import { markupOf, spansOf } from './format.ts';

/** Markup anywhere in a text; a backslash escapes it. */
const SIGNS = /[\\`*_~|<>[\]()@]/g;
/** Markup at the beginning of a line: a heading, small print, a list. */
const LINE_START = /^(\s*)(#|-|\+)/gm;
const NUMBERED = /^(\s*\d+)\.(?=\s)/gm;
const ADDRESS = /https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]'"]/g;

/** A body as parts that each fit `limit` characters of Markdown, cut before spans that begin a line; at least one part. */
export function splitBody(body: readonly Paragraph[], limit: number): readonly Paragraph[] {
  const parts: TextSpan[][] = [[]];
  let length = 0;
  for (const line of linesOf(body)) {
    const size = line.map(spanMarkdown).join('').length;
    if (length > 0 && length + size > limit) {
      parts.push([]);
      length = 0;
    }
    const begun = length > 0 || parts.length === 1 ? line : line.with(0, String(line[0]).trimStart());
    parts.at(-1)?.push(...begun);
    length += size;
  }
  return parts;
}

/** The spans of a body, grouped: each group but the first begins with a text that begins with a line break. */
function linesOf(body: readonly Paragraph[]): readonly TextSpan[][] {
  const lines: TextSpan[][] = [[]];
  for (const span of spansOf(body)) {
    if (typeof span === 'string' && span.startsWith('\n')) lines.push([]);
    lines.at(-1)?.push(span);
  }
  return lines;
}

/** Paragraphs in Discord's Markdown, cut at `limit` characters (`markupOf`). */
export function toMarkdown(body: readonly Paragraph[], limit: number): string {
  return markupOf(spansOf(body), limit, spanMarkdown);
}

/** Escapes plain text, so that Discord shows it unchanged. */
export function escapeMarkdown(text: string): string {
  let escaped = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    escaped += `${escapeSigns(text.slice(end, match.index))}<${match[0]}>`;
    end = match.index + match[0].length;
  }
  return escaped + escapeSigns(text.slice(end));
}

function spanMarkdown(span: TextSpan): string {
  if (typeof span === 'string') return escapeMarkdown(span);
  if ('bold' in span) return wrapped('**', span.bold);
  if ('italic' in span) return wrapped('*', span.italic);
  if ('code' in span) return codeSpan(span.code);
  if (span.text === span.link) return escapeMarkdown(span.link);
  // Discord makes no link of a text that is an address, and may show a preview of that.
  const isLink = /^https?:\/\/[^\s<>]+$/.test(span.link) && span.text.search(ADDRESS) < 0;
  return isLink
    ? `[${escapeSigns(span.text)}](<${span.link}>)`
    : escapeMarkdown(`${span.text} (${span.link})`);
}

function escapeSigns(text: string): string {
  return text.replace(SIGNS, '\\$&').replace(LINE_START, '$1\\$2').replace(NUMBERED, '$1\\.');
}

/** Markers must stand next to non-blank characters, or Discord shows them. */
function wrapped(mark: string, text: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  return inner === '' ? text : `${before}${mark}${escapeMarkdown(inner)}${mark}${after}`;
}

/** Fenced with more backticks than the longest run inside. */
function codeSpan(code: string): string {
  if (code === '') return '';
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  if (code.includes('\n') && longest < 3) return `\`\`\`\n${code}\n\`\`\``;
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}
