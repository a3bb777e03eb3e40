import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { PROGRAM } from '../../src/infra/process/program.ts';
import { followedAlert, followedFilter, followedMarketReport } from '../../src/site/followed.ts';
import { followPanel } from '../../src/site/parts/follow-panel.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { unescaped } from '../support/site/walk-site.ts';
import { startSite } from '../support/site.ts';
import { WON, wordsOf } from './observed-site.ts';

const [ANN, BEN] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const TELEGRAM = 'https://t.me/tip_bot';
const DISCORD = 'https://discord.com/users/1';
const PUBLIC = 'https://api.example.com';
const BOTS = {
  telegram: { state: 'running', detail: null, url: TELEGRAM },
  discord: { state: 'running', detail: null, url: DISCORD },
};
const RUNNING = [
  { platform: 'telegram', url: TELEGRAM },
  { platform: 'discord', url: DISCORD },
] as const;

/** What a panel offers. */
function waysOf(html: string) {
  const [, panel = ''] = /<details class="sheet follow"[^>]*>([\s\S]*?)<\/details>/.exec(html) ?? [];
  const all = (pattern: RegExp) => [...panel.matchAll(pattern)].map(([, text = '']) => unescaped(text));
  const hrefs = all(/href="([^"]*)"/g);
  const codes = all(/<code>([^<]*)/g);
  const startingWith = (texts: readonly string[], start: string) =>
    texts.filter((text) => text.startsWith(start)).map((text) => text.slice(start.length));
  return {
    text: wordsOf(panel),
    links: all(/<a class="way"[^>]*>([^<]*)/g),
    telegram: startingWith(hrefs, `${TELEGRAM}?start=`),
    discord: startingWith(codes, '/follow what:'),
    feed: hrefs.find((href) => href.startsWith('/feed.json')) ?? '',
    lines: codes,
  };
}

const filterPanel = (query: Parameters<typeof followedFilter>[0]) =>
  waysOf(followPanel(followedFilter(query), RUNNING).toString());

async function startWithBots(bots: object = BOTS, settings = {}) {
  const server = await startSite({}, settings);
  await server.append(
    alertOf({ id: 1, wallet: ANN }),
    alertOf({ id: 2, wallet: BEN, marketId: '0xm2', eventSlug: 'will-it-rain', category: 'crypto' }),
    alertOf({
      id: 3,
      wallet: ANN,
      type: 'cluster',
      details: { ...alertOf({ id: 3 }).details, wallets: [ANN, BEN] },
    }),
  );
  await server.clock.jump(FREE_DELAY_MS + 60_000);
  const report = () =>
    server.database.worker.put({
      owner: 'host/1',
      at: server.clock.now(),
      address: 'http://localhost',
      checks: { bots },
    });
  await report();
  return { ...server, report, ways: async (path: string) => waysOf((await server.page(path)).text) };
}

test('a list, a wallet, a market and an alert name what is followed by link, command and feed', async () => {
  const { ways } = await startWithBots();
  const seen = async (path: string) => {
    const { telegram, discord, feed } = await ways(path);
    return [telegram.join(' '), discord.join(' '), feed];
  };
  const every = '&events=alert%2Coutcome%2Cexit';
  expect(await seen('/')).toEqual(['r_--___', 'all', '/feed.json']);
  expect(await seen('/?category=crypto&min_signal=60&min_position=5000&side=BUY&sort=newest')).toEqual([
    'r_-01_1o_3uw_',
    'crypto score 60 over $5000 buy',
    '/feed.json?category=crypto&side=BUY&min_position=5000&min_signal=60',
  ]);
  expect(await seen(`/wallets/${ANN}`)).toEqual([`w_${ANN}`, ANN, `/feed.json?wallet=${ANN}${every}`]);
  expect(await seen('/markets/will-it-rain')).toEqual([
    'm_2',
    'will-it-rain',
    `/feed.json?market=will-it-rain${every}`,
  ]);
  expect(await seen('/alerts/2')).toEqual([
    `w_${BEN} m_2`,
    `${BEN} will-it-rain`,
    `/feed.json?market=will-it-rain${every}`,
  ]);
});

test('it has only the bots that run', async () => {
  const none = await startWithBots({});
  const page = await none.ways('/?category=crypto');
  expect([page.telegram, page.lines, page.text.includes('bot')]).toEqual([[], [], false]);
  expect(page.feed).toBe('/feed.json?category=crypto');
  expect((await none.ways(`/?wallet=${ANN}`)).text).not.toContain('bot');
  const one = await startWithBots({ ...BOTS, telegram: { ...BOTS.telegram, state: 'refused' } });
  const { telegram, discord } = await one.ways('/?category=crypto');
  expect([telegram, discord]).toEqual([[], ['crypto']]);
});

