import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/clock.ts';

/** Keeps what is sent within Telegram's limits. */
export interface Pacer {
  /**
   * Waits for this chat's turn. 0 when it came; else the milliseconds it takes, when that is too long to wait or the
   * signal ended the wait.
   */
  acquire(chat: string, signal: AbortSignal): Promise<number>;
  /** Takes this chat's turn when it can be had now, without a wait. */
  tryAcquire(chat: string): boolean;
  /** Telegram wants no message there for so long. */
  pauseFor(chat: string, ms: number): void;
}

/** So many within any such time. */
interface Allowance {
  readonly most: number;
  readonly windowMs: number;
}

/**
 * Telegram's limits: 30 messages a second in all, of which the answers to those who write need some; one a second in a
 * chat; 20 a minute in a group or channel (core.telegram.org/bots/faq).
 */
const OVERALL: Allowance = { most: 25, windowMs: 1_000 };
const CHAT: Allowance = { most: 1, windowMs: 1_000 };
const GROUP: Allowance = { most: 20, windowMs: 60_000 };
const CHATS = 10_000;
/** Longer than this nobody waits here: the message goes back and others go first. */
const LONGEST_WAIT_MS = 5_000;

interface ChatBucket {
  /** The newest turns, oldest first, at most as many as the allowance. */
  recentSends: readonly number[];
  heldUntil: number;
}

/** Memory: at most 10,000 chats with 20 moments each. */
export function createPacer(clock: Clock): Pacer {
  const all: ChatBucket = { recentSends: [], heldUntil: 0 };
  const buckets = new LRUCache<string, ChatBucket>({ max: CHATS });

  function bucketOf(chat: string): ChatBucket {
    const known = buckets.get(chat);
    if (known !== undefined) return known;
    const bucket = { recentSends: [], heldUntil: 0 };
    buckets.set(chat, bucket);
    return bucket;
  }

  /** When the chat's next turn is, from `now` on. */
  function sendTimeOf(chat: string, now: number): number {
    const bucket = bucketOf(chat);
    const isGroup = chat.startsWith('-') || chat.startsWith('@');
    const limits = [CHAT, ...(isGroup ? [GROUP] : [])];
    return Math.max(now, bucket.heldUntil, next(all, OVERALL), ...limits.map((limit) => next(bucket, limit)));
  }

  function take(chat: string, at: number): void {
    const bucket = bucketOf(chat);
    all.recentSends = [...all.recentSends, at].slice(-OVERALL.most);
    bucket.recentSends = [...bucket.recentSends, at].slice(-GROUP.most);
  }

  return {
    async acquire(chat, signal) {
      const now = clock.now();
      const at = sendTimeOf(chat, now);
      const waitMs = at - now;
      if (waitMs > LONGEST_WAIT_MS || signal.aborted) return Math.max(1, waitMs);
      take(chat, at);
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      return signal.aborted ? Math.max(1, waitMs) : 0;
    },
    tryAcquire(chat) {
      const now = clock.now();
      const isFree = sendTimeOf(chat, now) === now;
      if (isFree) take(chat, now);
      return isFree;
    },
    pauseFor(chat, ms) {
      const bucket = bucketOf(chat);
      bucket.heldUntil = Math.max(bucket.heldUntil, clock.now() + ms);
    },
  };
}

function next({ recentSends }: ChatBucket, { most, windowMs }: Allowance): number {
  const first = recentSends.at(-most);
  return first === undefined || recentSends.length < most ? 0 : first + windowMs;
}
