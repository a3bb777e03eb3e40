import { type Agent, type Dispatcher, request } from 'undici';
import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import { createAgent } from '../../../outgoing/agent.ts';
import { answerText, ENCODINGS, GarbledAnswer, retryAfterMs } from '../../../outgoing/answer-text.ts';
import { codeOf } from '../../../outgoing/attempt-failure.ts';
import { proxiedConnect } from '../../../outgoing/proxy.ts';
import { PRODUCT } from '../../../outgoing/user-agent.ts';
import {
  garbled,
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  type MarketUrls,
  type RequestPurpose,
  UpstreamFault,
  upstreamRoute,
} from './market-client.ts';
import type { RequestBudget } from './request-budget.ts';

const TIMEOUT_MS = 10_000;
/** The longest page, 10,000 trades, is about 8 MB. */
const MAX_BYTES = 32 * 1_048_576;
/** Pause after a 429 without a `Retry-After`. */
const LIMITED_MS = 2_000;
const HEADERS = { accept: 'application/json', 'accept-encoding': ENCODINGS, 'user-agent': PRODUCT };
/** Descriptions of markets change slowly. Everything else must be current. */
const MAY_BE_CACHED: ReadonlySet<RequestPurpose> = new Set(['markets']);

interface MarketClientOptions {
  readonly market: Pick<MarketUrls, 'dataUrl' | 'gammaUrl' | 'proxies'>;
  readonly budget: Pick<RequestBudget, 'take' | 'routes'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'upstreamAnswered' | 'upstreamReceived' | 'upstreamAged'>;
}

/** Over HTTP/1.1 with keep-alive. The budget bounds the number of connections. */
export class HttpMarketClient implements MarketClient {
  readonly #options: MarketClientOptions;
  readonly #agent: Agent;
  #requests = 0;
  #skewMs: number | null = null;

  constructor(options: MarketClientOptions) {
    this.#options = options;
    this.#agent = createAgent({ connect: proxiedConnect(options.market.proxies) });
  }

  get(asked: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    return this.#options.budget.routes.guard(asked, () => this.#send(asked, signal));
  }

  /** How far the market's clock is at least ahead of this host's, by the last answer, in milliseconds; null before one has a `Date`. */
  get skewMs(): number | null {
    return this.#skewMs;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #send(asked: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    const { budget, clock, metrics } = this.#options;
    const answered = await budget.take(asked, signal);
    const limit = { clock, timeoutMs: TIMEOUT_MS, timeoutError, signal };
    try {
      const answer = await withTimeout(limit, (within) => this.#attempt(asked, within));
      metrics.upstreamAnswered(upstreamRoute(asked), 'ok');
      return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const fault = faultOf(error, asked.path);
      metrics.upstreamAnswered(upstreamRoute(asked), fault.outcome);
      throw fault;
    } finally {
      answered();
    }
  }

  async #attempt(asked: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    const { clock, market, metrics } = this.#options;
    const sentAt = clock.now();
    const url = `${market[`${asked.api}Url`]}${asked.path}${queryText(this.#uncached(asked))}`;
    const answer = await request(url, { dispatcher: this.#agent, headers: HEADERS, signal });
    const { statusCode: status } = answer;
    const freshness = this.#freshnessOf(asked, answer, sentAt);
    const onLength = (bytes: number) => metrics.upstreamReceived(upstreamRoute(asked), bytes);
    if (status === 200)
      return { body: JSON.parse(await answerText(answer, MAX_BYTES, onLength)), ...freshness };
    this.#pauseIfAsked(asked, answer);
    // The status is the answer: a body that breaks off changes nothing.
    await answer.body.dump().catch(() => {});
    const outcome = status === 429 ? 'limited' : 'refused';
    throw new UpstreamFault(`${asked.path} answered ${status}`, { outcome, status });
  }

  /** The CDN in front of the Data API keeps an answer for 300 s by its URL, whatever the request's headers. */
  #uncached({ query, purpose }: MarketRequest): MarketRequest['query'] {
    this.#requests += 1;
    return MAY_BE_CACHED.has(purpose)
      ? query
      : { ...query, _: `${this.#options.clock.now()}.${this.#requests}` };
  }

  /** Of errors too: they show the market's time and their age in a cache as well. */
  #freshnessOf(asked: MarketRequest, { headers }: Dispatcher.ResponseData, sentAt: EpochMs) {
    const { clock, metrics } = this.#options;
    const ageMs = answerAgeMs(headers);
    metrics.upstreamAged(upstreamRoute(asked), ageMs);
    // The `Date` of an answer from a cache may be the time of now, or the time it was made.
    const date = ageMs === 0 ? Date.parse(String(headers['date'])) : Number.NaN;
    if (!Number.isNaN(date)) this.#skewMs = skewOf(date, sentAt, clock.now());
    const asOf = sentAt - ageMs;
    return { ageMs, asOf: Number.isNaN(date) ? asOf : Math.min(asOf, date + SECOND_MS) };
  }

