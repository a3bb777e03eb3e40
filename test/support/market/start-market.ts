import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../src/core/clock.ts';
import type { EpochMs } from '../../../src/core/trade.ts';
import { type Answer, BadQuery, queryOf, type Route } from './answer.ts';
import { type Cdn, type CdnMode, createCdn } from './cdn.ts';
import { DATA_V1 } from './data-v1.ts';
import { DATA_V2 } from './data-v2.ts';
import { createFaults, type FaultScript, type Faults, NO_FAULTS } from './faults.ts';
import { GAMMA } from './gamma.ts';
import { createMarketStreams, type MarketStreams } from './market-streams.ts';
import type { MarketTape } from './market-tape.ts';
import { createMarketView, type MarketView, TooSlow } from './market-view.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';

const ROUTES: Readonly<Record<string, Route>> = { ...DATA_V1, ...DATA_V2, ...GAMMA };
const IS_GAMMA = /^\/(markets|public-profile)/;
const IS_FACTS = /^\/(v2\/user-stats|public-profile|activity|traded)$/;

export interface MarketOptions {
  readonly tape: MarketTape;
  /** Trades exist once it has reached their time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly faults?: FaultScript;
  /** Of the CDN in front of the Data API; off by default. */
  readonly cdn?: CdnMode;
  /** 0, the default: any free one. */
  readonly port?: number;
}

/** The live market, as far as its public interfaces show it, on this machine. */
export interface MarketStandIn extends Pick<RequestLog, 'largestShare'> {
  /** The settings with which a service takes it for the market. */
  readonly settings: Readonly<Record<string, string>>;
  readonly url: string;
  /** Nothing after this exists, whatever the clock says. */
  revealUntil(time: EpochMs): void;
  readonly view: MarketView;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly streams: MarketStreams;
  readonly cdn: Cdn;
  close(): Promise<void>;
}

export async function startMarket({
  tape,
  clock,
  faults: script = NO_FAULTS,
  cdn: cdnMode = 'off',
  port = 0,
}: MarketOptions): Promise<MarketStandIn> {
  const faults = createFaults(script, clock);
  const view = createMarketView(tape, { clock, faults });
  const requests = createRequestLog(clock);
  const streams = createMarketStreams({ view, faults });
  const cdn = createCdn(clock, cdnMode);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host');
    const { pathname, searchParams } = url;
    requests.note(pathname);
    const spoilt = spoil(pathname, searchParams, faults);
    if (spoilt === 'hang') return;
    if (spoilt === 'reset') return void request.socket.resetAndDestroy();
    const make = () => answer(request, { pathname, searchParams, view, faults });
    write(response, spoilt ?? (IS_GAMMA.test(pathname) ? make() : cdn.answer(url, make)), faults);
  });
  // The real ones close a kept connection too; a test's client is never to meet that by chance.
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', streams.upgrade);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    settings: {
      POLYMARKET_DATA_URL: `http://${host}`,
      POLYMARKET_GAMMA_URL: `http://${host}`,
      POLYMARKET_STREAM_URL: `ws://${host}`,
      POLYMARKET_CLOB_URL: `ws://${host}`,
    },
    url: `http://${host}`,
    revealUntil: view.revealUntil,
    view,
    faults,
    requests,
    streams,
    cdn,
    largestShare: requests.largestShare,
    async close() {
      streams.close();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
}

/** What comes instead of an answer; null: the answer. */
function spoil(path: string, query: URLSearchParams, faults: Faults): Answer | 'hang' | 'reset' | null {
  if (faults.strikes('hang', path)) return 'hang';
  if (faults.strikes('reset', path)) return 'reset';
  const isFacts = IS_FACTS.test(path) || (path === '/v2/trades' && query.has('user'));
  if (isFacts && faults.strikes('facts-down', path)) return refusal(path, 503);
  if (IS_GAMMA.test(path) && faults.strikes('gamma-down', path)) return refusal(path, 502);
  for (const kind of ['408', '429', '500', '502', '503'] as const)
    if (faults.strikes(kind, path)) return refusal(path, Number(kind));
  if (!faults.strikes('html', path)) return null;
  const headers = { 'content-type': 'text/html' };
  return { status: 200, body: '<!doctype html><title>Just a moment...</title>', headers };
}

function answer(
  { method }: IncomingMessage,
  {
    pathname,
    searchParams,
    view,
    faults,
  }: { pathname: string; searchParams: URLSearchParams; view: MarketView; faults: Faults },
): Answer {
  const route = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
  if (route === undefined) return refusal(pathname, 404);
  if (method !== 'GET') return refusal(pathname, 405);
  try {
    return route(queryOf(searchParams), { view, faults });
  } catch (error) {
    if (error instanceof BadQuery) return refusal(pathname, 400, error);
    if (error instanceof TooSlow) return refusal(pathname, 408);
    throw error;
  }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  429: 'rate_limited',
  500: 'internal',
  502: 'dependency_unavailable',
  503: 'dependency_unavailable',
};

/** Each API has its own shape. */
function refusal(path: string, status: number, cause?: BadQuery): Answer {
  const error = cause?.message ?? CODES[status] ?? 'error';
  const headers: Record<string, string> = status === 429 || status === 503 ? { 'retry-after': '2' } : {};
  if (IS_GAMMA.test(path)) return { status, body: { type: 'error', error }, headers };
  if (!path.startsWith('/v2/')) return { status, body: { error }, headers };
  const body = {
    error,
    code: CODES[status],
    retryable: status >= 429 || status === 408,
    trace_id: 'stand-in',
  };
  return { status, body: { ...body, ...(cause && { parameter: cause.parameter }) }, headers };
}

function write(response: ServerResponse, { status, body, headers }: Answer, faults: Faults): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isCut = status === 200 && faults.strikes('truncated');
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-trace-id': 'stand-in',
    ...headers,
  });
  response.end(isCut ? text.slice(0, Math.floor(text.length / 2)) : text);
}
