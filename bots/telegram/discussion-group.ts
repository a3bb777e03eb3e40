import type { Api } from 'grammy';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { logged } from './failures.ts';
import type { TelegramChannel } from './telegram-channel.ts';

/** An operator may link another group at any time. */
const REMEMBERED_MS = 10 * MINUTE_MS;

interface DiscussionGroupOptions {
  readonly api: Pick<Api, 'getChat'>;
  readonly channel: TelegramChannel;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The group that is linked to the channel: comments on its posts are messages there
 * (core.telegram.org/bots/api#chatfullinfo, `linked_chat_id`).
 */
export class DiscussionGroup {
  readonly #options: DiscussionGroupOptions;
  #known: { readonly id: number | null; readonly until: number } = { id: null, until: 0 };

  constructor(options: DiscussionGroupOptions) {
    this.#options = options;
  }

  /** Asks Telegram at most every 10 minutes. False, with a warning in the log, when Telegram does not answer. */
  async is({ id }: { readonly id: number }): Promise<boolean> {
    const { api, channel, clock, logger } = this.#options;
    if (clock.now() >= this.#known.until) {
      try {
        const { linked_chat_id: linked = null } = await api.getChat(channel.id);
        this.#known = { id: linked, until: clock.now() + REMEMBERED_MS };
      } catch (error) {
        logger.warn(logged(error), 'discussion group of the Telegram channel unavailable');
      }
    }
    return this.#known.id === id;
  }
}
