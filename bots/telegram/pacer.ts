import type { Clock } from '../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { WakeTimer } from '../../src/core/base/time/wake-timer.ts';
import {
  ChatPaces,
  earliest,
  type PacedAnswer,
  type PaceLimits,
  type PaceRefusal,
  SentTimes,
  TELEGRAM_LIMITS,
  type Waiting,
} from './pace-limits.ts';

/** Above this wait a post goes back to its queue, and others go first. */
const LONGEST_POST_WAIT_MS = 5_000;
/** Refusals of different chats within this time come from the limit of the bot. */
const SAME_CAUSE_MS = 1_000;
const JITTER_MS = 500;

interface PacerOptions {
  readonly clock: Clock;
  /** For the jitter of pauses, 0 to 1. */
  readonly random: () => number;
  readonly limits?: PaceLimits;
}

interface Next {
  readonly waiting: Waiting;
  /** Where it is counted. */
  readonly times: SentTimes;
  /** In the past when a timer is late. */
  readonly at: EpochMs;
}

interface FloodWait {
  readonly chat: string;
  readonly at: EpochMs;
  readonly retryAfterMs: number;
}

/**
 * Keeps messages within Telegram's rate limits. Answers are sent oldest first; those whose chat has to wait let others
 * pass. Posts get three messages a second while answers wait.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #limits: PaceLimits;
  readonly #total: SentTimes;
  readonly #answerTimes: SentTimes;
  readonly #postTimes: SentTimes;
  readonly #chats: ChatPaces;
  /** By `order`. */
  readonly #answers: Waiting[] = [];
  /** First in, first out. */
  readonly #posts: Waiting[] = [];
  #floodWaits: readonly FloodWait[] = [];
  readonly #wake: WakeTimer;
  /** The next message as evenly spaced. */
  #spacedAt: EpochMs = 0;

  constructor({ clock, random, limits = TELEGRAM_LIMITS }: PacerOptions) {
    this.#clock = clock;
    this.#wake = new WakeTimer(clock, () => this.#startNext());
    this.#random = random;
    this.#limits = limits;
    this.#total = new SentTimes(limits.total.most);
    this.#answerTimes = new SentTimes(limits.answers.most);
    this.#postTimes = new SentTimes(limits.posts.most);
    this.#chats = new ChatPaces(limits);
  }

  /** Resolves when the answer may be sent. Rejects with the reason of the signal. */
  async answer(answer: PacedAnswer, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { ...answer, since: this.#clock.now(), start: resolve, refuse: () => {} };
    const index = this.#answers.findLastIndex(({ order }) => order <= answer.order);
    this.#answers.splice(index + 1, 0, waiting);
    await this.#waitFor(waiting, { promise, abort: () => reject(signal.reason), signal });
  }

  /** Waits until a post to this chat may be sent. Returns null, or the wait when it is too long or the signal aborted it. */
  async post(chat: string, signal: AbortSignal): Promise<PaceRefusal | null> {
    const refusal = this.#refusalOf(chat);
    if (refusal !== null) return refusal;
    const aborted = { retryAfterMs: 1, isChatOnly: false };
    if (signal.aborted) return aborted;
    const { promise, resolve } = Promise.withResolvers<PaceRefusal | null>();
    const since = this.#clock.now();
    const waiting = { chat, order: 0, isNew: true, since, start: () => resolve(null), refuse: resolve };
    this.#posts.push(waiting);
    return this.#waitFor(waiting, { promise, abort: () => resolve(aborted), signal });
  }

  /** Takes the place of a post to this chat if one is free now. */
  tryPost(chat: string): boolean {
    const now = this.#clock.now();
    const freeAt = Math.max(this.#postsFreeAt, this.#chats.freeAt(chat, true));
    const isFree = this.#posts.length === 0 && freeAt <= now;
    if (isFree) this.#count({ chat, isNew: true }, { times: this.#postTimes, at: now });
    return isFree;
  }

  /**
   * Telegram refused a message to this chat for so long (429): the chat rests. When several chats are refused within a
   * second it is the limit of the bot, and all rest.
   */
  refused(chat: string, retryAfterMs: number): void {
    const at = this.#clock.now();
    const recent = this.#floodWaits.filter((wait) => Math.abs(at - wait.at) < SAME_CAUSE_MS);
    const jitterMs = Math.round(this.#random() * JITTER_MS);
    this.#chats.pause(chat, at + retryAfterMs + jitterMs);
    const others = recent.filter((wait) => wait.chat !== chat);
    this.#floodWaits = [...others, { chat, at, retryAfterMs }];
    if (others.length > 0) {
      // A chat may also rest longer for a reason of its own.
      const shortest = Math.min(...this.#floodWaits.map((wait) => wait.retryAfterMs));
      this.#total.pausedUntil = Math.max(this.#total.pausedUntil, at + shortest + jitterMs);
    }
    this.#refuseLongWaits();
    this.#startNext();
  }

  /** Whether all chats rest. */
  get isResting(): boolean {
    return this.#total.pausedUntil > this.#clock.now();
  }

  async #waitFor<Result>(
    waiting: Waiting,
    { promise, abort, signal }: { promise: Promise<Result>; abort: () => void; signal: AbortSignal },
  ): Promise<Result> {
    const leave = () => {
      abort();
      this.#remove(waiting);
      this.#startNext();
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#startNext();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #remove(waiting: Waiting): void {
    for (const queue of [this.#answers, this.#posts]) {
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
    }
  }

  /** Starts what may be sent now, and sleeps until the next may. */
  #startNext(): void {
    const now = this.#clock.now();
    let next = this.#next();
    for (; next !== null && next.at <= now; next = this.#next()) {
      this.#remove(next.waiting);
      this.#count(next.waiting, next);
      next.waiting.start();
    }
    this.#wake.set(next?.at ?? null);
  }

  /** The message that may be sent first, and when. Of those that may be sent now: a post, then the oldest answer. */
  #next(): Next | null {
    const now = this.#clock.now();
    const chatFreeAt = ({ chat, isNew }: Waiting) => this.#chats.freeAt(chat, isNew);
    const post = earliest(this.#posts, { from: this.#postsFreeAt, now, chatFreeAt });
    if (post !== null && post.at <= now) return { ...post, times: this.#postTimes };
    const from = Math.max(this.#freeAt, this.#answerTimes.freeAt(this.#limits.answers));
    const answer = earliest(this.#answers, { from, now, chatFreeAt });
    if (answer !== null && (post === null || answer.at <= post.at))
      return { ...answer, times: this.#answerTimes };
    return post === null ? null : { ...post, times: this.#postTimes };
  }

  get #freeAt(): EpochMs {
    return Math.max(this.#total.freeAt(this.#limits.total), this.#spacedAt);
  }

  get #postsFreeAt(): EpochMs {
    const { posts, postsBesideAnswers } = this.#limits;
    const limit = this.#answers.length > 0 ? postsBesideAnswers : posts;
    return Math.max(this.#freeAt, this.#postTimes.freeAt(limit));
  }

  #count({ chat, isNew }: Pick<Waiting, 'chat' | 'isNew'>, { times, at }: Omit<Next, 'waiting'>): void {
    const now = this.#clock.now();
    const { spacingMs, catchUpMs } = this.#limits;
    this.#spacedAt = Math.max(at, now - catchUpMs) + spacingMs;
    this.#total.add(now);
    times.add(now);
    if (isNew) this.#chats.add(chat, now);
  }

  #refusalOf(chat: string): PaceRefusal | null {
    const now = this.#clock.now();
    const chatMs = this.#chats.freeAt(chat, true) - now;
    const retryAfterMs = Math.max(chatMs, this.#total.pausedUntil - now);
    return retryAfterMs > LONGEST_POST_WAIT_MS ? { retryAfterMs, isChatOnly: !this.isResting } : null;
  }

  #refuseLongWaits(): void {
    for (const waiting of [...this.#posts]) {
      const refusal = this.#refusalOf(waiting.chat);
      if (refusal === null) continue;
      this.#remove(waiting);
      waiting.refuse(refusal);
    }
  }
}