  #pauseIfAsked(asked: MarketRequest, { statusCode, headers }: Dispatcher.ResponseData): void {
    if (statusCode !== 429 && statusCode !== 503) return;
    const { budget, clock } = this.#options;
    const waitMs = retryAfterMs(headers['retry-after'], clock.now());
    budget.routes.limit(asked, waitMs ?? (statusCode === 429 ? LIMITED_MS : 0));
  }
}

/** `Date` counts whole seconds, and the answer was made between sending and receiving: the least that agrees with both. */
function skewOf(date: EpochMs, sentAt: EpochMs, receivedAt: EpochMs): number {
  if (date > receivedAt) return date - receivedAt;
  return Math.min(date + SECOND_MS - sentAt, 0);
}

function timeoutError(): UpstreamFault {
  return new UpstreamFault(`no answer within ${TIMEOUT_MS} ms`, { outcome: 'timeout', status: null });
}

function faultOf(error: unknown, path: string): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  if (error instanceof SyntaxError) return garbled('no JSON');
  const { name = 'Error', message = '' } = error instanceof Error ? error : {};
  if (error instanceof GarbledAnswer) return garbled(message);
  if (name === 'HTTPParserError') return garbled(`${path}: ${message}`, null);
  return new UpstreamFault(`${path}: ${message}`, {
    outcome: 'unreachable',
    status: null,
    code: codeOf(error),
  });
}

function queryText(query: MarketRequest['query']): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** `max-age` of the CDN in front of the Data API, measured in September and October 2026: what it keeps is no older. */
const KEPT_MS = 5 * MINUTE_MS;
/** The longest age: RFC 9111 caps what overflows at 2^31 seconds. */
const MOST_S = 2 ** 31;

type Header = string | readonly string[] | undefined;

/**
 * How long an answer has been in a cache, in milliseconds: its `Age` (RFC 9111), the largest of several. Without one it
 * comes from the market itself (0), unless `X-Cache` names a hit: that, or an `Age` that cannot be read, is as old as
 * the cache keeps anything. `RefreshHit` is none: the cache asked the market. `Date` minus `Age` is the moment an answer
 * describes; as a span it needs no agreement of two clocks.
 */
function answerAgeMs(headers: { readonly age?: Header; readonly 'x-cache'?: Header }): number {
  const members = membersOf(headers.age);
  const ages = members.filter((member) => /^\d+$/.test(member));
  if (ages.length > 0) return Math.min(Math.max(...ages.map(Number)), MOST_S) * 1_000;
  const isCached =
    members.length > 0 || membersOf(headers['x-cache']).some((member) => /\bhit\b/i.test(member));
  return isCached ? KEPT_MS : 0;
}

function membersOf(header: Header): readonly string[] {
  if (header === undefined) return [];
  return [header]
    .flat()
    .join(',')
    .split(',')
    .map((member) => member.trim());
}
