import {
  type Answer,
  type BotMembership,
  bad,
  type StandInChat,
  type TelegramStandIn,
} from './telegram-wire.ts';

const BOT_ID = 123456789;
const BOT_NAME = 'tipoff_test_bot';

export const ALL_RIGHTS: BotMembership = {
  status: 'administrator',
  can_post_messages: true,
  can_edit_messages: true,
  can_delete_messages: true,
  can_invite_users: true,
};

type Methods = Record<string, (payload: Record<string, unknown>) => Answer>;

/** The methods that tell a bot about chats. */
export function chatMethods(standIn: () => TelegramStandIn): Methods {
  return {
    getMe: () => ({
      result: {
        ...{ id: BOT_ID, is_bot: true, first_name: 'Tipoff', username: BOT_NAME },
        can_read_all_group_messages: standIn().readsGroups,
      },
    }),
    getChat: (payload) => {
      const { chat, bot } = standIn();
      const told = chatFields(payload['chat_id']);
      return { result: isCommunity(payload) ? { ...told, ...withoutInvitation(chat, bot) } : told };
    },
    getChatMember: (payload) => memberOf(standIn(), payload),
    // "The bot must be an administrator in the chat for this to work and must have the appropriate administrator rights."
    createChatInviteLink: () =>
      hasRight(standIn().bot, 'can_invite_users')
        ? { result: { invite_link: 'https://t.me/+made' } }
        : bad('not enough rights to manage chat invite link'),
  };
}

export function chatFields(chat: unknown): object {
  return { id: Number(chat), type: Number(chat) > 0 ? 'private' : 'supergroup' };
}

/** How Telegram refuses a call because of its chat; null when it does not. */
export function chatRefusal(
  standIn: TelegramStandIn,
  method: string,
  payload: Record<string, unknown>,
): Answer | null {
  const { chat, bot, unknownChats } = standIn;
  const scope = payload['scope'] as { readonly chat_id?: unknown } | undefined;
  const id = payload['chat_id'] ?? scope?.chat_id;
  if (unknownChats.has(String(id))) return bad('chat not found');
  if (!isCommunity(payload)) return null;
  const kind = chat.type ?? 'supergroup';
  if (bot.status === 'kicked')
    return { code: 403, description: `Forbidden: bot was kicked from the ${kind} chat` };
  const isRead = method === 'getChat' || method === 'getChatMember';
  // A public channel can be read by a bot that is not in it.
  if (bot.status === 'left' && !(isRead && chat.username !== undefined))
    return { code: 403, description: `Forbidden: bot is not a member of the ${kind} chat` };
  // can_post_messages: "if the administrator can post messages in the channel".
  const isPost = method === 'sendMessage' || method === 'editMessageText';
  if (isPost && kind === 'channel' && !hasRight(bot, 'can_post_messages'))
    return bad('need administrator rights in the channel chat');
  return null;
}

function isCommunity(payload: Record<string, unknown>): boolean {
  return !(Number(payload['chat_id'] ?? 1) > 0);
}

/**
 * "The method is only guaranteed to work for other users if the bot is an administrator in the chat."
 * (core.telegram.org/bots/api#getchatmember)
 */
function memberOf({ bot, members }: TelegramStandIn, { user_id: user }: Record<string, unknown>): Answer {
  if (Number(user) === BOT_ID) return { result: { ...bot, user: { id: BOT_ID, is_bot: true } } };
  if (bot.status !== 'administrator' && bot.status !== 'creator') return bad('member list is inaccessible');
  const member = members.get(Number(user)) ?? { status: 'left' };
  return member === 'error' ? bad('CHAT_ADMIN_REQUIRED') : { result: { ...member, user: {} } };
}

/** invite_link: "Primary invite link", for administrators who may invite. */
function withoutInvitation(chat: StandInChat, bot: BotMembership): StandInChat {
  if (hasRight(bot, 'can_invite_users')) return chat;
  const { invite_link: _, ...others } = chat;
  return others;
}

function hasRight(bot: BotMembership, right: keyof Omit<BotMembership, 'status'>): boolean {
  return bot.status === 'creator' || (bot.status === 'administrator' && bot[right] === true);
}
