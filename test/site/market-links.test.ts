import { expect, test } from 'vitest';
import { alertPost } from '../../bots/shared/posts/alert-post.ts';
import { marketSpan } from '../../bots/shared/posts/personal-alert.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { callMcp, connectMcp } from '../support/mcp-client.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { storeExits } from '../support/stored.ts';

const MARKET_ID = `0x${'5e'.repeat(32)}`;
const HARBOUR = { marketId: MARKET_ID, eventTitle: 'Will Harbour vote yes?', eventSlug: 'harbour-vote-yes' };
const UNKNOWN = 'https://polymarket.com/search?_q=Will%20Harbour%20vote%20yes%3F';
const KNOWN = 'https://polymarket.com/event/harbour-vote/harbour-vote-yes';
/** Addresses of the market's site that are no wallet's. */
const LINK = /https:\/\/polymarket\.com\/(?!profile\/)[^"<>)\s]*/g;

async function startWith(marketEvent: string | null) {
  const server = await startSite();
  await server.append(alertOf({ id: 1, ...HARBOUR, marketEvent, createdAt: START }));
  await storeExits(server.database, exitOf({ number: 1, ...HARBOUR, marketEvent, createdAt: START }));
  await server.clock.jump(2 * HOUR_MS);
  const { secret } = await server.issue({ tier: 'pro' });
  const agent = await connectMcp(server.baseUrl, { secret });
  /** By output, every address of the market in it. */
  async function links(): Promise<Readonly<Record<string, readonly string[]>>> {
    const alert = (await server.database.alerts.byId(1)) as Alert;
    const state = { postedAt: null, isUpdated: false, isWalletHidden: false, sameWallet: [], exit: null };
    const texts = {
      page: (await server.page('/alerts/1')).text,
      json: (await server.page('/alerts/1.json')).text,
      market: (await server.page('/markets/harbour-vote-yes')).text,
      atom: (await server.page('/feed.xml?events=alert,exit')).text,
      feed: (await server.page('/feed.json?events=alert,exit')).text,
      rest: (await server.get('/alerts/1', secret)).text,
      list: (await server.get('/alerts?expand=details', secret)).text,
      latest: (await server.get('/alerts/latest', secret)).text,
      report: (await server.get(`/markets/${MARKET_ID}`, secret)).text,
      mcp: JSON.stringify((await callMcp(agent, 'get_alert', { id: 1 })).told),
      post: JSON.stringify(alertPost(alert, state, { channel: null, profileUrl: null, siteUrl: null })),
      hot: JSON.stringify(
        (await server.database.alerts.hotMarkets({ since: 0 }, 1)).mostAlerts.map(marketSpan),
      ),
    };
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, [...new Set(text.match(LINK))]]),
    );
  }
  return { ...server, links };
}

const OUTPUTS = [
  'page',
  'json',
  'market',
  'atom',
  'feed',
  'rest',
  'list',
  'latest',
  'report',
  'mcp',
  'post',
  'hot',
];
const all = (address: string) => Object.fromEntries(OUTPUTS.map((name) => [name, [address]]));

test('every output leads to the market within its event', async () => {
  const { links } = await startWith('harbour-vote');
  expect(await links()).toEqual(all(KNOWN));
});

test('an event that is learned after the alert reaches every output; until then they lead to a search', async () => {
  const { links, database, clock } = await startWith(null);
  expect(await links()).toEqual(all(UNKNOWN));
  await database.markets.nameEvent(MARKET_ID, 'harbour-vote');
  // Pages are cached for a minute.
  await clock.jump(HOUR_MS);
  expect(await links()).toEqual(all(KNOWN));
});
