import type { InlineKeyboardMarkup } from 'grammy/types';
import { isButtonAddressError, isMarkupError } from './failures.ts';
import { type Keys, type Part, toKeyboard, withAddressesAsText } from './render.ts';

/** A message as the Bot API takes it. */
export interface Form {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly reply_markup: InlineKeyboardMarkup;
  readonly link_preview_options: { readonly is_disabled: true };
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
    if (isMarkupError(error)) return send(toForm(part, keys, false));
    if (!isButtonAddressError(error)) throw error;
    const [words, buttons] = withAddressesAsText(part, keys.buttons);
    return send(toForm(words, { ...keys, buttons }, true));
  }
}

function toForm(part: Part, keys: Keys, hasMarkup: boolean): Form {
  return {
    ...(hasMarkup ? { text: part.html, parse_mode: 'HTML' } : { text: part.plain }),
    reply_markup: { inline_keyboard: toKeyboard(keys) },
    link_preview_options: { is_disabled: true },
  };
}
