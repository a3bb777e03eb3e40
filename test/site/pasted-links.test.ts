import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { openConversationVisit } from '../support/chat/conversation-visit.ts';
import { callMcp, connectMcp } from '../support/mcp-client.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { storeAlerts } from '../support/stored.ts';

const WALLET = '0xa11ce0000000000000000000000000000000c0de';
const OTHER = '0xb0b0000000000000000000000000000000000b0b';
const MARKET_ID = `0x${'5e'.repeat(32)}`;
const SITE = 'https://polymarket.com';
const OURS = 'https://api.example.com';
const alerts = (at: number) => [
  alertOf({
    ...{ id: 1, wallet: WALLET, marketId: MARKET_ID, createdAt: at },
    ...{ eventTitle: 'Will Harbour vote yes?', eventSlug: 'harbour-vote-yes', marketEvent: 'harbour-vote' },
  }),
  alertOf({
    ...{ id: 2, wallet: OTHER, marketId: '0xm2', createdAt: at },
    ...{
      eventTitle: 'Will Harbour vote twice?',
      eventSlug: 'harbour-vote-twice',
      marketEvent: 'harbour-vote',
    },
  }),
  alertOf({
    ...{ id: 3, wallet: OTHER, marketId: '0xm3', createdAt: at },
    ...{ eventTitle: 'Arsenal against Chelsea?', eventSlug: 'epl-ars-che-ars', marketEvent: 'epl-ars-che' },
  }),
];

const MARKETS = [
  // From a public list of what is pasted; the second half was made up here.
  `${SITE}/zh-hant/event/harbour-vote/harbour-vote-yes`,
  `${SITE}/event/harbour-vote/harbour-vote-yes?tid=1757000000000#comments`,
  `${SITE}/market/harbour-vote-yes`,
  'HTTP://WWW.POLYMARKET.COM/EVENT/Harbour-Vote/Harbour-Vote-YES/',
  'polymarket.com/pt/event/harbour-vote/harbour-vote-yes?tab=activity',
  'www.polymarket.com/event/harbour-vote/harbour-vote-yes',
  'https://embed.polymarket.com/market.html?market=harbour-vote-yes&theme=dark',
  `${OURS}/markets/harbour-vote-yes?before_id=9`,
  `<${SITE}/event/harbour-vote/harbour-vote-yes>`,
  `[Will Harbour vote yes?](${SITE}/event/harbour-vote/harbour-vote-yes)`,
  'harbour-vote-yes',
  MARKET_ID,
];
const WALLETS = [
  `${SITE}/@${WALLET}`,
  `${SITE}/@${WALLET}-1766730765984`,
  `${WALLET}-1766730765984`,
  `https://polygonscan.com/address/${WALLET}`,
  `${SITE}/profile/${WALLET}?tab=positions`,
  `${SITE}/de/@${WALLET.toUpperCase().replace('0X', '0x')}-1766730765984?via=share`,
  `polygonscan.com/address/${WALLET}#tokentxns`,
  `https://polygonscan.com/token/0x2791bca1f2de4661ed88a30c99a7a9449aa84174?a=${WALLET}`,
  `@${WALLET}`,
  '0xa11c…c0de',
  '0xA11C...C0DE',
  `${OURS}/wallets/${WALLET}`,
  `${OURS}/search?search=0xa11c%E2%80%A6c0de`,
];
const EVENTS = [
  `${SITE}/event/harbour-vote`,
  `${SITE}/fr/event/Harbour-Vote?tid=1#activity`,
  'polymarket.com/event/harbour-vote/',
  `${OURS}/search?search=harbour-vote`,
  'harbour-vote',
];
const GAMES = [
  `${SITE}/event/epl-ars-che`,
  `${SITE}/sports/epl/epl-ars-che`,
  `${SITE}/sports/epl/games/week/5/epl-ars-che`,
  `${SITE}/es/sports/epl/epl-ars-che/epl-ars-che-ars`,
];

async function startService() {
  const server = await startSite({ publicRequestsPerMinute: null });
  await server.append(...alerts(START));
  await server.clock.jump(HOUR_MS);
  const { secret } = await server.issue({ tier: 'pro' });
  const agent = await connectMcp(server.baseUrl, { secret });
  const visit = await openConversationVisit();
  await storeAlerts(visit.fixture.database, ...alerts(visit.fixture.clock.now()));
  await visit.fixture.clock.advance(HOUR_MS);
  await visit.command('start');
  const idsOf = (body: { alerts: { id: number }[] }) => body.alerts.map(({ id }) => id).toSorted();
  return {
    ...visit,
    async site(text: string) {
      const path = `/search?search=${encodeURIComponent(text)}`;
      const answer = await fetch(server.baseUrl + path, { redirect: 'manual' });
      const listed = [...(await answer.text()).matchAll(/class="name"><a href="([^"]+)"/g)];
      return answer.headers.get('location') ?? listed.map(([, market]) => market).join(' ');
    },
    rest: async (text: string) =>
      idsOf((await server.get(`/alerts?search=${encodeURIComponent(text)}`, secret)).body),
    tool: async (text: string) => idsOf((await callMcp(agent, 'list_alerts', { search: text })).told),
    report: async (kind: 'markets' | 'wallets', text: string) =>
      (await server.get(`/${kind}/${encodeURIComponent(text)}`, secret)).body,
    get: async (name: string, args: Record<string, string>) => (await callMcp(agent, name, args)).told,
    /** What the bot says of it. */
    bot: async (text: string) => JSON.stringify((await visit.command('follow', text)).body),
  };
}

