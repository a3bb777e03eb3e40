import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { MarketClient } from '../../../src/infra/market/polymarket/client/market-client.ts';
import { thinClient } from './thin-client.ts';

export interface MarketServer {
  /** Reaches the server over HTTP. */
  readonly client: MarketClient;
  readonly requests: URL[];
  /** Markets of Gamma, open and closed, and resolutions of the Data API. */
  markets: Record<string, unknown>[];
  resolutions: Record<string, unknown>[];
  /** Answers with this status instead, by path. */
  readonly failing: Map<string, number>;
  /** Ids that a request is refused for with 400, whatever else it asks for. */
  readonly badIds: Set<string>;
  /** By which width of a Protocol V2 market's id Gamma finds it. */
  gammaWidth: 'own' | 'padded';
  /** The number of markets of a page. */
  pageSize: number;
}

/** The three routes that markets and their outcomes are read from, as documented, on a free port. */
export async function startMarketServer(): Promise<MarketServer> {
  const state: Omit<MarketServer, 'client'> = {
    requests: [],
    markets: [],
    resolutions: [],
    failing: new Map(),
    badIds: new Set(),
    gammaWidth: 'own',
    pageSize: 100,
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://market');
    state.requests.push(url);
    const bad = badIdIn(state, url);
    const status = state.failing.get(url.pathname) ?? (bad === undefined ? 200 : 400);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? answer(state, url) : refusalOf(bad)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { client: thinClient(base) });
}

/** The Data API takes ids of 64 digits only. */
function badIdIn({ badIds }: Omit<MarketServer, 'client'>, { pathname, searchParams }: URL) {
  const asked = [
    ...searchParams.getAll('condition_ids'),
    ...searchParams.getAll('clob_token_ids'),
    ...(searchParams.get('condition')?.split(',') ?? []),
  ];
  const isOdd = (id: string) => pathname === '/v2/resolutions' && !/^0x[0-9a-f]{64}$/.test(id);
  return asked.find((id) => badIds.has(id) || isOdd(id));
}

/** As `/v2/resolutions` was seen to answer on 2026-10-05 for one id of 62 digits. */
function refusalOf(id = '') {
  return {
    error: `invalid resolution condition id: ${id}`,
    code: 'invalid_request',
    parameter: 'condition',
    retryable: false,
    trace_id: '561912ae6def4118ae57a3e7a86d92aa',
  };
}

function answer(state: Omit<MarketServer, 'client'>, { pathname, searchParams }: URL): unknown {
  if (pathname === '/v2/resolutions') {
    const asked = searchParams.get('condition')?.split(',') ?? [];
    return { data: state.resolutions.filter(({ condition_id }) => asked.includes(String(condition_id))) };
  }
  const asked = searchParams.getAll('condition_ids');
  const tokens = searchParams.getAll('clob_token_ids');
  const closed = searchParams.get('closed') === 'true';
  const keyOf = (market: Record<string, unknown>) => {
    const id = String(market['conditionId']).toLowerCase();
    return state.gammaWidth === 'padded' ? id.padEnd(66, '0') : id;
  };
  const found = state.markets.filter(
    (market) =>
      (asked.includes(keyOf(market)) || tokensOf(market).some((token) => tokens.includes(token))) &&
      (market['closed'] === true) === closed,
  );
  const from = Number(searchParams.get('after_cursor') ?? 0);
  const rows = found.slice(from, from + state.pageSize);
  const next = from + state.pageSize < found.length ? { next_cursor: String(from + state.pageSize) } : {};
  return { markets: rows, ...next };
}

/** By what Gamma is assumed to find a market for `clob_token_ids`: not by the positions of Protocol V2. */
function tokensOf({ clobTokenIds }: Record<string, unknown>): readonly string[] {
  const ids = typeof clobTokenIds === 'string' ? JSON.parse(clobTokenIds) : clobTokenIds;
  return Array.isArray(ids) ? ids : [];
}
