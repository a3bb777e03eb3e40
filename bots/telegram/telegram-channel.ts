import type { Api } from 'grammy';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { movedTo, telegramFields } from './failures.ts';

/** The configured channel or group. Its id changes when Telegram turns a group into a supergroup. */
export class TelegramChannel {
  readonly #logger: Pick<Logger, 'error'>;
  #id: string;

  /** `id`: `@name` or a number. */
  constructor(id: string, { logger }: { readonly logger: Pick<Logger, 'error'> }) {
    this.#id = id;
    this.#logger = logger;
  }

  /** `@name` or a number, as the Bot API takes it. */
  get id(): string {
    return this.#id;
  }

  is({ id, username }: { readonly id: number; readonly username?: string | undefined }): boolean {
    return String(id) === this.#id || `@${username ?? ''}`.toLowerCase() === this.#id.toLowerCase();
  }

  /** Uses the new id until the process ends, and logs which setting to change. */
  move(id: number): void {
    if (String(id) === this.#id) return;
    this.#logger.error(
      { from: this.#id, to: String(id) },
      'the Telegram group has a new id: set TELEGRAM_CHANNEL_ID to it; this process uses it until it ends',
    );
    this.#id = String(id);
  }
}

/** Repeats the call with the new id when the group became a supergroup. */
export async function inChannel<Answer>(
  channel: TelegramChannel,
  ask: (chat: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(channel.id);
  } catch (error) {
    const moved = movedTo(error);
    if (moved === null) throw error;
    channel.move(moved);
    return ask(channel.id);
  }
}

/** An operator may link another group at any time. */
const REMEMBERED_MS = 10 * MINUTE_MS;

interface DiscussionGroupOptions {
  readonly api: Pick<Api, 'getChat'>;
  readonly channel: TelegramChannel;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Whether a chat is the group that is linked to the channel: comments on its posts are messages there
 * (core.telegram.org/bots/api#chatfullinfo, `linked_chat_id`). Asks Telegram at most every 10 minutes. False, with a warning
 * in the log, when Telegram does not answer.
 */
export function discussionGroup({ api, channel, clock, logger }: DiscussionGroupOptions) {
  let known: { readonly id: number | undefined; readonly until: number } = { id: undefined, until: 0 };
  return async ({ id }: { readonly id: number }): Promise<boolean> => {
    if (clock.now() >= known.until) {
      try {
        const { linked_chat_id: linked } = await api.getChat(channel.id);
        known = { id: linked, until: clock.now() + REMEMBERED_MS };
      } catch (error) {
        logger.warn(telegramFields(error), 'discussion group of the Telegram channel unavailable');
      }
    }
    return known.id === id;
  };
}
