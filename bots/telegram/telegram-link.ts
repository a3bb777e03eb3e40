import type { Agent } from 'node:http';
import { autoRetry } from '@grammyjs/auto-retry';
import { Api, type ApiClientOptions, type Transformer } from 'grammy';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { refusedWaitMs } from '../shared/chat-bot.ts';
import type { Pacer } from './pacer.ts';

export const TELEGRAM_TIMES = {
  /** One attempt of a call; that of a poll is longer by `pollSeconds`. */
  attemptMs: 10_000,
  /** An answer to a person, with all attempts after failures; time in which Telegram accepts no answer is not counted. */
  answerMs: 45_000,
  pollSeconds: 30,
  closeMs: 5_000,
};
export type TelegramTimes = typeof TELEGRAM_TIMES;

/** The type that grammY gives a signal. */
export type ApiSignal = NonNullable<Parameters<Transformer>[3]>;

export class TelegramLink {
  readonly token: string;
  readonly times: TelegramTimes;
  readonly api: Api;
  readonly client: ApiClientOptions;
  readonly attempt: Transformer;
  /** For calls that answer a person: retries failures of Telegram and the network, but no 429. */
  readonly retryFailures: Transformer;
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
    const { attemptMs, answerMs, pollSeconds } = this.times;
    this.attempt = (prev, method, payload, signal) => {
      const limitMs = attemptMs + (method === 'getUpdates' ? pollSeconds * 1_000 : 0);
      return prev(method, payload, this.#limited(limitMs, signal));
    };
    this.api = new Api(token, this.client);
    this.api.config.use(this.attempt);
    const retry = autoRetry({ maxRetryAttempts: 3, maxDelaySeconds: 0 });
    // auto-retry repeats network errors without a limit of its own.
    this.retryFailures = (prev, method, payload, signal) =>
      retry(prev, method, payload, this.#limited(answerMs, signal));
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }

  #limited(ms: number, signal: ApiSignal | undefined): ApiSignal {
    const callers = signal === undefined ? [] : [signal as AbortSignal];
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ms), ...callers]) as ApiSignal;
  }
}

interface PacedAnswersOptions {
  readonly link: TelegramLink;
  readonly pacer: Pacer;
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * For the calls that answer one update: each waits for its place in the order of the updates. A 429 is waited for and
 * keeps that place, however long it lasts, and so is a refused token: Telegram does not give the update again. Other failures
 * are retried as the link says, and every attempt is paced. Other calls than messages and edits wait only after a 429.
 */
export function pacedAnswers({ link, pacer, clock }: PacedAnswersOptions, order: number): Transformer {
  return async (prev, method, payload, signal) => {
    const isNew = method === 'sendMessage';
    const isMessage = isNew || method === 'editMessageText';
    const chat = String((payload as { readonly chat_id?: number | string }).chat_id ?? '');
    const ended =
      signal === undefined ? link.closing : AbortSignal.any([link.closing, signal as AbortSignal]);
    const waitForSlot = () => pacer.answer({ chat, order, isNew }, ended);

    for (let refusals = 0; ; refusals += 1) {
      // The first attempt waits here, outside the time limit of the retries.
      if (isMessage || refusals > 0) await waitForSlot();
      let attempts = 0;
      const attempt: typeof prev = async (...call) => {
        attempts += 1;
        if (isMessage && attempts > 1) await waitForSlot();
        return prev(...call);
      };
      const answer = await link.retryFailures(attempt, method, payload, signal);
      if (answer.ok || ended.aborted) return answer;
      if (answer.error_code === 401) await clock.sleep(refusedWaitMs(refusals + 1), ended);
      else if (answer.error_code === 429) pacer.refused(chat, (answer.parameters?.retry_after ?? 1) * 1_000);
      else return answer;
    }
  };
}
