import type { Paragraph, Span } from '../shared/screen.ts';

/** What Discord reads as markup wherever it stands; a backslash makes it a plain sign. */
const SIGNS = /[\\`*_~|<>[\]()@]/g;
/** What is markup at the beginning of a line: a heading, small print, a list. */
const LINE_START = /^(\s*)(#|-|\+)/gm;
const NUMBERED = /^(\s*\d+)\./gm;
const ADDRESS = /https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]'"]/g;

/** Paragraphs in Discord's Markdown, cut at `limit` characters where a piece of text ends. */
export function toMarkdown(body: readonly Paragraph[], limit: number): string {
  const pieces = body.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : ['\n\n']),
    ...paragraph.map(spanMarkdown),
  ]);
  const whole = pieces.join('');
  if (whole.length <= limit) return whole;
  let text = '';
  for (const piece of pieces) {
    if (text.length + piece.length > limit - 2) break;
    text += piece;
  }
  return `${text.trimEnd()} …`;
}

/** Plain text as Discord shows it unchanged. */
export function escapeMarkdown(text: string): string {
  let escaped = '';
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    escaped += `${escapeSigns(text.slice(end, match.index))}<${match[0]}>`;
    end = match.index + match[0].length;
  }
  return escaped + escapeSigns(text.slice(end));
}

function spanMarkdown(span: Span): string {
  if (typeof span === 'string') return escapeMarkdown(span);
  if ('bold' in span) return wrapped('**', span.bold);
  if ('italic' in span) return wrapped('_', span.italic);
  if ('code' in span) return codeSpan(span.code);
  if (!/^https?:\/\/[^\s<>]+$/.test(span.link)) return escapeMarkdown(`${span.text} (${span.link})`);
  return span.text === span.link ? `<${span.link}>` : `[${escapeSigns(span.text)}](<${span.link}>)`;
}

function escapeSigns(text: string): string {
  return text.replace(SIGNS, '\\$&').replace(LINE_START, '$1\\$2').replace(NUMBERED, '$1\\.');
}

function wrapped(mark: string, text: string): string {
  return text.trim() === '' ? text : `${mark}${escapeSigns(text)}${mark}`;
}

/** Fenced by more backticks than stand together within, so that they survive. */
function codeSpan(code: string): string {
  if (code === '') return '';
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  if (code.includes('\n') && longest < 3) return `\`\`\`\n${code}\n\`\`\``;
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}
