import { type Answer, type BotMembership, bad, type TelegramChats } from './telegram-wire.ts';

const BOT_ID = 123456789;
const BOT_NAME = 'tipoff_test_bot';

export const ALL_RIGHTS: BotMembership = {
  status: 'administrator',
  can_post_messages: true,
  can_delete_messages: true,
  can_invite_users: true,
};

type Payload = Readonly<Record<string, unknown>>;

export function chatMethods(standIn: () => TelegramChats): Record<string, (payload: Payload) => Answer> {
  /** "0-512 characters", "0-120 characters" (core.telegram.org/bots/api#setmydescription). */
  const describe = (kind: 'long' | 'short', given: unknown, most: number): Answer => {
    const text = String(given ?? '');
    if (text.length > most) return bad('description is too long');
    standIn().described[kind] = text;
    return { result: true };
  };
  return {
    getMe: () => ({
      result: {
        ...{ id: BOT_ID, is_bot: true, first_name: 'Tipoff', username: BOT_NAME },
        can_read_all_group_messages: standIn().readsGroups,
      },
    }),
    getChat: (payload) => {
      const { chat } = standIn();
      const told = chatFields(payload['chat_id']);
      return { result: isCommunity(payload) ? { ...told, ...chat } : told };
    },
    getChatMember: (payload) => memberOf(standIn(), payload),
    createChatInviteLink: () => ({ result: { invite_link: 'https://t.me/+made' } }),
    getMyDescription: () => ({ result: { description: standIn().described.long } }),
    getMyShortDescription: () => ({ result: { short_description: standIn().described.short } }),
    setMyDescription: ({ description }) => describe('long', description, 512),
    setMyShortDescription: ({ short_description: text }) => describe('short', text, 120),
    setMyCommands: ({ commands }) => menuProblem(commands as readonly Command[]) ?? { result: true },
  };
}

export function chatFields(chat: unknown): object {
  return { id: Number(chat), type: Number(chat) > 0 ? 'private' : 'supergroup' };
}

/** How Telegram refuses a call because of its chat; null when it does not. `people`: who has written to the bot. */
export function chatRefusal(
  standIn: TelegramChats,
  people: ReadonlySet<string>,
  { method, payload }: { readonly method: string; readonly payload: Payload },
): Answer | null {
  const { chat, bot, unknownChats } = standIn;
  const scope = payload['scope'] as { readonly chat_id?: unknown } | undefined;
  const id = String(payload['chat_id'] ?? scope?.chat_id);
  if (unknownChats.has(id)) return bad('chat not found');
  if (/^\d+$/.test(id) && method !== 'getChatMember' && !people.has(id)) return bad('chat not found');
  if (!isCommunity(payload)) return null;
  const kind = chat.type ?? 'supergroup';
  const forbidden = (why: string) => ({ code: 403, description: `Forbidden: bot ${why} the ${kind} chat` });
  if (bot.status === 'kicked') return forbidden('was kicked from');
  const isRead = method === 'getChat' || method === 'getChatMember';
  // A public channel can be read by a bot that is not in it.
  if (bot.status === 'left' && !(isRead && chat.username !== undefined))
    return forbidden('is not a member of');
  // "if the administrator can post messages in the channel".
  const isPost = method === 'sendMessage' || method === 'editMessageText';
  if (isPost && kind === 'channel' && bot.can_post_messages !== true)
    return bad('need administrator rights in the channel chat');
  return null;
}

function isCommunity(payload: Payload): boolean {
  return !(Number(payload['chat_id'] ?? 1) > 0);
}

/**
 * "The method is only guaranteed to work for other users if the bot is an administrator in the chat."
 * (core.telegram.org/bots/api#getchatmember)
 */
function memberOf({ bot, members }: TelegramChats, { user_id: user }: Payload): Answer {
  if (Number(user) === BOT_ID) return { result: { ...bot, user: { id: BOT_ID, is_bot: true } } };
  if (bot.status !== 'administrator' && bot.status !== 'creator') return bad('member list is inaccessible');
  const member = members.get(Number(user)) ?? { status: 'left' };
  return member === 'error' ? bad('CHAT_ADMIN_REQUIRED') : { result: { ...member, user: {} } };
}

interface Command {
  readonly command: string;
  readonly description: string;
}

/** BotCommand: "1-32 characters. Can contain only lowercase English letters, digits and underscores"; "1-256 characters". */
function menuProblem(commands: readonly Command[]): Answer | null {
  const isValid = commands.every(
    ({ command, description }) => /^[a-z0-9_]{1,32}$/.test(command) && /^.{1,256}$/.test(description),
  );
  return isValid && commands.length <= 100 ? null : bad('BOT_COMMAND_INVALID');
}
