import type { Messenger, SendResult } from '../../src/core/chat/messenger.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { Screen } from '../shared/screen.ts';
import type { TelegramChannel } from './channel.ts';
import { deliver } from './deliver.ts';
import { isUnchanged, logged, movedTo, toFailure } from './errors.ts';
import type { TelegramLink } from './link.ts';
import type { Pacer } from './pacer.ts';
import { toOnePart } from './render.ts';

export interface TelegramMessengerDeps {
  readonly link: Pick<TelegramLink, 'api'>;
  /** Null: there is none. */
  readonly channel: TelegramChannel | null;
  readonly pacer: Pacer;
  readonly logger: Pick<Logger, 'warn'>;
}

type ApiSignal = Parameters<TelegramLink['api']['sendMessage']>[3];

const NO_CHANNEL: SendResult = { ok: false, reason: 'gone', detail: 'no channel is configured' };

/** One message each, cut when it is too long. Tries once: whoever keeps the message tries again. */
export function createTelegramMessenger(deps: TelegramMessengerDeps): Messenger<Screen> {
  const { link, channel } = deps;

  async function send(chat: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    return tried(deps, { chat, canRepeat: false, signal }, async () => {
      try {
        return await post(link, { chat, signal }, view);
      } catch (error) {
        const moved = movedTo(error);
        if (moved === null || channel === null || chat !== channel.id()) throw error;
        channel.move(moved);
        return post(link, { chat: channel.id(), signal }, view);
      }
    });
  }

  return {
    async send(to, view, signal) {
      if (to !== 'channel') return send(to.chat, view, signal);
      return channel === null ? NO_CHANNEL : send(channel.id(), view, signal);
    },
    edit(messageRef, view, signal) {
      const { chat, message } = parsed(messageRef);
      return tried(deps, { chat, canRepeat: true, isOnMessage: true, signal }, async () => {
        try {
          await deliver(toOnePart(view.body), view, (form) =>
            link.api.editMessageText(chat, message, form.text, form, signal as ApiSignal),
          );
        } catch (error) {
          if (!isUnchanged(error)) throw error;
        }
        return { ok: true, place: messageRef };
      });
    },
    reply(messageRef, view, signal) {
      const { chat, message } = parsed(messageRef);
      return tried(deps, { chat, canRepeat: false, isOnMessage: true, signal }, () =>
        post(link, { chat, reply: message, signal }, view),
      );
    },
    remove(messageRef, signal) {
      const { chat, message } = parsed(messageRef);
      return tried(deps, { chat, canRepeat: true, signal }, async () => {
        await link.api.deleteMessage(chat, message, signal as ApiSignal);
        return { ok: true, place: messageRef };
      });
    },
  };
}

interface Try {
  readonly chat: string;
  /** Doing it twice does no harm. */
  readonly canRepeat: boolean;
  /** It edits or answers a message. */
  readonly isOnMessage?: boolean;
  readonly signal: AbortSignal;
}

async function tried(
  { pacer, logger }: TelegramMessengerDeps,
  { chat, signal, ...call }: Try,
  act: () => Promise<SendResult>,
): Promise<SendResult> {
  const waitMs = await pacer.acquire(chat, signal);
  if (waitMs > 0) return { ok: false, reason: 'later', retryAfterMs: waitMs, detail: 'the pace of Telegram' };
  try {
    return await act();
  } catch (error) {
    const failure = toFailure(error, call);
    logger.warn({ chat, ...logged(error) }, 'a Telegram message was not taken');
    if (failure.reason === 'later') pacer.pauseFor(chat, failure.retryAfterMs);
    return failure;
  }
}

interface PostTo {
  readonly chat: string;
  /** The message it is put below. */
  readonly reply?: number;
  readonly signal: AbortSignal;
}

async function post(
  { api }: TelegramMessengerDeps['link'],
  { chat, reply, signal }: PostTo,
  view: Screen,
): Promise<SendResult> {
  const message = await deliver(toOnePart(view.body), view, (form) => {
    const below = reply === undefined ? {} : { reply_parameters: { message_id: reply } };
    return api.sendMessage(chat, form.text, { ...form, ...below }, signal as ApiSignal);
  });
  return { ok: true, place: `${message.chat.id}:${message.message_id}` };
}

function parsed(messageRef: string): { readonly chat: string; readonly message: number } {
  const [chat = '', message] = messageRef.split(':');
  return { chat, message: Number(message) };
}