describe('what a person pastes is understood by the site, search=, MCP, the reports and the bots', () => {
  test('a market', async () => {
    const { site, rest, tool, report, get, bot } = await startService();
    for (const text of MARKETS) {
      const seen = {
        site: await site(text),
        rest: await rest(text),
        tool: await tool(text),
        report: (await report('markets', text)).event_slug,
        get: (await get('get_market', { market: text })).event_slug,
      };
      const slug = 'harbour-vote-yes';
      const expected = { site: `/markets/${slug}`, rest: [1], tool: [1], report: slug, get: slug };
      expect(seen, text).toEqual(expected);
      expect(await bot(text), text).toContain('Will Harbour vote yes?');
    }
  });

  test('a wallet', async () => {
    const { site, rest, tool, report, get, bot } = await startService();
    for (const text of WALLETS) {
      const seen = {
        site: await site(text),
        rest: await rest(text),
        tool: await tool(text),
        report: (await report('wallets', text)).wallet_address,
        get: (await get('get_wallet', { address: text })).wallet_address,
      };
      const expected = { site: `/wallets/${WALLET}`, rest: [1], tool: [1], report: WALLET, get: WALLET };
      expect(seen, text).toEqual(expected);
      expect(await bot(text), text).toContain(`profile/${WALLET}`);
    }
  });

  test('an event with several markets: all of them, and the bots and reports ask which', async () => {
    const { site, rest, tool, report, get, command, act, fixture } = await startService();
    const both =
      'harbour-vote is an event. Its markets with alerts are: harbour-vote-twice, harbour-vote-yes.';
    for (const text of EVENTS) {
      const refusal = both.replace('harbour-vote', text);
      const seen = [await site(text), await rest(text), await tool(text)];
      const listed = '/markets/harbour-vote-twice /markets/harbour-vote-yes';
      expect(seen, text).toEqual([listed, [1, 2], [1, 2]]);
      expect((await report('markets', text)).detail).toBe(refusal);
      expect((await get('get_market', { market: text })).detail).toBe(refusal);
      const { body, buttons } = await command('follow', text);
      expect(JSON.stringify(body)).toContain('2 markets of that event have alerts. Which?');
      const labels = buttons.flat().map(({ label }) => label);
      expect(labels).toEqual([
        ...['Will Harbour vote twice?', 'Will Harbour vote yes?', 'Follow 2', 'My follows', 'Menu'],
      ]);
    }
    const { buttons } = await command('follow', EVENTS[0]);
    const [second] = buttons[1] ?? [];
    await act(second !== undefined && 'action' in second ? second.action : '');
    const { id } = await fixture.customer();
    const follower = await fixture.database.followers.get(id);
    expect(follower?.follows.map(({ subject }) => subject)).toMatchObject([{ slug: 'harbour-vote-yes' }]);
  });

  test('an event, or a game, with one market that has alerts leads to it', async () => {
    const { site, rest, report, bot } = await startService();
    for (const text of GAMES) {
      const seen = [await site(text), await rest(text), (await report('markets', text)).event_slug];
      expect(seen, text).toEqual(['/markets/epl-ars-che-ars', [3], 'epl-ars-che-ars']);
      expect(await bot(text)).toContain('Arsenal against Chelsea?');
    }
  });

  test('a market of an event that has no alert itself is told apart from its neighbours', async () => {
    const { report, bot } = await startService();
    const text = `${SITE}/event/harbour-vote/harbour-vote-never`;
    const others = 'harbour-vote-twice, harbour-vote-yes';
    expect((await report('markets', text)).detail).toBe(
      `${text} has no alerts; of its event, these markets have: ${others}.`,
    );
    expect(await bot(text)).toContain(
      'I have no alert about that market. Of its event, these markets have alerts',
    );
  });

  test('an alert', async () => {
    const { site, rest, bot } = await startService();
    for (const text of [`${OURS}/alerts/2`, `${OURS}/alerts/2.png?v=1-open`, '#2', 'alert 2']) {
      expect([await site(text), await rest(text)], text).toEqual(['/alerts/2', [2]]);
      expect(await bot(text.replace('alert 2', 'alert:2'))).toContain('alert 2');
    }
  });

  test('words are found in any order', async () => {
    const { site, rest, tool } = await startService();
    for (const text of ['twice harbour', 'harbour twice', 'VOTE, twice', 'twice vote-twice']) {
      expect([await site(text), await rest(text), await tool(text)], text).toEqual([
        '/markets/harbour-vote-twice',
        [2],
        [2],
      ]);
    }
    expect(await rest('harbour chelsea')).toEqual([]);
  });

  test('what leads nowhere is said', async () => {
    const { report, bot, rest } = await startService();
    for (const text of [
      `${SITE}/@somebody`,
      `${SITE}/leaderboard`,
      `https://polygonscan.com/tx/0x${'ab'.repeat(32)}`,
      'https://example.com/event/harbour-vote',
    ]) {
      expect(await bot(text), text).toContain('I read links to Polymarket');
      expect(await rest(text), text).toEqual([]);
      expect((await report('wallets', text)).detail[0].msg).toContain('wallet address');
    }
  });
});
