import type { Api } from 'grammy';
import type { InlineKeyboardMarkup, LinkPreviewOptions } from 'grammy/types';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Messenger, SendResult } from '../../src/core/chat/messenger.ts';
import type { Call } from '../shared/chat-bot.ts';
import type { Screen } from '../shared/screen.ts';
import {
  isButtonAddressError,
  isFloodWait,
  isMarkupError,
  isPreviewError,
  isUnchanged,
  logged,
  movedTo,
  toFailure,
} from './failures.ts';
import type { Pacer } from './pacer.ts';
import { type Keys, type Part, toKeyboard, toOnePart, withAddressesAsText } from './render.ts';
import type { TelegramChannel } from './telegram-channel.ts';
import type { ApiSignal } from './telegram-link.ts';

interface TelegramMessengerOptions {
  readonly api: Api;
  /** Null: no channel is configured. */
  readonly channel: TelegramChannel | null;
  readonly pacer: Pacer;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Attempt extends Call {
  readonly chat: string;
  readonly signal: AbortSignal;
}

const NO_CHANNEL: SendResult = { ok: false, reason: 'gone', detail: 'no channel is configured' };

/** Sends one message each, cut to Telegram's limit. Makes one attempt: the outbox retries. */
export class TelegramMessenger implements Messenger<Screen> {
  readonly #options: TelegramMessengerOptions;

  constructor(options: TelegramMessengerOptions) {
    this.#options = options;
  }

  async send(
    to: { readonly chat: string } | 'channel',
    view: Screen,
    signal: AbortSignal,
  ): Promise<SendResult> {
    const { channel } = this.#options;
    if (to === 'channel' && channel === null) return NO_CHANNEL;
    const chat = to === 'channel' ? (channel?.id ?? '') : to.chat;
    return this.#attempt({ chat, isRepeatable: false, isInChannel: to === 'channel', signal }, async () => {
      try {
        return await this.#post(chat, view, signal);
      } catch (error) {
        const moved = movedTo(error);
        if (moved === null || channel === null || chat !== channel.id) throw error;
        channel.move(moved);
        return this.#post(channel.id, view, signal);
      }
    });
  }

  edit(messageRef: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    const { chat, message } = parsed(messageRef);
    return this.#attempt({ chat, isRepeatable: true, isOnMessage: true, signal }, async () => {
      try {
        await deliver(toOnePart(view.body), view, (form) =>
          this.#options.api.editMessageText(chat, message, form.text, form, signal as ApiSignal),
        );
      } catch (error) {
        if (!isUnchanged(error)) throw error;
      }
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
    const { pacer, logger } = this.#options;
    const refusal = await pacer.post(chat, signal);
    if (refusal !== null) return { ok: false, reason: 'later', ...refusal, detail: 'the pace of Telegram' };
    try {
      return await act();
    } catch (error) {
      const failure = toFailure(error, call);
      logger.warn({ chat, ...logged(error) }, 'Telegram message failed');
      if (failure.reason === 'later' && isFloodWait(error)) {
        pacer.refused(chat, failure.retryAfterMs);
        return { ...failure, isChatOnly: !pacer.isResting };
      }
      return failure;
    }
  }

  async #post(chat: string, view: Screen, signal: AbortSignal, replyTo?: number): Promise<SendResult> {
    const reply = replyTo === undefined ? {} : { reply_parameters: { message_id: replyTo } };
    const sent = await deliver(toOnePart(view.body), view, (form) =>
      this.#options.api.sendMessage(chat, form.text, { ...form, ...reply }, signal as ApiSignal),
    );
    return { ok: true, place: `${sent.chat.id}:${sent.message_id}` };
  }
}

function parsed(messageRef: string): { readonly chat: string; readonly message: number } {
  const [chat = '', message] = messageRef.split(':');
  return { chat, message: Number(message) };
}

/** A message as the Bot API takes it. */
interface Form {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly reply_markup: InlineKeyboardMarkup;
  readonly link_preview_options: LinkPreviewOptions;
}

/** Calls `send` with the message; once more in a simpler form when Telegram refuses the first. */
export async function deliver<Answer>(
  part: Part,
  keys: Keys,
  send: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(toForm(part, keys, true));
  } catch (error) {
    if (isPreviewError(error) && keys.preview !== null)
      return deliver(part, { ...keys, preview: null }, send);
    if (isMarkupError(error)) return send(toForm(part, keys, false));
    if (!isButtonAddressError(error)) throw error;
    const [words, buttons] = withAddressesAsText(part, keys.buttons);
    return send(toForm(words, { ...keys, buttons }, true));
  }
}

function toForm(part: Part, keys: Keys, hasMarkup: boolean): Form {
  return {
    ...(hasMarkup ? { text: part.html, parse_mode: 'HTML' } : { text: part.plain }),
    reply_markup: { inline_keyboard: toKeyboard(keys) },
    link_preview_options: previewOptions(keys),
  };
}

/** Without a preview no address in a title gets one. */
function previewOptions({ preview }: Keys): LinkPreviewOptions {
  if (preview === null) return { is_disabled: true };
  return { url: preview.page, prefer_large_media: true, show_above_text: true };
}
