import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { autoRetry } from '@grammyjs/auto-retry';
import { Api, type ApiClientOptions, type Transformer } from 'grammy';

/** Time limits. */
export const TELEGRAM_TIMES = {
  /** One attempt of a call; that of a poll is longer by `pollSeconds`. */
  attemptMs: 10_000,
  /** An answer to a person, with all attempts after failures; time in which Telegram accepts no answer is not counted. */
  answerMs: 45_000,
  pollSeconds: 30,
  /** Running updates at the end. */
  closeMs: 5_000,
};
export type TelegramTimes = typeof TELEGRAM_TIMES;

/** The type that grammY gives a signal. */
export type ApiSignal = NonNullable<Parameters<Transformer>[3]>;

const SOCKETS = 64;

/** The connection of one bot to Telegram. */
export class TelegramLink {
  readonly token: string;
  readonly times: TelegramTimes;
  /** Makes one attempt of each call. */
  readonly api: Api;
  readonly client: ApiClientOptions;
  /** Makes one attempt, within its time limit. */
  readonly attempt: Transformer;
  /** For calls that answer a person: retries failures of Telegram and the network, but no 429. */
  readonly retryFailures: Transformer;
  readonly #agent: HttpAgent;
  readonly #closing = new AbortController();

  constructor(options: {
    readonly token: string;
    readonly apiRoot: string;
    readonly times?: Partial<TelegramTimes>;
  }) {
    const { token, apiRoot } = options;
    this.token = token;
    this.times = { ...TELEGRAM_TIMES, ...options.times };
    const Agent = apiRoot.startsWith('https:') ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
    this.client = { apiRoot, baseFetchConfig: { agent: this.#agent, compress: true } };
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

  /** Aborts when the link is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Aborts every running call and closes the connections. */
  close(): void {
    this.#closing.abort();
    this.#agent.destroy();
  }

  /** Aborts with the caller's signal, after the time limit, and when the link is closed. */
  #limited(ms: number, signal: ApiSignal | undefined): ApiSignal {
    const callers = signal === undefined ? [] : [signal as AbortSignal];
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ms), ...callers]) as ApiSignal;
  }
}
