import { type Api, GrammyError } from 'grammy';
import type { ChatFullInfo, ChatMember } from 'grammy/types';
import type { BotSetup, SetupItem } from '../shared/bot-setup.ts';
import { describeFailure, isNoChat } from './failures.ts';
import { inChannel, type TelegramChannel } from './telegram-channel.ts';

const SETTING = 'TELEGRAM_CHANNEL_ID';
const TEST_POST = 'Tipoff checks that it can post here. This message is deleted immediately.';

interface TelegramSetupOptions {
  readonly api: Api;
  /** Null: this bot has no channel. */
  readonly channel: TelegramChannel | null;
  /** Telegram ids of the operators that this bot answers. */
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
      throw new Error(describeFailure(error));
    }
  }

  async prove(): Promise<readonly SetupItem[]> {
    const { channel } = this.#options;
    return channel === null ? [] : prove(this.#options.api, channel.id);
  }

  async #inspectChannel(channel: TelegramChannel): Promise<readonly SetupItem[]> {
    const { api } = this.#options;
    const chat = await orRefusal(inChannel(channel, (id) => api.getChat(id)));
    if (chat === null) return [{ name: 'telegram_channel', remedy: notFound(channel.id) }];
    if (chat.type === 'private') return [{ name: 'telegram_channel', remedy: isPerson(channel.id) }];
    const me = await api.getMe();
    const member = await orRefusal(inChannel(channel, (id) => api.getChatMember(id, me.id)));
    const found = { name: 'telegram_channel', remedy: null };
    return [found, ...rightItems({ chat, member, readsGroups: me.can_read_all_group_messages }, channel.id)];
  }

  async #inspectOperators(): Promise<SetupItem> {
    const { api, operatorIds } = this.#options;
    const unknown: string[] = [];
    for (const id of operatorIds) {
      const chat = await api.getChat(id).catch((error: unknown) => {
        if (!isNoChat(error)) throw error;
        return null;
      });
      if (chat === null) unknown.push(id);
    }
    const remedy =
      unknown.length === 0
        ? null
        : `ADMIN_IDS: write /start to the bot from the account ${unknown.join(', ')}: a bot may not write first`;
    return { name: 'telegram_operators', remedy };
  }
}

/** Null when Telegram refuses the call: the chat does not exist, or the bot is not in it. */
async function orRefusal<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GrammyError && [400, 403].includes(error.error_code)) return null;
    throw error;
  }
}

function notFound(id: string): string {
  return `${SETTING}: Telegram shows the bot no channel ${id}: correct the id, and make the bot an administrator there`;
}

function isPerson(id: string): string {
  return `${SETTING}: ${id} is a person: set the id of a channel or group, @name or a number like -1001234567890`;
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
    const remedy = has ? null : `give the administrator that is the bot the right to ${words} in ${id}`;
    return { name: `telegram_${name}`, remedy };
  });
  return [{ name: 'telegram_administrator', remedy: null }, ...items];
}

async function prove(api: Api, id: string): Promise<readonly SetupItem[]> {
  const items: SetupItem[] = [];
  const step = async <Answer>(name: string, act: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      const answer = await act();
      items.push({ name, remedy: null });
      return answer;
    } catch (error) {
      items.push({ name, remedy: `refused in ${id}: ${describeFailure(error)}` });
      return null;
    }
  };
  const post = () => api.sendMessage(id, TEST_POST, { disable_notification: true });
  const sent = await step('telegram_test_post', post);
  if (sent === null) return items;
  const { message_id: message } = sent;
  await step('telegram_test_edit', () => api.editMessageText(id, message, `${TEST_POST} It was edited.`));
  await step('telegram_test_delete', () => api.deleteMessage(id, message));
  return items;
}
