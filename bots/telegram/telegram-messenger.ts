import type { Api } from 'grammy';
import type { Logger } from '../../src/core/base/logger.ts';
import type { MessageRank, Messenger, SendResult } from '../../src/core/chat/messenger.ts';
import type { Call } from '../shared/chat-bot.ts';
import type { Screen } from '../shared/screen.ts';
import { isFloodWait, telegramFailure, telegramFields } from './failures.ts';
import { isGroup, type Pacer } from './pacer.ts';
import { deliver, toOnePart } from './render.ts';
import type { TelegramChannel } from './telegram-community.ts';
import type { ApiSignal } from './telegram-link.ts';

interface TelegramMessengerOptions {
  readonly api: Api;
  readonly channel: TelegramChannel | null;
  readonly pacer: Pacer;
  readonly rank?: MessageRank;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Attempt extends Call {
  readonly chat: string;
  readonly signal: AbortSignal;
}

/** Sends one message each, cut to Telegram's limit. Makes one attempt: the outbox retries. */
export class TelegramMessenger implements Messenger<Screen> {
  readonly #options: TelegramMessengerOptions;

  constructor(options: TelegramMessengerOptions) {
    this.#options = options;
  }

  ranked(rank: MessageRank): TelegramMessenger {
    return new TelegramMessenger({ ...this.#options, rank });
  }

  async send(
    to: { readonly chat: string } | 'channel',
    view: Screen,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const { channel } = this.#options;
    const isInChannel = to === 'channel';
    const chat = isInChannel ? channel?.id : to.chat;
    if (chat === undefined) return { ok: false, reason: 'gone', detail: 'no channel is configured' };
    return this.#attempt({ chat, isRepeatable: false, isInChannel, signal }, () =>
      channel !== null && chat === channel.id
        ? channel.call((id) => this.#post(id, view, signal))
        : this.#post(chat, view, signal),
    );
  }

  edit(messageRef: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    const { chat, message } = parsed(messageRef);
    return this.#attempt({ chat, isRepeatable: true, isOnMessage: true, signal }, async () => {
      await deliver(toOnePart(view.body), view, (form) =>
        this.#options.api.editMessageText(chat, message, form.text, form, signal as ApiSignal),
      );
      return { ok: true, place: messageRef };
    });
  }

  reply(messageRef: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    const { chat, message } = parsed(messageRef);
    const call = { isRepeatable: false, isOnMessage: true, isInChannel: true };
    return this.#attempt({ ...call, chat, signal }, () => this.#post(chat, view, signal, message));
  }

  remove(messageRef: string, signal: AbortSignal): Promise<SendResult> {
    const { chat, message } = parsed(messageRef);
    return this.#attempt({ chat, isRepeatable: true, isOnMessage: true, signal }, async () => {
      await this.#options.api.deleteMessage(chat, message, signal as ApiSignal);
      return { ok: true, place: messageRef };
    });
  }

  async #attempt({ chat, signal, ...call }: Attempt, act: () => Promise<SendResult>): Promise<SendResult> {
    const { pacer, rank = 'channel', logger } = this.#options;
    const refusal = await pacer.post(chat, rank, signal);
    if (refusal !== null) return { ok: false, reason: 'later', ...refusal, detail: 'the pace of Telegram' };
    try {
      return await act();
    } catch (error) {
      const failure = telegramFailure(error, { ...call, isPrivate: !isGroup(chat) });
      logger.warn({ chat, ...telegramFields(error) }, 'Telegram message failed');
      if (failure.reason !== 'later' || !isFloodWait(error)) return failure;
      return { ...failure, isChatOnly: pacer.refused(chat, failure.retryAfterMs) };
    }
  }

  async #post(chat: string, view: Screen, signal: AbortSignal, replyTo?: number): Promise<SendResult> {
    const extra = {
      ...(view.isSilent && { disable_notification: true }),
      ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo } }),
    };
    const sent = await deliver(toOnePart(view.body), view, (form) =>
      this.#options.api.sendMessage(chat, form.text, { ...form, ...extra }, signal as ApiSignal),
    );
    return { ok: true, place: `${sent.chat.id}:${sent.message_id}` };
  }
}

function parsed(messageRef: string): { readonly chat: string; readonly message: number } {
  const [chat = '', message] = messageRef.split(':');
  return { chat, message: Number(message) };
}
