import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { marketSettings } from '../support/market/start-market.ts';
import { golden, goldenText } from './golden.ts';

/** A market that has the captured answers and nothing else, dated by this clock: each is answered whatever else is asked for. */
export async function startGoldenMarket(
  clock: Pick<Clock, 'now'>,
): Promise<{ readonly settings: Readonly<Record<string, string>> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const text = answerTo(pathname, searchParams);
    const headers = { 'content-type': 'application/json', date: new Date(clock.now()).toUTCString() };
    response.writeHead(text === null ? 404 : 200, headers);
    response.end(text ?? '{"error":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // No stream is answered.
  return { settings: marketSettings(host) };
}

function answerTo(path: string, query: URLSearchParams): string | null {
  const user = query.get('user') ?? query.get('address') ?? golden('data-v2-user-stats').data.proxy_wallet;
  const isKnown = user === golden('data-v2-user-stats').data.proxy_wallet;
  switch (path) {
    case '/v2/trades':
      return goldenText(query.has('cursor') || query.has('user') ? 'data-v2-trades-none' : 'data-v2-trades');
    case '/v2/user-stats':
      return goldenText(isKnown ? 'data-v2-user-stats' : 'data-v2-user-stats-unknown');
    case '/v2/activity':
      return goldenText(isKnown ? 'data-v2-activity' : 'data-v2-trades-none');
    case '/public-profile':
      return isKnown ? goldenText('gamma-public-profile') : null;
    case '/v2/resolutions':
      return goldenText('data-v2-resolutions-resolved');
    case '/v2/status':
      return goldenText('data-v2-status');
    case '/markets/keyset':
      return keysetPage(query);
    default:
      return null;
  }
}

/** The captured page without a cursor, and with the market of Protocol V2 on it; none of them is closed. */
function keysetPage(query: URLSearchParams): string {
  const { next_cursor: _, markets, ...page } = golden('gamma-markets-keyset');
  const all = [...markets, golden('gamma-market-v2')];
  return JSON.stringify({ ...page, markets: query.get('closed') === 'true' ? [] : all });
}
