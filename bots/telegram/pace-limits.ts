import { LRUCache } from 'lru-cache';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../src/core/base/time/sliding-window.ts';

/** Rate limits of one bot. */
export interface PaceLimits {
  /** All messages and edits. */
  readonly total: RateLimit;
  /** Answers to people. */
  readonly answers: RateLimit;
  /** Messages of the outbox and in groups: while no answer waits, and while answers wait. */
  readonly posts: RateLimit;
  readonly postsBesideAnswers: RateLimit;
  /** New messages in one chat, and in a group or channel. */
  readonly chat: RateLimit;
  readonly group: RateLimit;
  /** Between two messages: they may not arrive as evenly as they are sent. */
  readonly spacingMs: number;
  /** Messages that are late by up to this time are sent without that space, so that late timers do not lower the rate. */
  readonly catchUpMs: number;
}

/**
 * Telegram's limits: 30 messages a second in total, one a second in a chat, 20 a minute in a group or channel
 * (core.telegram.org/bots/faq). Of the total, posts keep a tenth.
 */
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

/** When messages were sent, and until when no more are. */
export class SentTimes extends SlidingWindow {
  pausedUntil: EpochMs = 0;

  /** When one more message is within the limit, and no pause is left. */
  override freeAt(limit: RateLimit): EpochMs {
    return Math.max(this.pausedUntil, super.freeAt(limit));
  }
}

const CHATS = 10_000;

/** The chats of one bot. Memory: the 10,000 used last, with at most 20 times each. */
export class ChatPaces {
  readonly #limits: PaceLimits;
  readonly #chats: LRUCache<string, SentTimes>;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
    const { chat, group } = limits;
    this.#chats = new LRUCache<string, SentTimes>({
      max: CHATS,
      memoMethod: () => new SentTimes(Math.max(chat.most, group.most)),
    });
  }

  /** When the chat takes the next message. The limits of a chat are for new messages, not for edits. */
  freeAt(chat: string, isNew: boolean): EpochMs {
    const sent = this.#chats.memo(chat);
    if (!isNew) return sent.pausedUntil;
    const inGroup = isGroup(chat) ? sent.freeAt(this.#limits.group) : 0;
    return Math.max(sent.freeAt(this.#limits.chat), inGroup);
  }

  add(chat: string, at: EpochMs): void {
    this.#chats.memo(chat).add(at);
  }

  pause(chat: string, until: EpochMs): void {
    const sent = this.#chats.memo(chat);
    sent.pausedUntil = Math.max(sent.pausedUntil, until);
  }
}

function isGroup(chat: string): boolean {
  return chat.startsWith('-') || chat.startsWith('@');
}

/** Why a post has to wait in its queue. */
export interface PaceRefusal {
  readonly retryAfterMs: number;
  /** The wait is that of this chat: messages to other chats need not wait. */
  readonly isChatOnly: boolean;
}

/** An answer to a person, not sent yet. */
export interface PacedAnswer {
  readonly chat: string;
  /** Answers are sent in this order, the lowest first. */
  readonly order: number;
  /** False: an edit. */
  readonly isNew: boolean;
}

/** A message that waits for its time. */
export interface Waiting extends PacedAnswer {
  readonly since: EpochMs;
  start(): void;
  refuse(refusal: PaceRefusal): void;
}

/** The first message that may be sent now, or else the one that may be sent first. None before `from`. */
export function earliest(
  queue: readonly Waiting[],
  { from, now, chatFreeAt }: { from: EpochMs; now: EpochMs; chatFreeAt: (waiting: Waiting) => EpochMs },
): { readonly waiting: Waiting; readonly at: EpochMs } | null {
  let first: { readonly waiting: Waiting; readonly at: EpochMs } | null = null;
  for (const waiting of queue) {
    const at = Math.max(from, waiting.since, chatFreeAt(waiting));
    if (first === null || at < first.at) first = { waiting, at };
    if (at <= Math.max(from, now)) break;
  }
  return first;
}
