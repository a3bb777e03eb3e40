import { setImmediate } from 'node:timers/promises';
import type { Update } from 'grammy/types';
import { LRUCache } from 'lru-cache';

/** Lets each update in once. */
export interface Inbox {
  /** Resolves when the update is done with, at once when it came before. Never throws. */
  take(update: Update): Promise<void>;
  /** Takes nothing more; resolves when what is in hand is done. */
  drain(): Promise<void>;
}

/** Ids of updates that are remembered: Telegram repeats what it thinks was lost within minutes. */
const REMEMBERED = 20_000;
/**
 * Of one private chat: each takes one of the places there are for all, also while Telegram makes that chat wait. Whoever
 * sends faster than we answer loses the rest.
 */
const IN_HAND_PER_PERSON = 8;

/** `handle` must not throw. Memory: the ids of the last 20,000 updates, and what is in hand. */
export function createInbox(handle: (update: Update) => Promise<void>): Inbox {
  const seen = new LRUCache<string, true>({ max: REMEMBERED });
  const inHand = new Set<Promise<void>>();
  const perChat = new Map<number, number>();
  let isOpen = true;
  let queueOfChat: Promise<void> = Promise.resolve();

  function count(chat: number, change: 1 | -1): number {
    const left = (perChat.get(chat) ?? 0) + change;
    if (left === 0) perChat.delete(chat);
    else perChat.set(chat, left);
    return left;
  }

  /** One begins in each turn of the loop: over a database that answers at once, a hundred would keep all else waiting. */
  function begin(update: Update): Promise<void> {
    queueOfChat = queueOfChat.then(() => setImmediate());
    return queueOfChat.then(() => handle(update));
  }

  return {
    async take(update) {
      const id = String(update.update_id);
      const chat = chatOf(update);
      if (!isOpen || seen.get(id) !== undefined) return;
      seen.set(id, true);
      if (count(chat, 1) > IN_HAND_PER_PERSON && chat > 0) return void count(chat, -1);
      const work = begin(update);
      inHand.add(work);
      try {
        await work;
      } finally {
        inHand.delete(work);
        count(chat, -1);
      }
    },
    async drain() {
      isOpen = false;
      await Promise.allSettled(inHand);
    },
  };
}

/** The chat an update is from; 0 for one that has none. */
function chatOf(update: Update): number {
  const message =
    update.message ??
    update.edited_message ??
    update.channel_post ??
    update.edited_channel_post ??
    update.callback_query?.message;
  return message?.chat.id ?? update.callback_query?.from.id ?? 0;
}
