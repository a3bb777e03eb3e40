import type { Agent } from 'node:http';
import { Api, type ApiClientOptions, GrammyError, type Transformer } from 'grammy';
import { backoffMs, retry, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { refusedWaitMs } from '../shared/chat-bot.ts';
import { isFault, isFloodWait, isTokenError, requestedWaitMs } from './failures.ts';
import type { Pacer } from './pacer.ts';

export const TELEGRAM_TIMES = {
  /** One attempt of a call; that of a poll is longer by `pollSeconds`. */
  attemptMs: 10_000,
  pollSeconds: 30,
};
export type TelegramTimes = typeof TELEGRAM_TIMES;

const UNCHANGED = /message is not modified/i;

/** The type that grammY gives a signal. */
export type ApiSignal = NonNullable<Parameters<Transformer>[3]>;

export class TelegramLink {
  readonly token: string;
  readonly times: TelegramTimes;
  readonly api: Api;
  readonly client: ApiClientOptions;
  readonly #agent: Agent;
  readonly #closing = new AbortController();

  constructor(options: {
    readonly token: string;
    readonly apiRoot: string;
    /** Of the connections to `apiRoot`; closed with the link. */
    readonly agent: Agent;
    readonly times?: Partial<TelegramTimes>;
  }) {
    const { token, apiRoot, agent } = options;
    this.token = token;
    this.times = { ...TELEGRAM_TIMES, ...options.times };
    this.#agent = agent;
    this.client = { apiRoot, baseFetchConfig: { agent, compress: true } };
    this.api = new Api(token, this.client);
    this.api.config.use(this.attempt);
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Limits the time of a call, also by the end of the link. An edit that changes nothing is done. */
  readonly attempt: Transformer = async (prev, method, payload, signal) => {
    const { attemptMs, pollSeconds } = this.times;
    const limitMs = attemptMs + (method === 'getUpdates' ? pollSeconds * SECOND_MS : 0);
    const callers = signal === undefined ? [] : [signal as AbortSignal];
    const ended = AbortSignal.any([this.closing, AbortSignal.timeout(limitMs), ...callers]);
    const answer = await prev(method, payload, ended as ApiSignal);
    const isUnchanged = !answer.ok && UNCHANGED.test(answer.description);
    return isUnchanged ? { ok: true, result: true as never } : answer;
  };

  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }
}

const BACKOFF = { firstMs: 3 * SECOND_MS, mostMs: 12 * SECOND_MS };
/** Attempts that Telegram (5xx) or the network may fail. */
const ATTEMPTS = 4;

/**
 * For the calls that answer one update: each waits for its place in the order of the updates. A 429 is waited for and
 * keeps that place, however long it lasts, and so is a refused token: Telegram does not give the update again. Every attempt
 * is paced. Other calls than messages and edits wait only after a failure.
 */
export function pacedAnswers(link: TelegramLink, pacer: Pacer, clock: Clock): Transformer {
  const order = clock.now();
  return (prev, method, payload, signal) => {
    const isNew = method === 'sendMessage';
    const isMessage = isNew || method === 'editMessageText';
    const chat = String((payload as { readonly chat_id?: number | string }).chat_id ?? '');
    const ended =
      signal === undefined ? link.closing : AbortSignal.any([link.closing, signal as AbortSignal]);
    let attempts = 0;
    let faults = 0;
    const attempt = async () => {
      attempts += 1;
      if (isMessage || attempts > 1) await pacer.answer({ chat, order, isNew }, ended);
      const answer = await prev(method, payload, signal);
      if (answer.ok) return answer;
      const error = new GrammyError(`Call to '${method}' failed!`, answer, method, payload);
      if (isFloodWait(error)) pacer.refused(chat, Math.max(requestedWaitMs(error), SECOND_MS));
      throw error;
    };
    return retry(attempt, {
      clock,
      signal: ended,
      backoff: (error, failures) => {
        if (isTokenError(error)) return refusedWaitMs(failures);
        return isFloodWait(error) ? requestedWaitMs(error) : backoffMs(BACKOFF, faults, withoutJitter);
      },
      isFinal: (error) => {
        if (isFault(error)) faults += 1;
        return faults === ATTEMPTS || !(isFault(error) || isFloodWait(error) || isTokenError(error));
      },
    });
  };
}
