import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { settleMarket } from '../support/stored.ts';
import { wordsOf } from './observed-site.ts';

const address = (start: string, end: string) => `0x${start.padEnd(36, '0')}${end}`;
const [ONE, TWO, HIDDEN, YOUNG] = [
  address('872c', '41f0'),
  address('872cf', '41f0'),
  address('872cff', '41f0'),
  address('99', '9999'),
];
const on = (id: number, eventTitle: string, eventSlug: string, given: Partial<Alert> = {}) =>
  alertOf({ id, marketId: `0xm${id}`, eventTitle, eventSlug, ...given });

async function startWith(...alerts: readonly Alert[]) {
  const server = await startSite();
  await server.append(...alerts);
  await server.clock.jump(FREE_DELAY_MS + MINUTE_MS);
  return {
    ...server,
    /** Where the search leads to; null: its page shows what it has found. */
    async find(search: string): Promise<string | null> {
      const path = `/search?search=${encodeURIComponent(search)}`;
      const { status, headers } = await fetch(server.baseUrl + path, { redirect: 'manual' });
      expect(status).toBe(headers.has('location') ? 303 : 200);
      return headers.get('location');
    },
    async found(search: string) {
      const { text } = await server.page(`/search?search=${encodeURIComponent(search)}`);
      const [, main = ''] = text.split('<main');
      return { text, words: wordsOf(`<main${main}`), links: linksOf(main) };
    },
  };
}

const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => decodeURIComponent(link));

async function start() {
  const later = START + FREE_DELAY_MS + MINUTE_MS;
  const server = await startWith(
    on(1, 'Will the Senate vote?', 'senate-vote', { wallet: ONE }),
    on(2, 'Will the Senate vote twice?', 'senate-vote-twice', { wallet: TWO }),
    on(3, 'Who wins in 2028?', 'winner', { wallet: HIDDEN }),
    on(4, 'A secret?', 'secret', { wallet: YOUNG, createdAt: later }),
  );
  await server.database.hiddenWallets.add({ wallet: HIDDEN, reason: 'asked for', at: START });
  return server;
}

describe('the search', () => {
  test('leads from the address of an event to its only market with an alert, and lists several', async () => {
    const { database, find, found } = await startWith(
      on(1, 'Will the Senate vote?', 'senate-vote', { marketEvent: 'votes' }),
      on(2, 'Will the Senate vote twice?', 'senate-vote-twice', { marketEvent: 'votes' }),
      on(3, 'Who wins in 2028?', 'winner', { marketEvent: 'winners' }),
      on(4, 'A secret?', 'secret', { marketEvent: 'winners', createdAt: START + FREE_DELAY_MS + MINUTE_MS }),
    );
    await settleMarket(database, { marketId: '0xm2' });
    const address = 'https://polymarket.com/event/';
    expect(await find(`${address}winners`)).toBe('/markets/winner');
    expect(await find(`${address}winners/unknown-market`)).toBe('/markets/winner');
    const { words } = await found(`${address}Votes`);
    expect(words).toMatch(
      /Markets Will the Senate vote\? 1 bet, .* Will the Senate vote twice\? 1 bet, .* Yes won Bets /,
    );
    expect((await found(`${address}none`)).words).toContain('Nothing found.');
  });

  test.each(['senate georgia', 'GEORGIA Senate', 'race georgia-sen'])(
    'lists for “%s” the markets that have all its words, in any order, then their bets',
    async (text) => {
      const { found } = await startWith(
        on(1, 'Georgia Senate race?', 'georgia-senate-race'),
        on(2, 'Who wins the Senate race in Georgia?', 'georgia-senate-winner'),
        on(3, 'Georgia governor?', 'georgia-governor'),
      );
      const { words, links } = await found(text);
      expect(words).toMatch(/Markets .*Georgia Senate race\?.* Bets .*Georgia Senate race\?/);
      expect(words).not.toContain('governor');
      const markets = ['/markets/georgia-senate-winner', '/markets/georgia-senate-race'];
      expect(links.filter((link) => link.startsWith('/markets/'))).toEqual([...markets, ...markets]);
      expect(links.filter((link) => link.startsWith('/alerts/'))).toEqual(['/alerts/2', '/alerts/1']);
    },
  );

  test('names the number of all bets where it does not list them', async () => {
    const { found } = await startWith(
      ...Array.from({ length: 25 }, (_, index) =>
        on(index + 1, `Senate seat ${index}?`, `senate-${index}`, { wallet: `0xw${index}` }),
      ),
    );
    const { words, links } = await found('senate');
    expect(words).toContain('All 25 bets');
    expect(links).toContain('/?search=senate');
    expect(links.filter((link) => link.startsWith('/alerts/'))).toHaveLength(10);
  });

  test('that finds nothing names what to try, and each example finds something', async () => {
    const { found, find } = await start();
    for (const text of ['nothing like it', '']) {
      const { words, links } = await found(text);
      expect(words.includes('Nothing found.')).toBe(text !== '');
      const examples = links.flatMap((link) => /^\/search\?search=(.+)$/.exec(link)?.[1] ?? []);
      expect(examples).toEqual(['wins+2028', '#3']);
      expect(await find('2028 wins')).toBe('/markets/winner');
    }
  });

  test('leads from an address, whole or as it is printed, to the wallet, and lists several', async () => {
    const server = await start();
    expect(await server.find(TWO.toUpperCase().replace('0X', '0x'))).toBe(`/wallets/${TWO}`);
    expect(await server.find('0x872cf…41f0')).toBe(`/wallets/${TWO}`);
    const { text, links } = await server.found('0x872c…41f0');
    expect(text).toContain('noindex');
    expect(links.filter((link) => link.startsWith('/wallets'))).toEqual([
      `/wallets/${ONE}`,
      `/wallets/${TWO}`,
    ]);
    expect((await server.page('/wallets')).status).toBe(404);
  });

  test.each([
    ['a wallet that is hidden', HIDDEN],
    ['a wallet that is hidden, in a link of another host', `https://example.com/wallets/${HIDDEN}`],
    ['a wallet whose first alert is not public yet', YOUNG],
    ['a wallet without an alert', address('7777', '7777')],
  ])('finds nothing about %s', async (_case, wallet) => {
    const { found, find } = await start();
    expect(await find(wallet)).toBeNull();
    const { words, links } = await found(wallet);
    expect(words).toContain('Nothing found.');
    expect(links.filter((link) => link.startsWith('/alerts'))).toEqual([]);
  });

  test('leads from a number to the alert; one that is not public yet is as one that does not exist', async () => {
    const server = await start();
    expect(await server.find('2')).toBe('/alerts/2');
    expect(await server.find('4')).toBeNull();
    expect(await server.find('5')).toBeNull();
    expect(await server.find('2028')).toBe('/markets/winner');
    expect(await server.find('#4')).toBe('/alerts/4');
    expect(await server.find('#5')).toBe('/alerts/5');
  });

  test.each(['secret', 'https://polymarket.com/event/unknown', '  ', '//example.com/x', '<b>"', '0x'])(
    'answers “%s” with its page',
    async (text) => {
      const { find, found } = await start();
      expect(await find(text)).toBeNull();
      expect((await found(text)).text).not.toContain('<b>"');
    },
  );
});
