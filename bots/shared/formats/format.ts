import type { Paragraph, Screen, TextSpan } from '../screen.ts';

/** A screen as the JSON of a message to another service. A text that is too long is cut. */
export type Format = (screen: Screen) => string;

export function formatOf(write: (screen: Screen) => object): Format {
  return (screen) => {
    if (screen.secret !== null) throw new Error(`a secret must not leave the chat: ${screen.name}`);
    return JSON.stringify(write(screen), wellFormed);
  };
}

/** Strict receivers refuse JSON with half of a surrogate pair, which a title may contain. */
function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** The text of a screen, with its links as the last paragraph. Other buttons work only in a chat with the bot. */
export function textWithLinks(screen: Screen): readonly Paragraph[] {
  const links = linksOf(screen).flatMap(({ label, url }, index) => [
    ...(index === 0 ? [] : [' · ']),
    { link: url, text: label },
  ]);
  return links.length === 0 ? screen.body : [...screen.body, links];
}

export function linksOf({ buttons }: Pick<Screen, 'buttons'>) {
  return buttons.flat().filter((button) => 'url' in button && /^https?:\/\//.test(button.url)) as readonly {
    readonly label: string;
    readonly url: string;
  }[];
}

/** The spans of paragraphs, with an empty line between these. */
export function spansOf(body: readonly Paragraph[]): readonly TextSpan[] {
  return body.flatMap((paragraph, index) => (index === 0 ? paragraph : ['\n\n', ...paragraph]));
}

const MORE = ' …';

/** Spans in the markup of a service, cut at `limit` characters: within plain text, or before anything else. */
export function markupOf(
  spans: readonly TextSpan[],
  limit: number,
  write: (span: TextSpan) => string,
): string {
  const whole = spans.map(write).join('');
  if (whole.length <= limit) return whole;
  let text = '';
  for (const span of spans) {
    const room = limit - MORE.length - text.length;
    const piece = write(span);
    if (piece.length > room) return text + (typeof span === 'string' ? cut(span, room, write) : '') + MORE;
    text += piece;
  }
  return text;
}

/** The longest escape of a character, which is Slack’s. */
const ESCAPED_MAX = '&amp;'.length;

function cut(span: string, room: number, write: (span: string) => string): string {
  let text = span;
  for (let over = write(text).length - room; over > 0; over = write(text).length - room)
    // A character may take two places, which stay together.
    text = text.slice(0, -Math.ceil(over / ESCAPED_MAX)).replace(/[\ud800-\udbff]$/, '');
  return write(text);
}
