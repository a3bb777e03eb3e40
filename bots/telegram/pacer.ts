import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../src/core/base/time/sliding-window.ts';
import { WakeTimer } from '../../src/core/base/time/wake-timer.ts';
import { MESSAGE_RANKS, type MessageRank } from '../../src/core/chat/messenger.ts';

export interface PaceLimits {
  readonly total: RateLimit;
  readonly answers: RateLimit;
  /** Messages of the outbox and in groups: while no answer waits, and while answers wait that their chats would take. */
  readonly posts: RateLimit;
  readonly postsBesideAnswers: RateLimit;
  readonly chat: RateLimit;
  readonly group: RateLimit;
  /** Between two messages: they may not arrive as evenly as they are sent. */
  readonly spacingMs: number;
  /** Messages that are late by up to this time are sent without that space, so that late timers do not lower the rate. */
  readonly catchUpMs: number;
}

/** 30 messages a second in all, 1 in a chat, 20 a minute in a group (core.telegram.org/bots/faq). */
export const TELEGRAM_LIMITS: PaceLimits = {
  total: { most: 30, windowMs: 1_000 },
  answers: { most: 27, windowMs: 1_000 },
  posts: { most: 25, windowMs: 1_000 },
  postsBesideAnswers: { most: 3, windowMs: 1_000 },
  chat: { most: 1, windowMs: 1_000 },
  group: { most: 20, windowMs: 60_000 },
  spacingMs: 33,
  catchUpMs: 200,
};

/** Above this wait a post goes back to its queue, and others go first. */
const LONGEST_POST_WAIT_MS = 5_000;
/** A post of a rank goes before those of the next one that have not waited this much longer: none waits for ever. */
const RANK_MS = 10_000;
/** Refusals of different chats within this time come from the limit of the bot. */
const SAME_CAUSE_MS = 1_000;
const JITTER_MS = 500;
const CHATS = 10_000;

interface PaceRefusal {
  readonly retryAfterMs: number;
  /** The wait is that of this chat: messages to other chats need not wait. */
  readonly isChatOnly: boolean;
}

interface PacedAnswer {
  readonly chat: string;
  /** Answers are sent in this order, the lowest first; so are posts. */
  readonly order: number;
  readonly isNew: boolean;
}

interface PacedPost {
  readonly chat: string;
  /** Default: `channel`. */
  readonly rank?: MessageRank | undefined;
}

interface Waiting extends PacedAnswer {
  readonly since: EpochMs;
  /** Ends the wait; with a refusal when the message goes back to its queue. */
  settle(refusal: PaceRefusal | null): void;
}

interface Next {
  readonly waiting: Waiting;
  readonly times: SentTimes;
  /** In the past when a timer is late. */
  readonly at: EpochMs;
}

/** Keeps messages within Telegram's limits: answers oldest first, posts three a second meanwhile, by rank. */
export class Pacer {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: PaceLimits;
  readonly #total: SentTimes;
  readonly #answerTimes: SentTimes;
  readonly #postTimes: SentTimes;
  readonly #chats: LRUCache<string, SentTimes>;
  readonly #answers: Waiting[] = [];
  readonly #posts: Waiting[] = [];
  #floodWaits: readonly { chat: string; at: EpochMs; retryAfterMs: number }[] = [];
  readonly #wake: WakeTimer;
  #spacedAt: EpochMs = 0;

  constructor(options: {
    readonly clock: Clock;
    readonly random: () => number;
    readonly limits?: PaceLimits;
  }) {
    const { clock, random, limits = TELEGRAM_LIMITS } = options;
    this.#clock = clock;
    this.#wake = new WakeTimer(clock, () => this.#startNext());
    this.#random = random;
    this.#limits = limits;
    this.#total = new SentTimes(limits.total.most);
    this.#answerTimes = new SentTimes(limits.answers.most);
    this.#postTimes = new SentTimes(limits.posts.most);
    const most = Math.max(limits.chat.most, limits.group.most);
    this.#chats = new LRUCache({ max: CHATS, memoMethod: () => new SentTimes(most) });
  }

  /** Resolves when the answer may be sent. Rejects with the reason of the signal. */
  async answer(answer: PacedAnswer, signal: AbortSignal): Promise<void> {
    await this.#wait(answer, signal, this.#answers);
    signal.throwIfAborted();
  }

  /** Waits until a post to this chat may be sent. Returns null, or the wait when it is too long or the signal aborted it. */
  async post({ chat, rank = 'channel' }: PacedPost, signal: AbortSignal): Promise<PaceRefusal | null> {
    const refusal = this.#refusalOf(chat);
    if (refusal !== null) return refusal;
    const order = this.#clock.now() + MESSAGE_RANKS.indexOf(rank) * RANK_MS;
    return this.#wait({ chat, order, isNew: true }, signal, this.#posts);
  }

