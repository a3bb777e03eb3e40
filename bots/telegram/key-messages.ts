import { type Api, GrammyError } from 'grammy';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { Notifier } from '../../src/core/base/async/notifier.ts';
import { repeat, untilAborted } from '../../src/core/base/async/repeat.ts';
import { backoffMs, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BotName } from '../../src/core/chat/chat-message.ts';
import type { KeyMessage, KeyMessageStore } from '../../src/core/chat/conversation-stores.ts';
import { logged } from './failures.ts';
import type { ApiSignal } from './telegram-link.ts';

/** A message with a key is there for so long. */
const SHOWN_MS = 10 * MINUTE_MS;
/** Telegram deletes no older messages (core.telegram.org/bots/api#deletemessage). */
const DELETABLE_MS = 48 * HOUR_MS;
const BACKOFF = { firstMs: MINUTE_MS, mostMs: 10 * MINUTE_MS };
const STORE_RETRY_MS = 10 * SECOND_MS;
const PAGE = 100;
const GONE = /message to delete not found|message identifier is not specified|MESSAGE_ID_INVALID/i;

interface KeyMessagesOptions {
  readonly store: KeyMessageStore;
  readonly bot: BotName;
  /** Makes one attempt of each call. */
  readonly api: Pick<Api, 'deleteMessage'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** A message in a private chat. */
interface MessageAddress {
  readonly chat: number;
  readonly message: number;
}

type Removal = 'removed' | { readonly retryAfterMs: number };

/**
 * Messages of one bot that show a key. Each is removed after 10 minutes, also by a later process: a row names it before it
 * shows the key. A removal that fails is repeated until Telegram deletes the message no more, which is logged.
 */
export class KeyMessages {
  readonly #options: KeyMessagesOptions;
  readonly #added = new Notifier();
  readonly #failures: FailureLog;
  #pauseMs = 0;

  constructor(options: KeyMessagesOptions) {
    this.#options = options;
    this.#failures = new FailureLog(
      options.logger,
      'messages with keys unavailable; they stay until the database answers, retrying every 10 s',
    );
  }

  /** Call before the message shows the key. Throws when the row cannot be written: then show no key. */
  async add(address: MessageAddress, request: string): Promise<void> {
    try {
      await this.#options.store.add(this.#rowOf(address, request, SHOWN_MS));
    } finally {
      // Also when it failed: the row may have been written.
      this.#added.notify();
    }
  }

  /** Whether a message that shows the key of this request may still be there. */
  async isShown(request: string): Promise<boolean> {
    const { store, bot } = this.#options;
    return (await store.ofRequest(bot, request)) !== null;
  }

  /** Removes a message that was dismissed. Never throws: a removal that fails is repeated by `run`. */
  async removeNow(address: MessageAddress): Promise<void> {
    const { store, clock, logger } = this.#options;
    const row = this.#rowOf(address, '', BACKOFF.firstMs);
    const removal = await this.#delete(row);
    try {
      if (removal === 'removed') return await store.remove(row);
      // Without a row it is a message from before there were rows.
      await store.add(row);
      await store.postpone(row, clock.now() + Math.max(removal.retryAfterMs, BACKOFF.firstMs));
      this.#added.notify();
    } catch (error) {
      logger.warn({ err: error, message: address.message }, 'removal of a message with a key not recorded');
    }
  }

  /** Removes the messages of a chat, with one attempt; those that fail keep their rows. */
  async removeInChat(chat: string): Promise<void> {
    const { store, bot } = this.#options;
    const rows = (await store.inChats([chat])).filter((row) => row.bot === bot);
    const remove = async (row: KeyMessage) => {
      if ((await this.#delete(row)) === 'removed') await store.remove(row);
    };
    await Promise.all(rows.map(remove));
  }

  /** Removes the messages that are due, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await repeat(() => this.#pass(signal), {
      clock: { sleep: this.#sleep },
      signal,
      intervalMs: () => this.#pauseMs,
      retryMs: STORE_RETRY_MS,
      failures: this.#failures,
      wake: this.#added.nextNotification,
    });
  }

  /** Without a message it waits for the next one. */
  readonly #sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    ms === Number.POSITIVE_INFINITY && signal !== undefined
      ? untilAborted(signal)
      : this.#options.clock.sleep(ms, signal);

  async #pass(signal: AbortSignal): Promise<void> {
    const { store, bot, clock } = this.#options;
    const rows = await store.next(bot, PAGE);
    const now = clock.now();
    const due = rows.filter(({ dueAt }) => dueAt <= now);
    this.#pauseMs = due.length > 0 ? 0 : (rows[0]?.dueAt ?? Number.POSITIVE_INFINITY) - now;
    for (const row of due) {
      if (signal.aborted) return;
      const removal = await this.#delete(row, signal);
      if (signal.aborted && removal !== 'removed') return;
      if (removal === 'removed') await store.remove(row);
      else await this.#retryLater(row, removal.retryAfterMs);
      if (removal === 'removed' || removal.retryAfterMs === 0) continue;
      // A flood wait is for all calls of the bot.
      this.#pauseMs = removal.retryAfterMs;
      return;
    }
  }

  async #retryLater(row: KeyMessage, retryAfterMs: number): Promise<void> {
    const { store, clock, logger } = this.#options;
    const { messageRef, attempts, createdAt } = row;
    const waitMs = Math.max(retryAfterMs, backoffMs(BACKOFF, attempts + 1, withoutJitter));
    const dueAt = clock.now() + waitMs;
    if (dueAt <= createdAt + DELETABLE_MS) return store.postpone(row, dueAt);
    logger.error(
      { message: messageOf(messageRef), attempts: attempts + 1 },
      'message with a key stays: not removed in 48 h',
    );
    await store.remove(row);
  }

  async #delete({ messageRef, attempts }: KeyMessage, signal?: AbortSignal): Promise<Removal> {
    const { api, logger } = this.#options;
    const [chat, message] = messageRef.split(':').map(Number);
    try {
      await api.deleteMessage(chat ?? 0, message ?? 0, signal as ApiSignal | undefined);
      return 'removed';
    } catch (error) {
      if (error instanceof GrammyError && GONE.test(error.description)) return 'removed';
      if (attempts === 0 && signal?.aborted !== true)
        logger.warn(
          { message: messageOf(messageRef), ...logged(error) },
          'removal of a message with a key failed; retrying',
        );
      const seconds = error instanceof GrammyError ? (error.parameters.retry_after ?? 0) : 0;
      return { retryAfterMs: seconds * SECOND_MS };
    }
  }

  #rowOf({ chat, message }: MessageAddress, request: string, dueInMs: number): KeyMessage {
    const now = this.#options.clock.now();
    const messageRef = `${chat}:${message}`;
    return { bot: this.#options.bot, messageRef, request, createdAt: now, dueAt: now + dueInMs, attempts: 0 };
  }
}

/** The message alone: the chat is the person's id, which the log must not keep. */
function messageOf(messageRef: string): number {
  return Number(messageRef.split(':')[1]);
}
