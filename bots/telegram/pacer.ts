import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../src/core/base/time/sliding-window.ts';
import { WakeTimer } from '../../src/core/base/time/wake-timer.ts';
import { MESSAGE_RANKS, type MessageRank } from '../../src/core/chat/messenger.ts';

export interface PaceLimits {
  /** Between two messages of the bot. */
  readonly spacingMs: number;
  readonly chat: RateLimit;
  readonly group: RateLimit;
}

/**
 * 30 messages a second in all, 1 in a chat, 20 a minute in a group (core.telegram.org/bots/faq). A space of 37 ms with up
 * to 70 ms caught up gives 27 a second, and at most 29 in any second, since they may not arrive as evenly as they are sent.
 */
export const TELEGRAM_LIMITS: PaceLimits = {
  spacingMs: 37,
  chat: { most: 1, windowMs: 1_000 },
  group: { most: 20, windowMs: 60_000 },
};

/** Messages that late timers delayed by up to this time are sent without a space. */
const CATCH_UP_MS = 70;
/** While posts wait, one is sent after so many answers. */
const ANSWERS_PER_POST = 9;
/** Above this wait a post goes back to its queue, and others go first. */
const LONGEST_POST_WAIT_MS = 5_000;
/** A post of a rank goes before those of the next one that have not waited this much longer: none waits for ever. */
const RANK_MS = 10_000;
/** Refusals of different chats within this time come from the limit of the bot. */
const SAME_CAUSE_MS = 1_000;
const CHATS = 10_000;

interface PaceRefusal {
  readonly retryAfterMs: number;
  /** The wait is that of this chat: messages to other chats need not wait. */
  readonly isChatOnly: boolean;
}

interface PacedAnswer {
  readonly chat: string;
  /** When its update began: the oldest is answered first. */
  readonly order: EpochMs;
  /** The limits of a chat are for new messages, not for edits. */
  readonly isNew: boolean;
}

interface Waiting extends PacedAnswer {
  readonly isPost: boolean;
  /** Ends the wait: whether the message may be sent. */
  readonly settle: (isFree: boolean) => void;
}

/** Keeps messages within Telegram's limits, oldest first. */
export class Pacer {
  readonly #clock: Clock;
  readonly #limits: PaceLimits;
  readonly #chats: LRUCache<string, ChatPace>;
  /** In order. */
  readonly #waiting: Waiting[] = [];
  readonly #wake: WakeTimer;
  #freeAt: EpochMs = 0;
  #restsUntil: EpochMs = 0;
  #answersInARow = 0;
  #lastRefusal = { chat: '', at: 0, retryAfterMs: 0 };

  constructor({ clock, limits = TELEGRAM_LIMITS }: { readonly clock: Clock; readonly limits?: PaceLimits }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#chats = new LRUCache({ max: CHATS, memoMethod: () => new ChatPace(limits.group.most) });
    this.#wake = new WakeTimer(clock, () => this.#startNext());
  }

  /** Resolves when the answer may be sent. Rejects with the reason of the signal. */
  async answer(answer: PacedAnswer, signal: AbortSignal): Promise<void> {
    await this.#wait({ ...answer, isPost: false }, signal);
    signal.throwIfAborted();
  }

  /** Waits until a post to this chat may be sent. Returns null, or the wait when it is too long or the signal aborted it. */
  async post(chat: string, rank: MessageRank, signal: AbortSignal): Promise<PaceRefusal | null> {
    const now = this.#clock.now();
    const restMs = this.#restsUntil - now;
    const retryAfterMs = Math.max(restMs, this.#chatFreeAt(chat) - now);
    if (retryAfterMs > LONGEST_POST_WAIT_MS) return { retryAfterMs, isChatOnly: restMs <= 0 };
    const order = now + MESSAGE_RANKS.indexOf(rank) * RANK_MS;
    const isFree = await this.#wait({ chat, order, isNew: true, isPost: true }, signal);
    return isFree ? null : { retryAfterMs: 1, isChatOnly: false };
  }

  /** Whether a post may be sent immediately, which is then counted as sent. */
  tryPost(chat: string): boolean {
    const freeAt = Math.max(this.#freeAt, this.#restsUntil, this.#chatFreeAt(chat));
    if (freeAt > this.#clock.now()) return false;
    this.#count(chat);
    return true;
  }

  /**
   * Telegram refused a chat for so long (429): it rests; when two are refused in a second, all do. Returns whether this chat
   * rests alone.
   */
  refused(chat: string, retryAfterMs: number): boolean {
    const now = this.#clock.now();
    const last = this.#lastRefusal;
    this.#lastRefusal = { chat, at: now, retryAfterMs };
    const pace = this.#chats.memo(chat);
    pace.restsUntil = Math.max(pace.restsUntil, now + retryAfterMs);
    // A chat may also rest longer for a reason of its own.
    const sharedMs = Math.min(retryAfterMs, last.retryAfterMs);
    if (last.chat !== chat && now - last.at < SAME_CAUSE_MS)
      this.#restsUntil = Math.max(this.#restsUntil, now + sharedMs);
    return this.#restsUntil <= now;
  }

  /** Whether the message may be sent: not when the signal aborted its wait. */
  async #wait(message: Omit<Waiting, 'settle'>, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { ...message, settle: resolve };
    const leave = () => {
      this.#end(waiting, false);
      this.#startNext();
    };
    const index = this.#waiting.findLastIndex(({ order }) => order <= message.order);
    this.#waiting.splice(index + 1, 0, waiting);
    signal.addEventListener('abort', leave, { once: true });
    this.#startNext();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #end(waiting: Waiting, isFree: boolean): void {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
    waiting.settle(isFree);
  }

  #startNext(): void {
    let next = this.#next();
    for (; next !== null && next.at <= this.#clock.now(); next = this.#next()) {
      const { chat, isNew, isPost } = next.message;
      this.#count(chat, isNew);
      this.#answersInARow = isPost ? 0 : this.#answersInARow + 1;
      this.#end(next.message, true);
    }
    this.#wake.set(next?.at ?? null);
  }

  /** The message that may be sent first; of several the first in order. */
  #next(): { readonly message: Waiting; readonly at: EpochMs } | null {
    const from = Math.max(this.#clock.now(), this.#freeAt, this.#restsUntil);
    const postsFirst = (one: Waiting, other: Waiting) => Number(other.isPost) - Number(one.isPost);
    const isPostDue = this.#answersInARow >= ANSWERS_PER_POST;
    let next = null;
    for (const message of isPostDue ? this.#waiting.toSorted(postsFirst) : this.#waiting) {
      const at = Math.max(from, this.#chatFreeAt(message.chat, message.isNew));
      if (next === null || at < next.at) next = { message, at };
      if (at === from) break;
    }
    return next;
  }

  #chatFreeAt(chat: string, isNew = true): EpochMs {
    const pace = this.#chats.memo(chat);
    if (!isNew) return pace.restsUntil;
    const { chat: most, group } = this.#limits;
    return Math.max(pace.restsUntil, pace.freeAt(most), isGroup(chat) ? pace.freeAt(group) : 0);
  }

  #count(chat: string, isNew = true): void {
    const now = this.#clock.now();
    this.#freeAt = Math.max(this.#freeAt, now - CATCH_UP_MS) + this.#limits.spacingMs;
    if (isNew) this.#chats.memo(chat).add(now);
  }
}

class ChatPace extends SlidingWindow {
  restsUntil: EpochMs = 0;
}

/** Whether a chat is a group or a channel, not the chat of one person. */
export function isGroup(chat: string): boolean {
  return chat.startsWith('-') || chat.startsWith('@');
}
