import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { golden } from '../support/market/golden.ts';
import { tapeOf } from '../support/market/market-tape.ts';
import { marketSettings } from '../support/market/start-market.ts';
import { watchMarket } from '../support/market/watched-market.ts';
import { type Asked, startSmallMarket } from '../support/polymarket/small-market.ts';

const KNOWN = golden('data-v2-user-stats').data.proxy_wallet;

/** The captured page without a cursor, and with the market of Protocol V2 on it; none of them is closed. */
function keysetPage(query: URLSearchParams) {
  const { next_cursor: _, markets, ...page } = golden('gamma-markets-keyset');
  const all = [...markets, golden('gamma-market-v2')];
  return { ...page, markets: query.get('closed') === 'true' ? [] : all };
}

/** Each route has its captured answer, whatever else it is asked for. */
function answerTo({ path, query }: Asked, response: ServerResponse): unknown {
  const isKnown = [null, KNOWN].includes(query.get('user') ?? query.get('address'));
  const isLater = query.has('cursor') || query.has('user');
  const answers: Readonly<Record<string, string>> = {
    '/v2/trades': isLater ? 'data-v2-trades-none' : 'data-v2-trades',
    '/v2/user-stats': isKnown ? 'data-v2-user-stats' : 'data-v2-user-stats-unknown',
    '/v2/activity': isKnown ? 'data-v2-activity' : 'data-v2-trades-none',
    '/public-profile': 'gamma-public-profile',
    '/v2/resolutions': 'data-v2-resolutions-resolved',
    '/v2/status': 'data-v2-status',
  };
  if (path === '/markets/keyset') return keysetPage(query);
  const name = answers[path];
  return name === undefined ? void response.writeHead(404).end() : golden(name);
}

test('of the captured answers alone the service makes an alert, described, and resolves it', async () => {
  const { data: rows } = golden('data-v2-trades');
  const market = await startSmallMarket(answerTo);
  onTestFinished(market.close);
  const [row] = rows;
  // Some seconds after its trades; no stream is answered.
  const settings = () => marketSettings(new URL(market.url).host);
  const { pass, alerts, judged } = await watchMarket(tapeOf([]), (row.timestamp + 8) * 1_000, { settings });
  for (let tries = 0; tries < 60 && (await alerts()).length === 0; tries++) await pass(1_000);
  for (let tries = 0; tries < 60 && (await alerts())[0]?.resolution === null; tries++) await pass(10_000);

  expect(await alerts()).toMatchObject([
    {
      ...{ type: 'fresh', wallet: row.proxy_wallet, marketId: row.condition_id, eventTitle: row.title },
      ...{ outcome: 'Yes', category: 'politics', tradedAt: row.timestamp * 1_000 },
      resolution: { payout: 1, won: true },
    },
  ]);
  const hashes = rows.map(({ transaction_hash: hash }: { transaction_hash: string }) => hash);
  expect((await judged()).toSorted()).toEqual(hashes.toSorted());
});
