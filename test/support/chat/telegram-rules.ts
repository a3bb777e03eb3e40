import type { StandInButton } from './telegram-wire.ts';

/** Fields of InlineKeyboardButton of which exactly one is used (core.telegram.org/bots/api#inlinekeyboardbutton). */
const ACTIONS = [
  'url',
  'callback_data',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
];

/** What Telegram finds wrong with the buttons of a message; null when it takes them. */
export function keyboardProblem(keyboard: readonly (readonly StandInButton[])[]): string | null {
  for (const button of keyboard.flat()) {
    const problem = buttonProblem(button);
    if (problem !== null) return problem;
  }
  return null;
}

function buttonProblem(button: StandInButton): string | null {
  const { text, url, callback_data: data, copy_text: copy } = button;
  if (text === undefined || text === '') return 'BUTTON_TEXT_EMPTY';
  const actions = Object.keys(button).filter((field) => ACTIONS.includes(field));
  if (actions.length === 0)
    return "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";
  if (actions.length > 1) return `BUTTON_TYPE_INVALID: ${actions.join(' and ')}`;
  if (data !== undefined && !isLength(Buffer.byteLength(data), 64)) return 'BUTTON_DATA_INVALID';
  if (copy !== undefined && !isLength([...String(copy.text ?? '')].length, 256))
    return 'BUTTON_COPY_TEXT_INVALID';
  if (url !== undefined && /localhost|127\.0\.0\.1/.test(url))
    return `inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`;
  return null;
}

function isLength(length: number, most: number): boolean {
  return length >= 1 && length <= most;
}
