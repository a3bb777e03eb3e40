/** What Telegram makes of HTML: the text without markup, and the links that were in it. */
interface ParsedHtml {
  readonly text: string;
  readonly links: readonly { readonly offset: number; readonly length: number; readonly url: string }[];
}

/** A tag of core.telegram.org/bots/api#html-style that we send, an entity, a text, or a sign that is part of none. */
const TOKEN = /<(\/?)(b|i|code|pre|a)(?: href="([^"<>]*)")?>|&(lt|gt|amp|quot);|([^<&]+)|[<&]/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

export function parseHtml(html: string): ParsedHtml | string {
  const refused = (why: string) => `Bad Request: can't parse entities: ${why}`;
  const open: { readonly tag: string; readonly offset: number; readonly url: string | undefined }[] = [];
  const links: { offset: number; length: number; url: string }[] = [];
  let text = '';
  for (const [token, end, tag, url, entity, plain] of html.matchAll(TOKEN)) {
    if (plain !== undefined) text += plain;
    else if (entity !== undefined) text += ENTITIES[entity];
    else if (tag === undefined) return refused(`unsupported "${token}"`);
    else if (end === '') open.push({ tag, offset: text.length, url });
    else {
      const last = open.pop();
      if (last?.tag !== tag) return refused(`unmatched end tag "${tag}"`);
      const { offset } = last;
      if (last.url !== undefined)
        links.push({ offset, length: text.length - offset, url: decoded(last.url) });
    }
  }
  return open.length > 0 ? refused('an end tag is missing') : { text, links };
}

function decoded(value: string): string {
  return value.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '');
}
