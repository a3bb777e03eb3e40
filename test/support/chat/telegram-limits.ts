import type { PaceLimits } from '../../../bots/telegram/pace-limits.ts';
import type { Answer } from './telegram-wire.ts';

const ANY = { most: 1_000, windowMs: 1 };

/** A bot with them sends without a wait, also while its clock stands still. */
export const UNLIMITED: PaceLimits = {
  ...{ total: ANY, answers: ANY, posts: ANY, postsBesideAnswers: ANY, chat: ANY, group: ANY },
  spacingMs: 0,
  catchUpMs: 0,
};

/** Limits of Telegram for messages (core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). */
const IN_ALL = 30;
const IN_CHAT = 1;
const IN_GROUP = 20;
const SECOND = 1_000;
const MINUTE = 60_000;

/** Methods that count as messages; edits count in all, but not in their chat. */
const METHODS: readonly string[] = ['sendMessage', 'editMessageText'];

/**
 * Refuses messages above the limits with a 429 (core.telegram.org/bots/api#responseparameters): more than 30 within a second
 * in all, more than one a second in a chat, more than 20 a minute in a group.
 */
export class TelegramLimits {
  readonly #now: () => number;
  readonly #sent: { readonly chat: string; readonly at: number; readonly isNew: boolean }[] = [];
  readonly #floodUntil = new Map<string, number>();
  /** Messages that were refused. */
  refusals = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Refuses every call for this chat for so long. */
  flood(chat: number | string, ms: number): void {
    this.#floodUntil.set(String(chat), this.#now() + ms);
  }

  /** Null: the call is within the limits, and counted. */
  check(method: string, payload: Readonly<Record<string, unknown>>): Answer | null {
    if (!METHODS.includes(method)) return null;
    const chat = String(payload['chat_id']);
    const isNew = method === 'sendMessage';
    const waitMs = this.#waitMs(chat, isNew);
    if (waitMs <= 0) {
      this.#sent.push({ chat, at: this.#now(), isNew });
      return null;
    }
    this.refusals += 1;
    const seconds = Math.ceil(waitMs / SECOND);
    return {
      code: 429,
      description: `Too Many Requests: retry after ${seconds}`,
      parameters: { retry_after: seconds },
    };
  }

  #waitMs(chat: string, isNew: boolean): number {
    const now = this.#now();
    const own = this.#sent.filter((message) => message.isNew && message.chat === chat);
    const waits = [(this.#floodUntil.get(chat) ?? now) - now, until(this.#sent, IN_ALL, SECOND, now)];
    if (isNew) waits.push(until(own, IN_CHAT, SECOND, now));
    if (isNew && chat.startsWith('-')) waits.push(until(own, IN_GROUP, MINUTE, now));
    return Math.max(...waits);
  }
}

/** Milliseconds until another message is within `most` in the window. */
function until(
  sent: readonly { readonly at: number }[],
  most: number,
  windowMs: number,
  now: number,
): number {
  const first = sent.at(-most);
  return first === undefined ? 0 : first.at + windowMs - now;
}
