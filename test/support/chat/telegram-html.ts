/** What Telegram makes of HTML: the text without markup, and the links that were in it. */
export interface ParsedHtml {
  readonly text: string;
  readonly links: readonly { readonly offset: number; readonly length: number; readonly url: string }[];
}

/** The tags of core.telegram.org/bots/api#html-style. */
const TAGS = new Set(
  'b strong i em u ins s strike del span tg-spoiler a tg-emoji tg-time code pre blockquote'.split(' '),
);
/** "All numerical HTML entities are supported", and these named ones. The semicolon may be missing. */
const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(lt|gt|amp|quot));?/giy;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const ATTRIBUTE = /\s*([^\s=>]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([a-z0-9.-]+)))?\s*/giy;

interface OpenTag {
  readonly name: string;
  readonly start: number;
  readonly url: string | null;
}

/**
 * The parsed text, or the words of the refusal, which are those of TDLib, on which Telegram's Bot API server is built. An
 * offset counts bytes of UTF-8.
 */
export function parseHtml(html: string): ParsedHtml | string {
  try {
    return new HtmlParser(html).parse();
  } catch (error) {
    if (error instanceof EntityError) return `Bad Request: can't parse entities: ${error.message}`;
    throw error;
  }
}

class EntityError extends Error {}

class HtmlParser {
  readonly #html: string;
  readonly #open: OpenTag[] = [];
  readonly #links: { offset: number; length: number; url: string }[] = [];
  #text = '';
  #at = 0;

  constructor(html: string) {
    this.#html = html;
  }

  parse(): ParsedHtml {
    while (this.#at < this.#html.length) {
      if (this.#html.startsWith('</', this.#at)) this.#endTag();
      else if (this.#html[this.#at] === '<') this.#startTag();
      else this.#character();
    }
    const last = this.#open.at(-1);
    if (last !== undefined)
      throw new EntityError(`Can't find end tag corresponding to start tag "${last.name}"`);
    return { text: this.#text, links: this.#links };
  }

  #character(): void {
    const [entity, decimal, hex, name] = this.#match(ENTITY) ?? [];
    if (entity === undefined) {
      this.#text += this.#html[this.#at++];
      return;
    }
    this.#at += entity.length;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (name !== undefined) this.#text += NAMED[name.toLowerCase()] ?? entity;
    else this.#text += code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  }

  #startTag(): void {
    const from = this.#offset();
    const name = /^[^\s>]*/.exec(this.#html.slice(this.#at + 1))?.[0].toLowerCase() ?? '';
    this.#at += 1 + name.length;
    if (this.#at >= this.#html.length) throw new EntityError(`Unclosed start tag at byte offset ${from}`);
    if (!TAGS.has(name)) throw new EntityError(`Unsupported start tag "${name}" at byte offset ${from}`);
    const attributes = this.#attributes(name, from);
    if (name === 'span' && attributes.get('class') !== 'tg-spoiler')
      throw new EntityError(`Tag "span" must have class "tg-spoiler" at byte offset ${from}`);
    const url = name === 'a' ? (attributes.get('href') ?? null) : null;
    this.#open.push({ name, start: this.#text.length, url });
  }

  #attributes(tag: string, from: number): Map<string, string> {
    const found = new Map<string, string>();
    while (/\s/.test(this.#html[this.#at] ?? '')) this.#at += 1;
    while (this.#html[this.#at] !== '>') {
      const [all = '', name = '', ...values] = this.#match(ATTRIBUTE) ?? [];
      if (this.#at + all.length >= this.#html.length || /=\s*$/.test(all + this.#html[this.#at + all.length]))
        throw new EntityError(`Unclosed start tag "${tag}" at byte offset ${from}`);
      if (name === '')
        throw new EntityError(`Empty attribute name in the tag "${tag}" at byte offset ${from}`);
      this.#at += all.length;
      found.set(name.toLowerCase(), decoded(values.find((value) => value !== undefined) ?? ''));
    }
    this.#at += 1;
    return found;
  }

  #endTag(): void {
    const from = this.#offset();
    const last = this.#open.pop();
    if (last === undefined) throw new EntityError(`Unexpected end tag at byte offset ${from}`);
    const [all = '', given = ''] = /^<\/([^\s>]*)\s*/.exec(this.#html.slice(this.#at)) ?? [];
    this.#at += all.length;
    if (this.#html[this.#at] !== '>') throw new EntityError(`Unclosed end tag at byte offset ${from}`);
    this.#at += 1;
    const name = given.toLowerCase();
    if (name !== '' && name !== last.name) {
      const words = `expected "</${last.name}>", found "</${name}>"`;
      throw new EntityError(`Unmatched end tag at byte offset ${from}, ${words}`);
    }
    if (last.url === null) return;
    this.#links.push({ offset: last.start, length: this.#text.length - last.start, url: last.url });
  }

  #offset(): number {
    return Buffer.byteLength(this.#html.slice(0, this.#at));
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#html);
  }
}

function decoded(value: string): string {
  return value.replace(/&(lt|gt|amp|quot);?/gi, (_, name: string) => NAMED[name.toLowerCase()] ?? '');
}