test('in a replay without a bot it has the lines that open the bot in a terminal and follow', async () => {
  const replay = { MARKET_SOURCE: 'replay:data/tapes/midterms-2022.jsonl.gz' };
  const { ways } = await startWithBots({}, replay);
  const open = `${PROGRAM} chat --demo`;
  expect((await ways('/?category=crypto&min_position=10000')).lines).toEqual([
    open,
    '/follow crypto over $10000',
  ]);
  expect((await ways('/alerts/2')).lines).toEqual([open, `/follow ${BEN}`, '/follow will-it-rain']);
  expect((await ways(`/?wallet=${ANN}`)).lines).toEqual([]);
  const live = await startWithBots(BOTS, replay);
  expect((await live.ways('/')).lines).toEqual(['/follow what:all']);
});

test('a hidden wallet is not followed: it has no page, and its alerts offer their market', async () => {
  const { ways, page, database, clock, report } = await startWithBots();
  const [wallet, market] = ['Follow the wallet', 'Follow the market'];
  expect((await ways('/alerts/2')).links).toEqual([wallet, market]);
  expect((await ways('/alerts/3')).links).toEqual([market]);
  await database.hiddenWallets.add({ wallet: BEN, reason: 'asked for it', at: clock.now() });
  await clock.advance(61_000);
  await report();
  expect((await ways('/alerts/2')).links).toEqual([market]);
  expect((await page(`/wallets/${BEN}`)).status).toBe(404);
  expect((await ways(`/?wallet=${BEN}`)).telegram).toEqual([]);
});

test('a settled market offers no bot, and says so', () => {
  const market = (resolution: object | null, eventSlug = 'will-it-rain') => {
    const report = { newest: alertOf({ id: 7, eventSlug }), resolution } as Parameters<
      typeof followedMarketReport
    >[0];
    return waysOf(followPanel(followedMarketReport(report), RUNNING).toString());
  };
  expect(market(WON)).toMatchObject({ telegram: [], discord: [] });
  expect(market(WON).text).toContain('The market is settled');
  // Slugs that the bot would read as something else are named by the alert.
  for (const slug of ['a-b c-d', 'rain', '<a-b>', 'pop-culture', 'https://x.example', '"><script>'])
    expect(market(null, slug)).toMatchObject({ telegram: ['m_7'], discord: ['#7'] });
});

test('an alert whose market is settled offers its wallet alone; a cluster then offers no bot', () => {
  const panelOf = (change: Partial<Alert>) => {
    const alert = { ...alertOf({ id: 7, wallet: ANN }), resolution: WON, ...change };
    return waysOf(followPanel(followedAlert(alert, new Set<string>()), RUNNING).toString());
  };
  expect(panelOf({}).links).toEqual(['Follow the wallet']);
  expect(panelOf({ type: 'cluster' })).toMatchObject({ links: [], discord: [] });
  expect(panelOf({ type: 'cluster' }).text).toContain('The market is settled');
});

test('filters that the bots do not take are left to the feed, in words', () => {
  const whole = 'The bots follow wallets and markets from their own pages.';
  const typed = 'of at most 34 characters, so they cannot follow this filter.';
  for (const [query, words] of [
    [{ wallet: ANN }, whole],
    [{ market: 'will-it-rain', min_signal: 60 }, whole],
    [{ search: 'w'.repeat(35) }, typed],
    [{ search: 'a\u202eb' }, typed],
    [{ min_position: 0.5 }, typed],
    [{ min_usdc: 5_000 }, typed],
    [{ category: 'tech', categories: ['crypto'] }, typed],
  ] as const) {
    const panel = filterPanel(query as Parameters<typeof followedFilter>[0]);
    expect(panel).toMatchObject({ telegram: [], discord: [] });
    expect(panel.text).toContain(words);
    expect(panel.feed).toMatch(/^\/feed\.json\?./);
  }
  const { text, telegram, feed } = filterPanel({ category: 'tech', resolved: true });
  expect(text).toMatch(/^Follow Tech: new alerts, before they are settled/);
  expect([telegram, feed]).toEqual([['r_--8___'], '/feed.json?category=tech']);
});

test.each([
  'x"><script>alert(1)</script>',
  '$(touch /tmp/x)`id`',
  "a'; echo b #",
  'fed & <b>rate</b>',
  '100% \\ "x" y',
])('words from a stranger stay words in every way: %s', (search) => {
  const html = followPanel(followedFilter({ search }), RUNNING).toString();
  expect(html).not.toMatch(/<script|<b>|"">/);
  const { discord, telegram, feed } = waysOf(html);
  expect(discord).toEqual([`words ${search}`]);
  expect(telegram.join(' ')).toMatch(/^[\w-]{1,64}$/);
  expect(new URL(feed, PUBLIC).searchParams.get('search')).toBe(search);
});
