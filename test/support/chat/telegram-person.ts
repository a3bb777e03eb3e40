import type { TelegramStandIn } from './telegram-stand-in.ts';
import { messageFields, type StandInMessage } from './telegram-wire.ts';

export interface TelegramUser {
  readonly id: number;
  readonly username?: string;
}

let messages = 1_000_000;

/** A line that the person writes to the bot in private. */
export function privateText(person: TelegramUser, text: string): object {
  return { message: { message_id: messages++, date: 1, from: told(person), chat: chatOf(person), text } };
}

/** Milliseconds until a line that the person writes is answered. */
export async function answerMs(
  telegram: Pick<TelegramStandIn, 'messages' | 'push' | 'shown'>,
  person: TelegramUser,
  text: string,
): Promise<number> {
  const seen = Math.max(0, ...telegram.messages(person.id).map(({ touched }) => touched));
  const startedAt = performance.now();
  telegram.push(privateText(person, text));
  await telegram.shown(person.id, seen);
  return performance.now() - startedAt;
}

/** A tap on a button of a message in the private chat; optionally of one that Telegram no longer shows the bot. */
export function privateTap(
  person: TelegramUser,
  message: StandInMessage,
  data: string,
  { isInaccessible = false } = {},
): object {
  const fields = isInaccessible ? { message_id: message.id, date: 0 } : messageFields(message);
  return {
    callback_query: {
      id: String(messages++),
      from: told(person),
      chat_instance: '1',
      data,
      message: { ...fields, chat: chatOf(person) },
    },
  };
}

/** A message in a group or channel; `kind` is the update it comes as. */
export function publicText(
  chat: { readonly id: number; readonly type: 'group' | 'supergroup' | 'channel' },
  text: string,
  { kind = 'message', fields = {} }: { readonly kind?: string; readonly fields?: object } = {},
): { readonly id: number; readonly update: object } {
  const id = messages++;
  const from = kind.endsWith('message') ? { from: told({ id: 77 }) } : {};
  return { id, update: { [kind]: { message_id: id, date: 1, chat, text, ...from, ...fields } } };
}

function told({ id, username }: TelegramUser): object {
  return { id, is_bot: false, first_name: 'P', ...(username === undefined ? {} : { username }) };
}

function chatOf({ id }: TelegramUser): object {
  return { id, type: 'private', first_name: 'P' };
}
