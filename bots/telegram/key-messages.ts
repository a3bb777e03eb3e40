import type { Api } from 'grammy';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { Notifier, repeat, untilAborted } from '../../src/core/base/async/repeat.ts';
import { backoffMs, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BotName } from '../../src/core/chat/chat-message.ts';
import type { KeyMessage, StoredKeyMessages } from '../../src/core/chat/key-messages.ts';
import { isDeleted, requestedWaitMs, telegramFields } from './failures.ts';
import type { ApiSignal } from './telegram-link.ts';

const SHOWN_MS = 10 * MINUTE_MS;
/** Telegram deletes no older messages (core.telegram.org/bots/api#deletemessage). */
const DELETABLE_MS = 48 * HOUR_MS;
const BACKOFF = { firstMs: MINUTE_MS, mostMs: 10 * MINUTE_MS };
const STORE_RETRY_MS = 10 * SECOND_MS;
const PAGE = 100;

interface KeyMessagesOptions {
  readonly store: StoredKeyMessages;
  readonly bot: BotName;
  readonly api: Pick<Api, 'deleteMessage'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

interface MessageAddress {
  readonly chat: number;
  readonly message: number;
}

/**
 * Messages of one bot that show a key. Each is removed after 10 minutes, also by a later process: a row names it before it
 * shows the key. A removal that fails is repeated until Telegram deletes the message no more, which is logged. Log entries
 * name the message alone: the chat is the person's id.
 */
export class KeyMessages {
  readonly #options: KeyMessagesOptions;
  readonly #changed = new Notifier();
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
      this.#changed.notify();
    }
  }

  /** Whether a message that shows the key of this request may still be there. */
  async isShown(request: string): Promise<boolean> {
    const { store, bot } = this.#options;
    return (await store.ofRequest(bot, request)) !== null;
  }

  /** Removes a message that was dismissed. Never throws: a removal that fails is repeated by `run`. */
  async removeNow(address: MessageAddress): Promise<void> {
    try {
      await this.#remove(this.#rowOf(address, '', 0));
    } catch (error) {
      const { message } = address;
      this.#options.logger.warn({ err: error, message }, 'removal of a message with a key not recorded');
    }
  }

  /** Removes the messages of a chat, with one attempt; those that fail keep their rows. */
  async removeInChat(chat: string): Promise<void> {
    const { store, bot } = this.#options;
    const rows = (await store.inChats([chat])).filter((row) => row.bot === bot);
    await Promise.all(rows.map((row) => this.#remove(row)));
  }

  async run(signal: AbortSignal): Promise<void> {
    await repeat(() => this.#pass(signal), {
      clock: { sleep: this.#sleep },
      signal,
      intervalMs: () => this.#pauseMs,
      retryMs: STORE_RETRY_MS,
      failures: this.#failures,
      wake: this.#changed.nextNotification,
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
    for (const row of due) if (!signal.aborted) await this.#remove(row, signal);
  }

  /** Removes the message, or puts it off until the next attempt. */
  async #remove(row: KeyMessage, signal?: AbortSignal): Promise<void> {
    const { store, clock, logger } = this.#options;
    const retryAfterMs = await this.#delete(row, signal);
    if (retryAfterMs === null) return store.remove(row);
    if (signal?.aborted === true) return;
    const attempts = row.attempts + 1;
    const dueAt = clock.now() + Math.max(retryAfterMs, backoffMs(BACKOFF, attempts, withoutJitter));
    if (dueAt <= row.createdAt + DELETABLE_MS) {
      await store.postpone(row, dueAt);
      this.#changed.notify();
      return;
    }
    const { message } = addressOf(row);
    logger.error({ message, attempts }, 'message with a key stays: not removed in 48 h');
    await store.remove(row);
  }

  /** Null when the message is gone; else the wait that Telegram asks for. */
  async #delete(row: KeyMessage, signal?: AbortSignal): Promise<number | null> {
    const { api, logger } = this.#options;
    const { chat, message } = addressOf(row);
    try {
      await api.deleteMessage(chat, message, signal as ApiSignal | undefined);
      return null;
    } catch (error) {
      if (isDeleted(error)) return null;
      if (row.attempts === 0 && signal?.aborted !== true)
        logger.warn(
          { message, ...telegramFields(error) },
          'removal of a message with a key failed; retrying',
        );
      return requestedWaitMs(error);
    }
  }

  #rowOf({ chat, message }: MessageAddress, request: string, dueInMs: number): KeyMessage {
    const now = this.#options.clock.now();
    const messageRef = `${chat}:${message}`;
    return { bot: this.#options.bot, messageRef, request, createdAt: now, dueAt: now + dueInMs, attempts: 0 };
  }
}

function addressOf({ messageRef }: KeyMessage): MessageAddress {
  const [chat = 0, message = 0] = messageRef.split(':').map(Number);
  return { chat, message };
}
