import type { PaceLimits } from '../../../bots/telegram/pacer.ts';
import type { Answer } from './telegram-wire.ts';

const ANY = { most: 1_000, windowMs: 1 };

/** A bot with them sends without a wait, also while its clock stands still. */
export const UNLIMITED: PaceLimits = {
  ...{ total: ANY, answers: ANY, posts: ANY, postsBesideAnswers: ANY, chat: ANY, group: ANY },
  spacingMs: 0,
  catchUpMs: 0,
};

const SECOND = 1_000;
const MINUTE = 60_000;
/** Methods that make a message. */
const SENDS: ReadonlySet<string> = new Set(['sendMessage', 'sendPhoto', 'copyMessage', 'forwardMessage']);

/**
 * Limits of Telegram (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this): "avoid sending more than
 * one message per second" to a chat, where "we may allow short bursts that go over this limit, but eventually you'll
 * begin receiving 429 errors"; "not more than 30 messages per second or so"; "not more than 20 messages per minute to the
 * same group". The length of a burst is not published: here there is none unless it is given.
 */
const LIMITS = { inAll: 30, inGroup: 20, burst: 1 };

/** Refuses calls above the limits with a 429 and `retry_after` (core.telegram.org/bots/api#responseparameters). */
export class TelegramLimits {
  readonly #now: () => number;
  readonly #limits: typeof LIMITS;
  /** Times of calls that count in all, newest last. */
  #inAll: readonly number[] = [];
  readonly #inChat = new Map<string, readonly number[]>();
  readonly #floodUntil = new Map<string, number>();
  /** Calls that were refused. */
  refusals = 0;

  constructor(now: () => number, limits: Partial<typeof LIMITS> = {}) {
    this.#now = now;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Refuses every message to this chat for so long. */
  flood(chat: number | string, ms: number): void {
    this.#floodUntil.set(String(chat), this.#now() + ms);
  }

  /** Null: the call is within the limits, and counted. An edit counts in all, but not in its chat. */
  check(method: string, payload: Readonly<Record<string, unknown>>): Answer | null {
    const isSent = SENDS.has(method);
    if (!isSent && method !== 'editMessageText') return null;
    const chat = String(payload['chat_id']);
    const now = this.#now();
    const waitMs = this.#waitMs(chat, isSent, now);
    if (waitMs <= 0) {
      this.#inAll = [...this.#inAll, now].slice(-this.#limits.inAll);
      if (isSent) this.#inChat.set(chat, [...this.#sentTo(chat), now].slice(-this.#limits.inGroup));
      return null;
    }
    this.refusals += 1;
    const seconds = Math.ceil(waitMs / SECOND);
    const description = `Too Many Requests: retry after ${seconds}`;
    return { code: 429, description, parameters: { retry_after: seconds } };
  }

  #waitMs(chat: string, isSent: boolean, now: number): number {
    const { inAll, inGroup, burst } = this.#limits;
    const flood = (this.#floodUntil.get(chat) ?? now) - now;
    const waits = [flood, freeIn(this.#inAll, inAll, SECOND, now)];
    if (isSent) waits.push(freeIn(this.#sentTo(chat), burst, burst * SECOND, now));
    if (isSent && /^[-@]/.test(chat)) waits.push(freeIn(this.#sentTo(chat), inGroup, MINUTE, now));
    return Math.max(...waits);
  }

  #sentTo(chat: string): readonly number[] {
    return this.#inChat.get(chat) ?? [];
  }
}

/** Milliseconds until there are fewer than `most` within the window. */
function freeIn(sent: readonly number[], most: number, windowMs: number, now: number): number {
  const first = sent.at(-most);
  return first === undefined ? 0 : first + windowMs - now;
}
