import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { autoRetry } from '@grammyjs/auto-retry';
import { Api, type ApiClientOptions, type Transformer } from 'grammy';

/** How long things may take. */
export const TELEGRAM_TIMES = {
  /** One try of a call; that of a poll is so much longer than `pollSeconds`. */
  attemptMs: 10_000,
  /** An answer to a person, with all its tries. */
  answerMs: 45_000,
  pollSeconds: 30,
  /** What is in hand at the end. */
  closeMs: 5_000,
};
export type TelegramTimes = typeof TELEGRAM_TIMES;

/** How one bot speaks to Telegram. */
export interface TelegramLink {
  readonly token: string;
  readonly times: TelegramTimes;
  /** Tries each call once. */
  readonly api: Api;
  readonly client: ApiClientOptions;
  /** For calls that answer a person: tries again what Telegram puts off, and what it or the network failed. */
  readonly retryLimits: readonly Transformer[];
  /** Ends every call under way and its connections. */
  close(): void;
}

type ApiSignal = NonNullable<Parameters<Transformer>[3]>;

const SOCKETS = 64;

export function createTelegramLink(options: {
  readonly token: string;
  readonly apiRoot: string;
  readonly times?: Partial<TelegramTimes>;
}): TelegramLink {
  const { token, apiRoot } = options;
  const times = { ...TELEGRAM_TIMES, ...options.times };
  const Agent = apiRoot.startsWith('https:') ? HttpsAgent : HttpAgent;
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS });
  const closing = new AbortController();
  const client: ApiClientOptions = { apiRoot, baseFetchConfig: { agent, compress: true } };
  const attempt: Transformer = (prev, method, payload, signal) => {
    const ms = times.attemptMs + (method === 'getUpdates' ? times.pollSeconds * 1_000 : 0);
    return limited(ms, [closing.signal, signal], (limit) => prev(method, payload, limit));
  };
  const api = new Api(token, client);
  api.config.use(attempt);
  return {
    token,
    times,
    api,
    client,
    // From the inside out. auto-retry has no end of its own for network errors: the outermost sets it.
    retryLimits: [
      attempt,
      autoRetry({ maxRetryAttempts: 3, maxDelaySeconds: 30 }),
      (prev, method, payload, signal) =>
        limited(times.answerMs, [closing.signal, signal], (limit) => prev(method, payload, limit)),
    ],
    close() {
      closing.abort();
      agent.destroy();
    },
  };
}

/** Runs with a signal that aborts after so long, or with one of the signals. Leaves neither timer nor listener. */
async function limited<Answer>(
  ms: number,
  signals: readonly (AbortSignal | ApiSignal | undefined)[],
  run: (signal: ApiSignal) => Promise<Answer>,
): Promise<Answer> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, ms);
  const given = signals.filter((signal) => signal !== undefined) as AbortSignal[];
  for (const signal of given) signal.addEventListener('abort', abort);
  if (given.some(({ aborted }) => aborted)) abort();
  try {
    return await run(limit.signal as ApiSignal);
  } finally {
    clearTimeout(timer);
    for (const signal of given) signal.removeEventListener('abort', abort);
  }
}
