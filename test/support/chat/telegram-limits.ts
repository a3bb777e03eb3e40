import type { PaceLimits } from '../../../bots/telegram/pacer.ts';
import { SlidingWindow } from '../../../src/core/base/time/sliding-window.ts';
import type { Answer } from './telegram-wire.ts';

const ANY = { most: 1_000, windowMs: 1 };

/** A bot with them sends without a wait, also while its clock stands still. */
export const UNLIMITED: PaceLimits = {
  ...{ total: ANY, answers: ANY, posts: ANY, postsBesideAnswers: ANY, chat: ANY, group: ANY },
  spacingMs: 0,
  catchUpMs: 0,
};

const ALL = { most: 30, windowMs: 1_000 };
const GROUP = { most: 20, windowMs: 60_000 };

/**
 * Refuses messages above the limits of Telegram with a 429 (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this):
 * "not more than 30 messages per second", "not more than 20 messages per minute to the same group", and "more than one
 * message per second" to a chat, where "short bursts" may go over it. The length of a burst is not published.
 */
export class TelegramLimits {
  readonly #now: () => number;
  readonly #burst: number;
  readonly #all = new SlidingWindow(ALL.most);
  readonly #chats = new Map<string, SlidingWindow>();

  constructor(now: () => number, { burst = 1 } = {}) {
    this.#now = now;
    this.#burst = burst;
  }

  /** Null: the call is within the limits, and counted. An edit counts in all, but not in its chat. */
  check(method: string, payload: Readonly<Record<string, unknown>>): Answer | null {
    const isNew = method === 'sendMessage';
    if (!isNew && method !== 'editMessageText') return null;
    const id = String(payload['chat_id']);
    const chat = this.#chats.get(id) ?? new SlidingWindow(Math.max(GROUP.most, this.#burst));
    this.#chats.set(id, chat);
    const freeAt = [this.#all.freeAt(ALL)];
    if (isNew) freeAt.push(chat.freeAt({ most: this.#burst, windowMs: this.#burst * 1_000 }));
    if (isNew && /^[-@]/.test(id)) freeAt.push(chat.freeAt(GROUP));
    const waitMs = Math.max(...freeAt) - this.#now();
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1_000));
    this.#all.add(this.#now());
    if (isNew) chat.add(this.#now());
    return null;
  }
}

function tooMany(seconds: number): Answer {
  const description = `Too Many Requests: retry after ${seconds}`;
  return { code: 429, description, parameters: { retry_after: seconds } };
}
