import type {
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  LinkPreviewOptions,
  MaybeInaccessibleMessage,
} from 'grammy/types';
import { escapeHtml } from '../../src/core/base/text/escape.ts';
import {
  addressesAsText,
  type Button,
  type Paragraph,
  plainText,
  type Screen,
  spanText,
  type TextSpan,
  withText,
} from '../shared/screen.ts';
import { isButtonAddressError, isMarkupError, isPreviewError } from './failures.ts';

export const MESSAGE_LENGTH = 4_096;
const MORE = '\n\n…';
const ACTION_BYTES = 64;

/** One message: with markup, and as plain text in case Telegram refuses the markup. */
interface Part {
  readonly html: string;
  readonly plain: string;
}

/** A body as messages within the limit, split between paragraphs where possible. */
export function toParts(body: readonly Paragraph[], most = MESSAGE_LENGTH): Part[] {
  const parts: Paragraph[][] = [];
  let room = 0;
  for (const piece of body.flatMap((paragraph) => cutParagraph(paragraph, most))) {
    const { length } = plainText({ body: [piece] });
    const last = parts.at(-1);
    if (last !== undefined && length + 2 <= room) {
      last.push(piece);
      room -= length + 2;
    } else {
      parts.push([piece]);
      room = most - length;
    }
  }
  return parts.map((paragraphs) => ({
    html: paragraphs.map((paragraph) => paragraph.map(toHtml).join('')).join('\n\n'),
    plain: plainText({ body: paragraphs }),
  }));
}

export function toOnePart(body: readonly Paragraph[]): Part {
  const [first, ...rest] = toParts(body, MESSAGE_LENGTH - MORE.length);
  const { html, plain } = first ?? { html: '', plain: '' };
  return rest.length === 0 ? { html, plain } : { html: html + MORE, plain: plain + MORE };
}

function cutParagraph(paragraph: Paragraph, most: number): Paragraph[] {
  const pieces: TextSpan[][] = [[]];
  let room = most;
  for (const span of paragraph) {
    let rest = spanText(span);
    const extra = plainText({ body: [[span]] }).length - rest.length;
    while (rest.length + extra > room) {
      const at = cutAt(rest, Math.max(0, room - extra));
      if (at > 0) pieces.at(-1)?.push(withText(span, rest.slice(0, at)));
      rest = rest.slice(at).trimStart();
      pieces.push([]);
      room = most;
    }
    pieces.at(-1)?.push(withText(span, rest));
    room -= rest.length + extra;
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** At the last space or line break that fits, else within a word; never within a character. */
function cutAt(text: string, room: number): number {
  const space = Math.max(text.lastIndexOf(' ', room), text.lastIndexOf('\n', room));
  if (space > 0) return space;
  const code = text.charCodeAt(room - 1);
  return code >= 0xd800 && code <= 0xdbff ? room - 1 : room;
}

function toHtml(span: TextSpan): string {
  const text = escapeHtml(spanText(span));
  if (typeof span === 'string' || text === '') return text;
  if ('bold' in span) return `<b>${text}</b>`;
  if ('italic' in span) return `<i>${text}</i>`;
  return 'code' in span ? `<code>${text}</code>` : `<a href="${escapeHtml(span.link)}">${text}</a>`;
}

export type Keys = Pick<Screen, 'buttons' | 'secret' | 'preview'>;

/** Throws for an action that is too long, which is an error of the screen. */
export function toKeyboard({ buttons, secret }: Pick<Keys, 'buttons' | 'secret'>): InlineKeyboardButton[][] {
  const copy = secret === null ? [] : [[{ text: 'Copy the key', copy_text: { text: secret.text } }]];
  return [...copy, ...buttons.filter((row) => row.length > 0).map((row) => row.map(toButton))];
}

/** Whether a message of the bot shows a secret: only such a message has a copy button. Needs no memory. */
export function showsSecret({ reply_markup: markup }: MaybeInaccessibleMessage): boolean {
  return markup?.inline_keyboard.flat().some((button) => 'copy_text' in button) === true;
}

/** Whether it is about an alert that the person follows, which has this button in every case: its text stays as it was sent. */
export function hasFollowButtons({ reply_markup: markup }: MaybeInaccessibleMessage): boolean {
  const buttons = markup?.inline_keyboard.flat() ?? [];
  return buttons.some((button) => 'callback_data' in button && /^mm:\d+$/.test(button.callback_data));
}

function toButton(button: Button): InlineKeyboardButton {
  if ('url' in button) return { text: button.label, url: button.url };
  if (Buffer.byteLength(button.action) > ACTION_BYTES)
    throw new Error(`the action of "${button.label}" is longer than ${ACTION_BYTES} bytes`);
  return { text: button.label, callback_data: button.action };
}

interface Form {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly reply_markup: InlineKeyboardMarkup;
  readonly link_preview_options: LinkPreviewOptions;
}

/** Calls `send` with the message; once more in a simpler form when Telegram refuses the first. */
export async function deliver<Answer>(
  part: Part,
  keys: Keys,
  send: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(toForm(part, keys, true));
  } catch (error) {
    if (isPreviewError(error) && keys.preview !== null)
      return deliver(part, { ...keys, preview: null }, send);
    if (isMarkupError(error)) return send(toForm(part, keys, false));
    if (!isButtonAddressError(error)) throw error;
    const { lines, buttons } = addressesAsText(keys.buttons);
    const words = { html: `${part.html}\n${escapeHtml(lines)}`, plain: `${part.plain}\n${lines}` };
    return send(toForm(words, { ...keys, buttons }, true));
  }
}

function toForm(part: Part, keys: Keys, hasMarkup: boolean): Form {
  const { preview } = keys;
  return {
    ...(hasMarkup ? { text: part.html, parse_mode: 'HTML' } : { text: part.plain }),
    reply_markup: { inline_keyboard: toKeyboard(keys) },
    // Without a preview no address in a title gets one.
    link_preview_options:
      preview === null
        ? { is_disabled: true }
        : { url: preview.page, prefer_large_media: true, show_above_text: true },
  };
}
