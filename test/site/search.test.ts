import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { marketOf } from '../infra/database/observed.ts';
import { alertOf, settlementOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { takeLease } from '../support/lease.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { WON, wordsOf } from './observed-site.ts';

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
    /** Where the search leads to. */
    async find(search: string, more = ''): Promise<string> {
      const path = `/search?search=${encodeURIComponent(search)}${more}`;
      const { status, headers } = await fetch(server.baseUrl + path, { redirect: 'manual' });
      expect(status).toBe(303);
      return decodeURIComponent((headers.get('location') ?? '').replaceAll('+', ' '));
    },
  };
}

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
  test('leads from the address of an event to its only market with an alert, or to a list of several', async () => {
    const { database, find, page } = await startWith(
      on(1, 'Will the Senate vote?', 'senate-vote', { marketEvent: 'votes' }),
      on(2, 'Will the Senate vote twice?', 'senate-vote-twice', { marketEvent: 'votes' }),
      on(3, 'Who wins in 2028?', 'winner', { marketEvent: 'winners' }),
      on(4, 'A secret?', 'secret', { marketEvent: 'winners', createdAt: START + FREE_DELAY_MS + MINUTE_MS }),
    );
    const lease = await takeLease(database, 'a', START);
    const markets = ['0xm1', '0xm2'].map((marketId) => marketOf({ marketId, eventTitle: 'The <votes>' }));
    await database.observations.write(lease, { markets, hours: [] });
    await database.settlements.put(settlementOf({ marketId: '0xm2' }));
    await database.alerts.resolveMarket('0xm2', () => WON);
    const address = 'https://polymarket.com/event/';
    expect(await find(`${address}winners`)).toBe('/markets/winner');
    expect(await find(`${address}winners/unknown-market`)).toBe('/markets/winner');
    expect(await find(`${address}Votes`)).toBe('/markets?event=votes');
    const text = wordsOf((await page('/markets?event=votes')).text);
    expect(text).toContain('The &lt;votes&gt;');
    expect(text).toMatch(/Will the Senate vote\? 1 bet .* Will the Senate vote twice\? 1 bet .* Yes won/);
    expect(wordsOf((await page('/markets?event=none')).text)).toContain(
      'No market of this event has an alert.',
    );
  });

  test('leads from an address, whole or as it is printed, to the wallet, or to a list of several', async () => {
    const server = await start();
    expect(await server.find(TWO.toUpperCase().replace('0X', '0x'))).toBe(`/wallets/${TWO}`);
    expect(await server.find('0x872cf…41f0')).toBe(`/wallets/${TWO}`);
    const several = await server.find('0x872c…41f0');
    expect(several).toBe('/wallets?like=0x872c…41f0');
    const { status, text } = await server.page(`/wallets?like=${encodeURIComponent('0x872c…41f0')}`);
    expect([status, text.includes('noindex')]).toEqual([200, true]);
    expect([...text.matchAll(/href="\/wallets\/(0x\w+)"/g)].map(([, wallet]) => wallet)).toEqual([ONE, TWO]);
    expect((await server.page('/wallets')).status).toBe(404);
  });

  test.each([
    ['a wallet that is hidden', HIDDEN],
    ['a wallet whose first alert is not public yet', YOUNG],
    ['a wallet without an alert', address('7777', '7777')],
  ])('says of %s that there is no alert about it', async (_case, wallet) => {
    const server = await start();
    expect(await server.find(wallet)).toBe(`/wallets?like=${wallet}`);
    const { text } = await server.page(`/wallets?like=${wallet}`);
    expect(wordsOf(text)).toContain('No alert is about a wallet with such an address.');
  });

  test('leads from a number to the alert; one that is not public yet is as one that does not exist', async () => {
    const server = await start();
    expect(await server.find('2')).toBe('/alerts/2');
    expect(await server.find('4')).toBe('/?search=4#list');
    expect(await server.find('5')).toBe('/?search=5#list');
    expect(await server.find('2028')).toBe('/markets/winner');
    expect(await server.find('#4')).toBe('/alerts/4');
    expect(await server.find('#5')).toBe('/alerts/5');
  });

  test('leads with any other text, and the filters that were chosen, to the list', async () => {
    const server = await start();
    expect(await server.find('senate', '&min_signal=60&before_id=2')).toBe(
      '/?min_signal=60&search=senate#list',
    );
    expect(await server.find('secret')).toBe('/?search=secret#list');
    expect(await server.find('https://polymarket.com/event/unknown')).toBe('/?search=unknown#list');
    expect(await server.find('  ', '&sort=newest')).toBe('/?sort=newest#list');
    expect(await server.find('//example.com/x')).toBe('/?search=//example.com/x#list');
  });
});
