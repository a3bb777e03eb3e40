import type { APIActionRowComponent, APIComponentInMessageActionRow } from 'discord.js';

export interface StandInContent {
  readonly content: string;
  readonly components: APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** Addresses of the pictures of its embeds, as far as they are shown. */
  readonly pictures: readonly string[];
}

/** What Discord finds wrong with a nonce, a picture or a menu of commands (error 50035); null when it takes the body. */
export function bodyProblem(body: unknown): string | null {
  if (Array.isArray(body)) {
    const commands = body.flatMap((command: Command) => [command, ...(command.options ?? [])]);
    const isValid = commands.every(
      ({ name, description }) =>
        /^[-_'\p{Ll}\p{N}]{1,32}$/u.test(name) && description.length >= 1 && description.length <= 100,
    );
    return isValid ? null : 'commands: A name or description is invalid';
  }
  const { data, ...rest } = body as { data?: object };
  const { embeds = [], nonce = '' } = (data ?? rest) as { embeds?: readonly Embed[]; nonce?: unknown };
  // "Can be used to verify a message was sent (up to 25 characters)."
  if (String(nonce).length > 25) return 'nonce: Must be 25 or fewer in length.';
  // "Source url of image (only supports http(s) and attachments)".
  const isShowable = embeds.every(
    ({ image }) => image === undefined || /^https?:\/\/\S{1,2000}$/.test(image.url),
  );
  return isShowable && embeds.length <= 10 ? null : 'image.url: Not a well formed URL.';
}

interface Command {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly Command[];
}

interface Embed {
  readonly image?: { readonly url: string };
}

/** What Discord finds wrong with a message (error 50035), in a few words; null when it takes it. */
export function problemOf({
  content,
  components,
}: Pick<StandInContent, 'content' | 'components'>): string | null {
  if (content.length > 2_000) return 'content: Must be 2000 or fewer in length.';
  if (content.trim() === '' && components.length === 0) return 'Cannot send an empty message';
  if (components.length > 5) return 'components: Must be 5 or fewer rows.';
  const ids = new Set<string>();
  for (const row of components) {
    const parts = row.components;
    if (parts.length < 1 || parts.length > 5) return 'components: Must be between 1 and 5 in a row.';
    for (const part of parts) {
      const problem = componentProblem(part, ids);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function componentProblem(part: APIComponentInMessageActionRow, ids: Set<string>): string | null {
  if ('custom_id' in part) {
    if (part.custom_id.length < 1 || part.custom_id.length > 100) return 'custom_id: 1 to 100 in length.';
    if (ids.has(part.custom_id)) return 'custom_id: Component custom id cannot be duplicated';
    ids.add(part.custom_id);
  }
  if ('label' in part && (part.label ?? '').length > 80) return 'label: Must be 80 or fewer in length.';
  if ('label' in part && (part.label ?? '').length < 1) return 'label: required.';
  if ('url' in part && !/^https?:\/\/[^\s/]+\.[^\s]+$/.test(part.url)) return 'url: Not a well formed URL.';
  if ('options' in part) {
    if (part.options.length < 1 || part.options.length > 25) return 'options: Must be between 1 and 25.';
    const values = part.options.map(({ value }) => value);
    if (new Set(values).size < values.length) return 'options: The specified value is already used';
    if (values.some((value) => value.length > 100)) return 'value: Must be 100 or fewer in length.';
  }
  return null;
}

/**
 * Discord's Markdown as a person reads it, without its marks. A link with words of its own is `words (address)`, as the
 * other platforms' transcripts have it.
 */
export function readMarkdown(source: string): string {
  let text = '';
  let rest = source;
  while (rest !== '') {
    const [match, shown] = nextPiece(rest);
    text += shown;
    rest = rest.slice(match);
  }
  return text;
}

/** Bold, underlined, struck, hidden, and the two kinds of italic, as Discord's own parser knows them. */
const MARKED = [
  /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/,
  /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/,
  /^~~((?:\\[\s\S]|[^\\])+?)~~/,
  /^\|\|((?:\\[\s\S]|[^\\])+?)\|\|/,
  /^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/,
  /^_((?:__|\\[\s\S]|[^\\_])+?)_\b/,
];

function nextPiece(rest: string): [number, string] {
  const block = /^```\n([\s\S]*?)\n```/.exec(rest);
  if (block !== null) return [block[0].length, block[1] ?? ''];
  const code = /^(`+)([\s\S]*?[^`])\1(?!`)/.exec(rest);
  if (code !== null) return [code[0].length, (code[2] ?? '').replace(/^ (?= *`)|(?<=` *) $/g, '')];
  const plain = /^\\([^0-9A-Za-z\s])/.exec(rest);
  if (plain !== null) return [plain[0].length, plain[1] ?? ''];
  const link = /^\[((?:\\.|[^\]\\])*)\]\(<([^>]*)>\)/.exec(rest);
  if (link !== null) return [link[0].length, `${readMarkdown(link[1] ?? '')} (${link[2]})`];
  const address = /^<(https?:[^>]*)>/.exec(rest);
  if (address !== null) return [address[0].length, address[1] ?? ''];
  const marked = MARKED.map((mark) => mark.exec(rest)).find((match) => match !== null);
  if (marked !== undefined) return [marked[0].length, readMarkdown(marked[1] ?? '')];
  return [1, rest[0] ?? ''];
}
