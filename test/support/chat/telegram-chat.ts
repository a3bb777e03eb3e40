import { Bot, GrammyError } from 'grammy';
import type { Update } from 'grammy/types';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import { ContentNotice } from '../../../bots/shared/inbox.ts';
import { MoveHandler } from '../../../bots/shared/move-handler.ts';
import { KeyMessages } from '../../../bots/telegram/key-messages.ts';
import { createPrivateChatHandler } from '../../../bots/telegram/private-chat-handler.ts';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { KeyMessageStore } from '../../../src/core/chat/conversation-stores.ts';
import { silentLogger as logger } from '../silent-logger.ts';

interface ShownMessage {
  readonly text: string;
  readonly keyboard: readonly (readonly { readonly callback_data?: string }[])[];
}

/** A private chat at Telegram, without a network. Outlives the processes that write in it. */
export class TelegramChat {
  readonly messages = new Map<number, ShownMessage>();
  /** Every text that was shown, in order. */
  readonly texts: string[] = [];
  #next = 1;

  /** Carries out a call of the Bot API. */
  async call(method: string, payload: Record<string, unknown>): Promise<unknown> {
    if (method === 'sendMessage') {
      const id = this.#next++;
      this.#show(id, payload);
      return { message_id: id, date: 1, chat: { id: payload['chat_id'], type: 'private' } };
    }
    if (method !== 'editMessageText' && method !== 'deleteMessage') return true;
    const id = Number(payload['message_id']);
    const verb = method === 'deleteMessage' ? 'delete' : 'edit';
    if (!this.messages.has(id)) throw refusal(400, `Bad Request: message to ${verb} not found`);
    if (verb === 'delete') return this.messages.delete(id);
    this.#show(id, payload);
    return true;
  }

  /** Ids of the messages that show a key. */
  withKey(): readonly number[] {
    return [...this.messages].flatMap(([id, { text }]) => (text.includes('sk_live_') ? [id] : []));
  }

  #show(id: number, payload: Record<string, unknown>): void {
    const markup = payload['reply_markup'] as { inline_keyboard: ShownMessage['keyboard'] } | undefined;
    const text = String(payload['text']);
    this.texts.push(text);
    this.messages.set(id, { text, keyboard: markup?.inline_keyboard ?? [] });
  }
}

/** A refusal of the Bot API. */
export function refusal(code: number, description: string, retryAfter?: number): GrammyError {
  const parameters = retryAfter === undefined ? {} : { retry_after: retryAfter };
  const answer = { ok: false, error_code: code, description, parameters } as const;
  return new GrammyError(description, answer, 'method', {});
}

interface ChatProcess {
  readonly chat: Pick<TelegramChat, 'call'>;
  readonly conversation: Conversation;
  readonly store: KeyMessageStore;
  readonly clock: Clock;
}

/** What a process with a bot does with the updates of a private chat, and with messages that show a key. */
export function openChatProcess({ chat, conversation, store, clock }: ChatProcess) {
  const bot = new Bot('1:token');
  bot.botInfo = { id: 1, is_bot: true, first_name: 'Bot', username: 'bot' } as typeof bot.botInfo;
  bot.api.config.use(async (_, method, payload) => {
    const result = await chat.call(method, payload as Record<string, unknown>);
    return { ok: true, result } as never;
  });
  const { api } = bot;
  const keyMessages = new KeyMessages({ store, bot: 'telegram', api, clock, logger });
  const { commands } = conversation;
  const moveHandler = new MoveHandler(conversation, null);
  const notice = new ContentNotice(clock);
  bot.use(createPrivateChatHandler({ commands, moveHandler, keyMessages, notice }));
  let updates = 0;
  return {
    keyMessages,
    /** Resolves when the update was handled, or failed. */
    async take(event: object): Promise<void> {
      updates += 1;
      await bot.handleUpdate({ update_id: updates, ...event } as Update).catch(() => {});
    },
  };
}
