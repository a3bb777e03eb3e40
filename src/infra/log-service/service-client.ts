import { createGunzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import { escapeControls } from '../../core/base/text/escape.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { MINUTE_MS } from '../../core/base/time/duration.ts';
import { UserError } from '../../core/base/user-error.ts';
import { createAgent } from '../outgoing/agent.ts';
import { answerText, GarbledAnswer, retryAfterMs } from '../outgoing/answer-text.ts';
import { PRODUCT } from '../outgoing/user-agent.ts';

const TIMEOUT_MS = 30_000;
/** For a whole answer. The service itself ends a download after 10 minutes. */
const LONGEST_ANSWER_MS = 15 * MINUTE_MS;
/** 500 entries are about 1 MB. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_DETAIL_BYTES = 10_000;
/** Attempts at an answer that is a 429 or 503, or that does not come. */
const MAX_ATTEMPTS = 5;
/** Before the second attempt; twice and three times as long before the next ones, unless `Retry-After` says otherwise. */
const WAIT_MS = 2_000;
/** Longer rate-limit windows are cut to this. */
const LONGEST_WINDOW_S = 120;

interface ServiceClientOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly clock: Clock;
  readonly longestMs?: number;
}

/** Reads from a Tipoff service, one request at a time, within its rate limit. Redirects are not followed: they may lead to another service. */
export class ServiceClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #longestMs: number;
  readonly #agent = createAgent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  #waitMs = 0;

  constructor({ baseUrl, key, clock, longestMs = LONGEST_ANSWER_MS }: ServiceClientOptions) {
    this.#longestMs = longestMs;
    this.#baseUrl = baseUrl;
    this.#clock = clock;
    this.#headers = {
      'accept-encoding': 'gzip',
      'user-agent': PRODUCT,
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
  }

  /** The JSON of an answer; null for a 404. Throws a `ServiceFault`, and a `UserError` where the key is refused. */
  async json(path: string): Promise<unknown> {
    const answer = await this.#get(path);
    if (answer === null) return null;
    try {
      return JSON.parse(await answerText(answer, MAX_BYTES)) as unknown;
    } catch (error) {
      if (error instanceof GarbledAnswer && error.isTooLong)
        throw new ServiceFault(`${path}: the answer is ${error.message}`);
      const what = error instanceof SyntaxError ? 'the answer is not JSON' : 'the answer broke off';
      throw new ServiceFault(`${path}: ${what} (${messageOf(error)})`);
    }
  }

  /** The bytes of an answer as they come; null for a 404. Throws as `json` does. */
  async bytes(path: string): Promise<AsyncIterable<Buffer> | null> {
    const answer = await this.#get(path);
    if (answer === null) return null;
    const isZipped = answer.headers['content-encoding'] === 'gzip';
    return unbroken(path, isZipped ? answer.body.compose(createGunzip()) : answer.body);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #get(path: string): Promise<Dispatcher.ResponseData | null> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(path);
      if (answer instanceof ServiceFault) {
        if (attempt === MAX_ATTEMPTS) throw answer;
        await this.#clock.sleep(WAIT_MS * attempt);
        continue;
      }
      const { statusCode, headers } = answer;
      this.#noteLimit(headers);
      if (statusCode === 200) return answer;
      const detail = await detailOf(answer);
      if (statusCode === 404) return null;
      const isBusy = statusCode === 429 || statusCode === 503;
      if (!isBusy || attempt === MAX_ATTEMPTS) throw refusal(path, answer, detail);
      await this.#clock.sleep(retryAfterMs(headers['retry-after'], this.#clock.now()) ?? WAIT_MS * attempt);
    }
  }

  async #attempt(path: string): Promise<Dispatcher.ResponseData | ServiceFault> {
    if (this.#waitMs > 0) await this.#clock.sleep(this.#waitMs);
    this.#waitMs = 0;
    try {
      const signal = AbortSignal.timeout(this.#longestMs);
      const options = { dispatcher: this.#agent, headers: this.#headers, signal };
      return await request(`${this.#baseUrl}${path}`, options);
    } catch (error) {
      return new ServiceFault(`${this.#baseUrl}${path}: no answer (${messageOf(error)})`);
    }
  }

  /** When a window has no request left, the next request waits for the window's end, so that none is refused. */
  #noteLimit(headers: Dispatcher.ResponseData['headers']): void {
    const [left, reset] = [Number(headers['ratelimit-remaining'] ?? 1), Number(headers['ratelimit-reset'])];
    this.#waitMs = left > 0 || !(reset > 0) ? 0 : Math.min(reset, LONGEST_WINDOW_S) * 1_000;
  }
}

async function* unbroken(path: string, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new ServiceFault(`${path}: the answer broke off (${messageOf(error)})`);
  }
}

function refusal(
  path: string,
  { statusCode, headers }: Dispatcher.ResponseData,
  detail: string,
): ServiceFault | UserError {
  const { location } = headers;
  if (statusCode >= 300 && statusCode < 400)
    return new ServiceFault(
      `${path} is redirected to ${String(location)}, and redirects are not followed: use the address that the service itself answers at`,
    );
  const text = `${path} answered ${statusCode}${detail === '' ? '' : `: ${detail}`}`;
  if (statusCode === 401) return new UserError(`${escapeControls(text)}\nCheck --key or TIPOFF_API_KEY.`);
  return new ServiceFault(text);
}

async function detailOf(answer: Dispatcher.ResponseData): Promise<string> {
  try {
    const { detail } = JSON.parse(await answerText(answer, MAX_DETAIL_BYTES)) as { detail?: unknown };
    return typeof detail === 'string' ? detail : JSON.stringify(detail ?? '');
  } catch {
    return '';
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}

/** The service did not answer, or not as a Tipoff service does: nothing was proven either way. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}
