import type { Api } from 'grammy';
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import { type BotSetup, provePost, type SetupItem } from '../shared/bot-setup.ts';
import { isChatHidden, isNoChat, telegramReason } from './failures.ts';
import type { TelegramChannel } from './telegram-community.ts';

interface TelegramSetupOptions {
  readonly api: Api;
  readonly channel: TelegramChannel | null;
  readonly operatorIds: readonly string[];
}

/** What a Telegram bot needs: its channel, its rights there, and chats with the operators. */
export class TelegramSetup implements BotSetup {
  readonly #options: TelegramSetupOptions;

  constructor(options: TelegramSetupOptions) {
    this.#options = options;
  }

  async inspect(): Promise<readonly SetupItem[]> {
    const { channel, operatorIds } = this.#options;
    try {
      return [
        ...(channel === null ? [] : await this.#inspectChannel(channel)),
        ...(operatorIds.length === 0 ? [] : [await this.#inspectOperators()]),
      ];
    } catch (error) {
      // The error of grammY holds the token.
      throw new Error(telegramReason(error));
    }
  }

  async prove(): Promise<readonly SetupItem[]> {
    const { api, channel } = this.#options;
    if (channel === null) return [];
    const { id } = channel;
    return provePost({
      prefix: 'telegram',
      post: (text) => api.sendMessage(id, text, { disable_notification: true }),
      edit: ({ message_id: message }, text) => api.editMessageText(id, message, text),
      remove: ({ message_id: message }) => api.deleteMessage(id, message),
      remedyOf: (error) => `refused in ${id}: ${telegramReason(error)}`,
    });
  }

  async #inspectChannel(channel: TelegramChannel): Promise<readonly SetupItem[]> {
    const { api } = this.#options;
    const name = 'telegram_channel';
    const ask = channel.call((id) => api.getChat(id));
    const chat = await unless(isChatHidden, ask);
    const { id } = channel;
    if (chat === null) {
      const remedy = `TELEGRAM_CHANNEL_ID: the bot cannot see the channel ${id}: correct the id, and make the bot an administrator there`;
      return [{ name, remedy }];
    }
    if (chat.type === 'private') {
      const remedy = `TELEGRAM_CHANNEL_ID: ${id} is a person: set the id of a channel or group, @name or a number like -1001234567890`;
      return [{ name, remedy }];
    }
    const me = await api.getMe();
    const askMember = channel.call((chatId) => api.getChatMember(chatId, me.id));
    const member = await unless(isChatHidden, askMember);
    const found = { chat, member, readsGroups: me.can_read_all_group_messages };
    return [{ name, remedy: null }, ...rightItems(found, channel.id)];
  }

  async #inspectOperators(): Promise<SetupItem> {
    const { api, operatorIds } = this.#options;
    const unknown: string[] = [];
    for (const id of operatorIds) if ((await unless(isNoChat, api.getChat(id))) === null) unknown.push(id);
    const remedy = `ADMIN_IDS: write /start to the bot from the account ${unknown.join(', ')}: a bot cannot write first`;
    return { name: 'telegram_operators', remedy: unknown.length === 0 ? null : remedy };
  }
}

async function unless<Answer>(
  isRefusal: (error: unknown) => boolean,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  return answer.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return null;
  });
}

interface Found {
  readonly chat: ChatFullInfo;
  readonly member: ChatMember | null;
  readonly readsGroups: boolean;
}

/**
 * Only an administrator is shown the members (getChatMember). Deleting messages of others, for example with a key, needs a
 * right of its own (deleteMessage). In a channel the right to post is also that to edit and delete own posts; in a group
 * every administrator posts.
 */
function rightItems({ chat, member, readsGroups }: Found, id: string): readonly SetupItem[] {
  const isChannel = chat.type === 'channel';
  const needsInvitations = chat.username === undefined;
  const rights = [
    ...(isChannel ? [{ name: 'post_messages', words: 'post messages' } as const] : []),
    { name: 'delete_messages', words: 'delete messages' } as const,
    ...(needsInvitations ? [{ name: 'invite_users', words: 'invite users' } as const] : []),
  ];
  const isCreator = member?.status === 'creator';
  if (!isCreator && member?.status !== 'administrator') {
    const all = rights.map(({ words }) => words).join(', ');
    const blind =
      isChannel || readsGroups ? '' : '; with privacy mode on it reads no messages there until then';
    const remedy = `make the bot an administrator of ${id}, with the rights to ${all}${blind}`;
    return [{ name: 'telegram_administrator', remedy }];
  }
  const items = rights.map(({ name, words }) => {
    const has = isCreator || member[`can_${name}`] === true;
    const remedy = has ? null : `the bot is an administrator: give it the right to ${words} in ${id}`;
    return { name: `telegram_${name}`, remedy };
  });
  return [{ name: 'telegram_administrator', remedy: null }, ...items];
}
