import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { type Answer, BadQuery, isGamma, type Route, type RouteDeps, refusal } from './answer.ts';
import { Cdn } from './cdn.ts';
import { DATA_V2 } from './data-v2.ts';
import { createFaults, type FaultScript, type Faults, NO_FAULTS } from './faults.ts';
import { GAMMA } from './gamma.ts';
import { IMMEDIATE, type MarketProfile } from './market-profile.ts';
import { MarketStreams } from './market-streams.ts';
import type { MarketTape } from './market-tape.ts';
import { createMarketView } from './market-view.ts';
import { RateLimits } from './rate-limits.ts';

const ROUTES: Readonly<Record<string, Route>> = { ...DATA_V2, ...GAMMA };
const IS_FACTS = /^\/(v2\/user-stats|v2\/activity|public-profile)$/;

export interface MarketOptions {
  readonly tape: MarketTape;
  /** Trades exist once it has reached their time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly faults?: FaultScript;
  readonly profile?: Partial<MarketProfile>;
  readonly tamper?: Tampering;
  /** 0, the default: any free one. */
  readonly port?: number;
}

/** An answer on its way; a tamper changes it in place. */
export interface PassingAnswer {
  readonly path: string;
  readonly query: URLSearchParams;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test changes whatever was answered
  body: any;
}

export interface Tampering {
  readonly answer?: (answer: PassingAnswer) => void;
}

/** The live market, as far as its public interfaces show it, on this machine. */
export type MarketStandIn = Awaited<ReturnType<typeof startMarket>>;

export async function startMarket({
  tape,
  clock,
  faults: script = NO_FAULTS,
  profile: given = {},
  tamper = {},
  port = 0,
}: MarketOptions) {
  const profile: MarketProfile = { ...IMMEDIATE, ...given };
  const marketClock = { now: () => clock.now() + profile.skewMs };
  const faults = createFaults(script, marketClock);
  const view = createMarketView(tape, { clock: marketClock, faults, profile });
  const deps: RouteDeps = { view, faults, profile };
  const requests = new RateLimits(marketClock, { isEnforced: profile.hasLimits });
  const streams = new MarketStreams(deps);
  const cdn = new Cdn(marketClock, profile.cdn);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://host');
    const { pathname, searchParams } = url;
    const waitSeconds = requests.note(pathname);
    const spoilt =
      waitSeconds === null ? spoil(pathname, searchParams, faults) : refusal(pathname, 429, { waitSeconds });
    if (spoilt === 'hang') return;
    if (spoilt === 'reset') return void request.socket.resetAndDestroy();
    const given = spoilt ?? cdn.answer(url, () => answer(request, url, deps));
    write(response, tampered(url, given, tamper), { faults, now: marketClock.now() });
  });
  // The real ones close a kept connection too; a test's client is never to meet that by chance.
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', (request, socket, head) => streams.upgrade(request, socket, head));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    settings: marketSettings(host),
    url: `http://${host}`,
    view,
    faults,
    requests,
    streams,
    largestShare: () => requests.largestShare(),
    async close() {
      streams.close();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
}

function tampered({ pathname: path, searchParams: query }: URL, sent: Answer, { answer }: Tampering): Answer {
  if (answer === undefined) return sent;
  const passing = { path, query, ...structuredClone(sent) };
  answer(passing);
  return passing;
}

/** What comes instead of an answer; null: the answer. */
function spoil(path: string, query: URLSearchParams, faults: Faults): Answer | 'hang' | 'reset' | null {
  if (faults.strikes('hang', path)) return 'hang';
  if (faults.strikes('reset', path)) return 'reset';
  const isFacts = IS_FACTS.test(path) || (path === '/v2/trades' && query.has('user'));
  if (isFacts && faults.strikes('facts-down', path)) return refusal(path, 503);
  if (isGamma(path) && faults.strikes('gamma-down', path)) return refusal(path, 502);
  for (const kind of ['302', '403', '404', '408', '410', '429', '451', '500', '502', '503'] as const)
    if (faults.strikes(kind, path))
      return refusal(path, Number(kind), { waitSeconds: faults.waitSeconds(kind) });
  if (!faults.strikes('html', path)) return null;
  const headers = { 'content-type': 'text/html' };
  return { status: 200, body: '<!doctype html><title>Just a moment...</title>', headers };
}

function answer({ method }: IncomingMessage, { pathname, searchParams }: URL, deps: RouteDeps): Answer {
  const route = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
  if (route === undefined) return refusal(pathname, 404);
  if (method !== 'GET') return refusal(pathname, 405);
  try {
    return route(searchParams, deps);
  } catch (error) {
    if (error instanceof BadQuery) return refusal(pathname, isGamma(pathname) ? 422 : 400, { cause: error });
    throw error;
  }
}

function write(
  response: ServerResponse,
  { status, body, headers }: Answer,
  { faults, now }: { faults: Faults; now: EpochMs },
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isCut = status === 200 && faults.strikes('truncated');
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-trace-id': 'stand-in',
    date: new Date(now).toUTCString(),
    ...headers,
  });
  response.end(isCut ? text.slice(0, Math.floor(text.length / 2)) : text);
}

/** The settings with which a service takes what listens at this host and port for the market, streams included. */
export function marketSettings(host: string) {
  return {
    POLYMARKET_DATA_URL: `http://${host}`,
    POLYMARKET_GAMMA_URL: `http://${host}`,
    POLYMARKET_STREAM_URL: `ws://${host}`,
    POLYMARKET_CLOB_URL: `ws://${host}`,
    POLYGON_RPC_URL: 'off',
  };
}
