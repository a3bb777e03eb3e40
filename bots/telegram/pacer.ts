import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/clock.ts';

/** At most so many messages within any window of this length. */
interface RateLimit {
  readonly most: number;
  readonly windowMs: number;
}

/**
 * Telegram's limits: 30 messages a second in total, some of which are left for answers; one a second in a chat; 20 a minute
 * in a group or channel (core.telegram.org/bots/faq).
 */
const TOTAL: RateLimit = { most: 25, windowMs: 1_000 };
const CHAT: RateLimit = { most: 1, windowMs: 1_000 };
const GROUP: RateLimit = { most: 20, windowMs: 60_000 };
const CHATS = 10_000;
/** Above this wait a message goes back to its queue, and others go first. */
const LONGEST_WAIT_MS = 5_000;

interface ChatBucket {
  /** Times of the newest messages, oldest first, at most as many as the limit. */
  sentAt: readonly number[];
  pausedUntil: number;
}

/** Keeps messages within Telegram's rate limits. Memory: at most 10,000 chats with 20 times each. */
export class Pacer {
  readonly #clock: Clock;
  readonly #total: ChatBucket = { sentAt: [], pausedUntil: 0 };
  readonly #chats = new LRUCache<string, ChatBucket>({
    max: CHATS,
    memoMethod: () => ({ sentAt: [], pausedUntil: 0 }),
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the next free slot of this chat. Returns 0, or the wait in ms when it is too long or the signal aborted it. */
  async acquire(chat: string, signal: AbortSignal): Promise<number> {
    const now = this.#clock.now();
    const at = this.#nextSlot(chat, now);
    const waitMs = at - now;
    if (waitMs > LONGEST_WAIT_MS || signal.aborted) return Math.max(1, waitMs);
    this.#take(chat, at);
    if (waitMs > 0) await this.#clock.sleep(waitMs, signal);
    return signal.aborted ? Math.max(1, waitMs) : 0;
  }

  /** Takes a slot of this chat if one is free now. */
  tryAcquire(chat: string): boolean {
    const now = this.#clock.now();
    const isFree = this.#nextSlot(chat, now) === now;
    if (isFree) this.#take(chat, now);
    return isFree;
  }

  /** Sends nothing to this chat for so long, as Telegram asked. */
  pauseFor(chat: string, ms: number): void {
    const bucket = this.#chats.memo(chat);
    bucket.pausedUntil = Math.max(bucket.pausedUntil, this.#clock.now() + ms);
  }

  #nextSlot(chat: string, now: number): number {
    const bucket = this.#chats.memo(chat);
    const isGroup = chat.startsWith('-') || chat.startsWith('@');
    const inGroup = isGroup ? freeAt(bucket, GROUP) : 0;
    return Math.max(now, bucket.pausedUntil, freeAt(this.#total, TOTAL), freeAt(bucket, CHAT), inGroup);
  }

  #take(chat: string, at: number): void {
    const bucket = this.#chats.memo(chat);
    this.#total.sentAt = [...this.#total.sentAt, at].slice(-TOTAL.most);
    bucket.sentAt = [...bucket.sentAt, at].slice(-GROUP.most);
  }
}

function freeAt({ sentAt }: ChatBucket, { most, windowMs }: RateLimit): number {
  const first = sentAt.at(-most);
  return first === undefined ? 0 : first + windowMs;
}
