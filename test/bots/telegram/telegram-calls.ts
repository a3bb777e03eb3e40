import type { TelegramStandIn } from '../../support/chat/telegram-wire.ts';
import { ANNA, KEY } from './telegram-fixture.ts';

export function newest(telegram: TelegramStandIn, chat = ANNA.id) {
  const message = telegram.messages(chat).at(-1);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

/** What copies the key (core.telegram.org/bots/api#copytextbutton). */
export const COPY = { text: 'Copy the key', copy_text: { text: KEY } };

export const calls = (telegram: TelegramStandIn, method: string) =>
  telegram.calls.filter((call) => call.method === method);
