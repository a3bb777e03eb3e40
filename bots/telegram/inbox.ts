import { setImmediate } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { FairQueue } from '../../src/core/async/fair-queue.ts';

/** Ids of updates that are remembered: Telegram repeats an update within minutes. */
const REMEMBERED = 20_000;
/** Updates of one private chat that run at the same time, so that one person cannot take all places; more are dropped. */
const PER_PERSON = 8;

/** Handles each update once. Memory: the ids of the last 20,000 updates, and the running ones. */
export class Inbox {
  readonly #handle: (update: Update) => Promise<void>;
  readonly #seen = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #queue = new FairQueue({ tasksPerCaller: PER_PERSON });
  /** One update begins in each iteration of the event loop: a hundred at the same time would block other work. */
  readonly #yieldToLoop = pLimit(1);
  readonly #running = new Set<Promise<void>>();
  #isOpen = true;

  /** `handle` must not throw. */
  constructor(handle: (update: Update) => Promise<void>) {
    this.#handle = handle;
  }

  /** Resolves when the update was handled, or dropped as a repetition. Never throws. */
  readonly take = async (update: Update): Promise<void> => {
    const id = String(update.update_id);
    if (!this.#isOpen || this.#seen.get(id) !== undefined) return;
    this.#seen.set(id, true);
    const chat = chatOf(update);
    const begin = async () => {
      await this.#yieldToLoop(() => setImmediate());
      await this.#handle(update);
    };
    // A full queue of a person drops the update.
    const work = this.#queue.run(begin, { caller: String(chat), isRefusable: chat > 0 }).catch(() => {});
    this.#running.add(work);
    await work;
    this.#running.delete(work);
  };

  /** Takes no more updates, and resolves when the running ones are handled. */
  async drain(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled(this.#running);
  }
}

/** The chat of an update; 0 without one. */
function chatOf(update: Update): number {
  const message =
    update.message ??
    update.edited_message ??
    update.channel_post ??
    update.edited_channel_post ??
    update.callback_query?.message;
  return message?.chat.id ?? update.callback_query?.from.id ?? 0;
}
