import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Screen } from '../shared/screen.ts';
import { isButtonAddressError, isMarkupError } from './errors.ts';
import { type Part, toKeyboard, withAddressesAsText } from './render.ts';

/** A message in the words of the Bot API. */
export interface Form {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly reply_markup: InlineKeyboardMarkup;
  readonly link_preview_options: { readonly is_disabled: true };
}

/** Gives the message to `send`; once more in a simpler form when Telegram does not take the first. */
export async function deliver<Answer>(
  part: Part,
  rows: Screen['buttons'],
  send: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(toForm(part, rows, true));
  } catch (error) {
    if (isMarkupError(error)) return send(toForm(part, rows, false));
    if (isButtonAddressError(error)) return send(toForm(...withAddressesAsText(part, rows), true));
    throw error;
  }
}

function toForm(part: Part, rows: Screen['buttons'], hasMarkup: boolean): Form {
  return {
    ...(hasMarkup ? { text: part.html, parse_mode: 'HTML' } : { text: part.plain }),
    reply_markup: { inline_keyboard: toKeyboard(rows) },
    link_preview_options: { is_disabled: true },
  };
}
