import { KEY_COMING } from '../../../bots/telegram/private-chat-handler.ts';
import type { StandInMessage, TelegramStandIn } from './telegram-wire.ts';

/** As `shown`, but a message that is to show a key only when it does. */
export async function shownWhole(
  telegram: TelegramStandIn,
  chat: number,
  after: number,
): Promise<StandInMessage> {
  let message = await telegram.shown(chat, after);
  while (message.text === KEY_COMING) message = await telegram.shown(chat, message.touched);
  return message;
}
