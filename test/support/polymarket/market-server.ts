import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { MarketClient } from '../../../src/infra/polymarket/client/market-client.ts';
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
  /** The shape of the listings, and how many markets they hold at once. */
  shape: 'markets' | 'data' | 'list';
  pageSize: number;
}

/** The three routes that markets and their outcomes are read from, as documented, on a free port. */
export async function startMarketServer(): Promise<MarketServer> {
  const state: Omit<MarketServer, 'client'> = {
    requests: [],
    markets: [],
    resolutions: [],
    failing: new Map(),
    shape: 'markets',
    pageSize: 100,
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://market');
    state.requests.push(url);
    const status = state.failing.get(url.pathname) ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? answer(state, url) : { error: 'refused' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { client: thinClient(base) });
}

function answer(state: Omit<MarketServer, 'client'>, { pathname, searchParams }: URL): unknown {
  if (pathname === '/v2/resolutions') {
    const asked = searchParams.get('condition')?.split(',') ?? [];
    return { data: state.resolutions.filter(({ condition_id }) => asked.includes(String(condition_id))) };
  }
  const asked = searchParams.getAll('condition_ids');
  const closed = searchParams.get('closed') === 'true';
  const found = state.markets.filter(
    (market) =>
      asked.includes(String(market['conditionId']).toLowerCase()) && (market['closed'] === true) === closed,
  );
  const from = Number(searchParams.get('after_cursor') ?? 0);
  const rows = found.slice(from, from + state.pageSize);
  const next = from + state.pageSize < found.length ? { next_cursor: String(from + state.pageSize) } : {};
  if (state.shape === 'list') return rows;
  return { [state.shape]: rows, ...next };
}
