import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../../../core/clock.ts';
import { SECOND_MS } from '../../../core/duration.ts';
import type { Metrics, UpstreamApi } from '../../../core/metrics/metrics.ts';
import type { EpochMs } from '../../../core/trade.ts';
import { PRODUCT } from '../../webhooks/user-agent.ts';
import { answerAgeMs } from './answer-age.ts';
import { bytesOf, textOf } from './answer-body.ts';
import {
  type MarketAnswer,
  type MarketClient,
  type MarketRequest,
  type RequestPurpose,
  UpstreamFault,
} from './market-client.ts';
import type { MarketClock } from './market-clock.ts';
import type { RequestBudget } from './request-budget.ts';
import { retryAfterMs } from './retry-after.ts';
import { upstreamRoute } from './upstream-routes.ts';

const TIMEOUT_MS = 10_000;
/** The longest page, 10,000 trades, is about 8 MB. */
const MOST_BYTES = 32 * 1_048_576;
/** For so long nothing is asked after a 429 that does not say for how long. */
const LIMITED_MS = 2_000;
const HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': PRODUCT };
/** Descriptions of markets change slowly. All else must be as the market has it now. */
const MAY_BE_CACHED: ReadonlySet<RequestPurpose> = new Set(['markets']);

/** What the client needs. Addresses have no slash at their end. */
export interface MarketClientDeps {
  readonly dataUrl: string;
  readonly gammaUrl: string;
  readonly budget: RequestBudget;
  /** The host's. */
  readonly clock: Clock;
  /** Learns the market's time from the answers. */
  readonly marketClock: Pick<MarketClock, 'now' | 'observe' | 'fromHost'>;
  readonly metrics: Pick<Metrics, 'upstreamAnswered' | 'upstreamAged'>;
}

/** Over HTTP/1.1 with connections that are kept. How many there are is bounded by the budget. */
export function createMarketClient({
  dataUrl,
  gammaUrl,
  budget,
  clock,
  marketClock,
  metrics,
}: MarketClientDeps): MarketClient {
  const urls: Record<UpstreamApi, string> = { data: dataUrl, gamma: gammaUrl };
  // Time limits are the clock's.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false });

  let requests = 0;

  /** The CDN in front of the Data API keeps an answer for 300 s by its URL, and heeds no header of a request. */
  function uncached({ query, purpose }: MarketRequest): MarketRequest['query'] {
    requests += 1;
    return MAY_BE_CACHED.has(purpose) ? query : { ...query, _: `${clock.now()}.${requests}` };
  }

  async function attempt(asked: MarketRequest, signal: AbortSignal): Promise<MarketAnswer> {
    const sentAt = clock.now();
    const answer = await request(`${urls[asked.api]}${asked.path}${queryText(uncached(asked))}`, {
      dispatcher: agent,
      headers: HEADERS,
      signal,
    });
    // One that comes after the reading was given up has nobody else to hear it.
    answer.body.on('error', () => {});
    const fresh = freshnessOf(asked, answer, sentAt);
    if (answer.statusCode === 200) return { body: await parsed(answer), ...fresh };
    pauseIfAsked(asked.api, answer);
    await answer.body.dump().catch(() => {});
    const outcome = answer.statusCode === 429 ? 'limited' : 'refused';
    throw new UpstreamFault(`${asked.path} answered ${answer.statusCode}`, {
      outcome,
      status: answer.statusCode,
    });
  }

  /** Of errors too: they tell as well what time the market has, and what a cache keeps. */
  function freshnessOf(asked: MarketRequest, { headers }: Dispatcher.ResponseData, sentAt: EpochMs) {
    const ageMs = answerAgeMs(headers);
    metrics.upstreamAged(upstreamRoute(asked), ageMs);
    // The `Date` of what comes from a cache may be that of now, or of when it was made.
    const date = ageMs === 0 ? Date.parse(String(headers['date'])) : Number.NaN;
    marketClock.observe({ date, sentAt, receivedAt: clock.now() });
    const asOf = marketClock.fromHost(sentAt) - ageMs;
    const cache = headers['x-cache'];
    return {
      ageMs,
      asOf: Number.isNaN(date) ? asOf : Math.min(asOf, date + SECOND_MS),
      ...(cache !== undefined && { cache: String(cache) }),
    };
  }

  function pauseIfAsked(api: UpstreamApi, { statusCode, headers }: Dispatcher.ResponseData): void {
    if (statusCode !== 429 && statusCode !== 503) return;
    const asked = retryAfterMs(headers['retry-after'], marketClock.now());
    const wait = asked ?? (statusCode === 429 ? LIMITED_MS : 0);
    if (wait > 0) budget.pause(api, clock.now() + wait);
  }

  return {
    async get(asked, signal) {
      const answered = await budget.take(asked, signal);
      try {
        const value = await withinTime(clock, signal, (within) => attempt(asked, within));
        metrics.upstreamAnswered(upstreamRoute(asked), 'ok');
        return value;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const fault = faultOf(error, asked.path);
        metrics.upstreamAnswered(upstreamRoute(asked), fault.outcome);
        throw fault;
      } finally {
        answered();
      }
    },
    close: () => agent.destroy(),
  };
}

/** Rejects with a fault when the time is over; with whatever comes of the abort when the signal aborts. */
async function withinTime<Answer>(
  clock: Clock,
  signal: AbortSignal,
  run: (within: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const isDone = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = clock.sleep(TIMEOUT_MS, isDone.signal).then(stop);
  try {
    return await run(over.signal);
  } catch (error) {
    if (!over.signal.aborted || signal.aborted) throw error;
    throw new UpstreamFault(`no answer within ${TIMEOUT_MS} ms`, { outcome: 'timeout', status: null });
  } finally {
    isDone.abort();
    signal.removeEventListener('abort', stop);
    await timer;
  }
}

async function parsed(answer: Dispatcher.ResponseData): Promise<unknown> {
  const bytes = await bytesOf(answer, MOST_BYTES, () => garbled('more bytes than any page has'));
  try {
    return JSON.parse(await textOf(answer, bytes, MOST_BYTES));
  } catch (error) {
    throw garbled(error instanceof SyntaxError ? 'no JSON' : 'cannot be unzipped');
  }
}

function garbled(message: string): UpstreamFault {
  return new UpstreamFault(message, { outcome: 'garbled', status: 200 });
}

function faultOf(error: unknown, path: string): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const { name = 'Error', message = '' } = error instanceof Error ? error : {};
  const outcome = name === 'HTTPParserError' ? 'garbled' : 'unreachable';
  return new UpstreamFault(`${path}: ${message}`, { outcome, status: null });
}

/** A list repeats its parameter. */
function queryText(query: MarketRequest['query']): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