  tryPost(chat: string): boolean {
    const now = this.#clock.now();
    const freeAt = Math.max(this.#postsFreeAt, this.#chatFreeAt({ chat, isNew: true }));
    const isFree = this.#posts.length === 0 && freeAt <= now;
    if (isFree) this.#count({ chat, isNew: true }, { times: this.#postTimes, at: now });
    return isFree;
  }

  /** Telegram refused a chat for so long (429): it rests; when several are refused in a second, all do. */
  refused(chat: string, retryAfterMs: number): void {
    const at = this.#clock.now();
    const recent = this.#floodWaits.filter((wait) => Math.abs(at - wait.at) < SAME_CAUSE_MS);
    const jitterMs = Math.round(this.#random() * JITTER_MS);
    this.#chats.memo(chat).pause(at + retryAfterMs + jitterMs);
    const others = recent.filter((wait) => wait.chat !== chat);
    this.#floodWaits = [...others, { chat, at, retryAfterMs }];
    // A chat may also rest longer for a reason of its own.
    const shortest = Math.min(...this.#floodWaits.map((wait) => wait.retryAfterMs));
    if (others.length > 0) this.#total.pause(at + shortest + jitterMs);
    for (const waiting of [...this.#posts]) {
      const refusal = this.#refusalOf(waiting.chat);
      if (refusal !== null) this.#end(waiting, refusal);
    }
    this.#startNext();
  }

  get isResting(): boolean {
    return this.#total.pausedUntil > this.#clock.now();
  }

  async #wait(message: PacedAnswer, signal: AbortSignal, queue: Waiting[]): Promise<PaceRefusal | null> {
    const aborted = { retryAfterMs: 1, isChatOnly: false };
    if (signal.aborted) return aborted;
    const { promise, resolve } = Promise.withResolvers<PaceRefusal | null>();
    const waiting = { ...message, since: this.#clock.now(), settle: resolve };
    const leave = () => {
      this.#end(waiting, aborted);
      this.#startNext();
    };
    const index = queue.findLastIndex(({ order }) => order <= message.order);
    queue.splice(index + 1, 0, waiting);
    signal.addEventListener('abort', leave, { once: true });
    this.#startNext();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #end(waiting: Waiting, refusal: PaceRefusal | null): void {
    for (const queue of [this.#answers, this.#posts]) {
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
    }
    waiting.settle(refusal);
  }

  #startNext(): void {
    const now = this.#clock.now();
    let next = this.#next();
    for (; next !== null && next.at <= now; next = this.#next()) {
      this.#count(next.waiting, next);
      this.#end(next.waiting, null);
    }
    this.#wake.set(next?.at ?? null);
  }

  /** The message that may be sent first, and when. Of those that may be sent now: a post, then the oldest answer. */
  #next(): Next | null {
    const post = this.#earliest(this.#posts, this.#postTimes, this.#postsFreeAt);
    if (post !== null && post.at <= this.#clock.now()) return post;
    const answersFreeAt = Math.max(this.#freeAt, this.#answerTimes.freeAt(this.#limits.answers));
    const answer = this.#earliest(this.#answers, this.#answerTimes, answersFreeAt);
    return answer !== null && (post === null || answer.at <= post.at) ? answer : post;
  }

  /** The first message that may be sent now, or else the one that may be sent first. None before `from`. */
  #earliest(queue: readonly Waiting[], times: SentTimes, from: EpochMs): Next | null {
    const now = Math.max(from, this.#clock.now());
    let first: Next | null = null;
    for (const waiting of queue) {
      const at = Math.max(from, waiting.since, this.#chatFreeAt(waiting));
      if (first === null || at < first.at) first = { waiting, times, at };
      if (at <= now) break;
    }
    return first;
  }

  get #freeAt(): EpochMs {
    return Math.max(this.#total.freeAt(this.#limits.total), this.#spacedAt);
  }

  get #postsFreeAt(): EpochMs {
    const { posts, postsBesideAnswers } = this.#limits;
    const now = this.#clock.now();
    // Those that wait for their own chats are no reason to hold back others.
    const isAnswerWaiting = this.#answers.some((answer) => this.#chatFreeAt(answer) <= now);
    const limit = isAnswerWaiting ? postsBesideAnswers : posts;
    return Math.max(this.#freeAt, this.#postTimes.freeAt(limit));
  }

  /** When the chat takes the next message. The limits of a chat are for new messages, not for edits. */
  #chatFreeAt({ chat, isNew }: Pick<PacedAnswer, 'chat' | 'isNew'>): EpochMs {
    const sent = this.#chats.memo(chat);
    if (!isNew) return sent.pausedUntil;
    return Math.max(sent.freeAt(this.#limits.chat), isGroup(chat) ? sent.freeAt(this.#limits.group) : 0);
  }

  #count({ chat, isNew }: Pick<PacedAnswer, 'chat' | 'isNew'>, { times, at }: Omit<Next, 'waiting'>): void {
    const now = this.#clock.now();
    const { spacingMs, catchUpMs } = this.#limits;
    this.#spacedAt = Math.max(at, now - catchUpMs) + spacingMs;
    this.#total.add(now);
    times.add(now);
    if (isNew) this.#chats.memo(chat).add(now);
  }

  #refusalOf(chat: string): PaceRefusal | null {
    const now = this.#clock.now();
    const chatMs = this.#chatFreeAt({ chat, isNew: true }) - now;
    const retryAfterMs = Math.max(chatMs, this.#total.pausedUntil - now);
    return retryAfterMs > LONGEST_POST_WAIT_MS ? { retryAfterMs, isChatOnly: !this.isResting } : null;
  }
}

class SentTimes extends SlidingWindow {
  pausedUntil: EpochMs = 0;

  pause(until: EpochMs): void {
    this.pausedUntil = Math.max(this.pausedUntil, until);
  }

  override freeAt(limit: RateLimit): EpochMs {
    return Math.max(this.pausedUntil, super.freeAt(limit));
  }
}

/** Whether a chat is a group or a channel, not the chat of one person. */
export function isGroup(chat: string): boolean {
  return chat.startsWith('-') || chat.startsWith('@');
}
