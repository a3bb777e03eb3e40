/** What Telegram makes of HTML: the text without markup, and the links that were in it. */
export interface ParsedHtml {
  readonly text: string;
  readonly links: readonly { readonly offset: number; readonly length: number; readonly url: string }[];
}

const TAGS = /^(b|strong|i|em|u|ins|s|strike|del|code|pre|a|span|blockquote|tg-spoiler)$/;
const ENTITIES = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
]);
const TOKEN = /<(\/?)([a-zA-Z-]*)([^>]*)>?|&(?:lt|gt|amp|quot);|[^<&]+|&/g;

/** The parsed text, or the words of the refusal. */
export function parseHtml(html: string): ParsedHtml | string {
  const open: { tag: string; start: number; url: string | null }[] = [];
  const links: { offset: number; length: number; url: string }[] = [];
  let text = '';
  for (const match of html.matchAll(TOKEN)) {
    const [token, slash, tag = '', attributes = ''] = match;
    if (!token.startsWith('<')) {
      text += ENTITIES.get(token) ?? token;
      continue;
    }
    const name = tag.toLowerCase();
    if (!token.endsWith('>') || !TAGS.test(name))
      return refusal(`Unsupported start tag "${name}"`, match.index);
    if (slash === '') {
      const url = /href="([^"]*)"/.exec(attributes)?.[1]?.replace(/&amp;/g, '&') ?? null;
      open.push({ tag: name, start: text.length, url });
      continue;
    }
    const last = open.pop();
    if (last?.tag !== name)
      return refusal(`Unmatched end tag, expected "</${last?.tag ?? ''}>"`, match.index);
    if (last.url !== null)
      links.push({ offset: last.start, length: text.length - last.start, url: last.url });
  }
  const [unclosed] = open;
  if (unclosed !== undefined)
    return refusal(`Can't find end tag corresponding to start tag "${unclosed.tag}"`, 0);
  return { text, links };
}

function refusal(words: string, offset: number): string {
  return `Bad Request: can't parse entities: ${words} at byte offset ${offset}`;
}
