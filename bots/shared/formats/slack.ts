import { type Paragraph, plainText, type Screen, spanText, type TextSpan, withText } from '../screen.ts';
import { formatOf, textWithLinks } from './format.ts';

/**
 * "For best results, limit the number of characters in the text field to 4,000 characters"; of a longer one Slack makes
 * several messages, and it cuts one of more than 40,000 (docs.slack.dev/reference/methods/chat.postMessage).
 */
const TEXT = 4_000;
const MORE = ' …';

/** The body for an incoming webhook (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), without previews of links. */
export const slackFormat = formatOf(
  (screens) => ({ text: cutMrkdwn(spansOf(screens)), unfurl_links: false, unfurl_media: false }),
  (screens) => spansOf(screens).map(toMrkdwn).join('').length <= TEXT,
);

function spansOf(screens: readonly Screen[]): readonly TextSpan[] {
  return screens
    .flatMap(textWithLinks)
    .flatMap((paragraph: Paragraph, index) => (index === 0 ? paragraph : ['\n\n', ...paragraph]));
}

function cutMrkdwn(spans: readonly TextSpan[]): string {
  const whole = spans.map(toMrkdwn).join('');
  if (whole.length <= TEXT) return whole;
  let text = '';
  for (const span of spans) {
    const room = TEXT - MORE.length - text.length;
    const piece = toMrkdwn(span);
    if (piece.length <= room) text += piece;
    else return text + cutToFit(span, room) + MORE;
  }
  return text;
}

/** As many characters of a span as fit when they are escaped; nothing of a link, whose address is of one piece. */
function cutToFit(span: TextSpan, room: number): string {
  if (typeof span !== 'string' && 'link' in span) return '';
  const characters = [...spanText(span)];
  while (characters.length > 0) {
    const piece = toMrkdwn(withText(span, characters.join('')));
    if (piece.length <= room) return piece;
    characters.splice(Math.max(0, characters.length - Math.max(1, Math.floor((piece.length - room) / 5))));
  }
  return '';
}

function toMrkdwn(span: TextSpan): string {
  if (typeof span === 'string') return escapeMrkdwn(span);
  if ('bold' in span) return marked('*', span.bold);
  if ('italic' in span) return marked('_', span.italic);
  if ('code' in span) return marked('`', span.code);
  if (!/^https?:\/\/[^\s<>|]+$/.test(span.link)) return escapeMrkdwn(plainText({ body: [[span]] }));
  // What is behind the bar has no markup, and a bar or a line break in it would end it.
  return `<${escapeMrkdwn(span.link)}|${escapeMrkdwn(span.text.replaceAll('|', '¦').replaceAll('\n', ' '))}>`;
}

/** Slack's markup has no escape for its own signs: a text that has them, or several lines, stays without the marks. */
function marked(mark: string, text: string): string {
  const escaped = escapeMrkdwn(text);
  return /[\n*_`~]/.test(text) || text.trim() !== text || text === '' ? escaped : `${mark}${escaped}${mark}`;
}

/** "The three characters you'll need to escape" (docs.slack.dev/messaging/formatting-message-text): with them a title mentions nobody. */
function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
