import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { exitOf } from '../support/alerts.ts';
import { ask } from '../support/api-server.ts';
import { settleMarket, storeExits } from '../support/stored.ts';
import { alertAt, minute, startObserved, WON } from './observed-site.ts';

const [WALLET, MEMBER] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
const JSON_PATH = '/alerts/1.json';

test('the JSON of an alert is that of the API at the free delay, with what its page adds, and anyone may read it', async () => {
  const server = await startObserved({
    alerts: [
      alertAt(0, { id: 1, wallet: WALLET, resolution: WON }),
      alertAt(1, { id: 2, wallet: WALLET, threadId: 1, supersedes: 1 }),
      alertAt(2, { id: 3, wallet: WALLET, marketId: '0xother', threadId: 3 }),
    ],
    orders: [
      { at: minute(6), price: 0.42 },
      { at: minute(8), price: 0.47 },
    ],
    settledAt: minute(90),
  });
  const { database, baseUrl, issue } = server;
  await storeExits(database, exitOf({ number: 1, wallet: WALLET }));
  await server.clock.jump(4 * HOUR_MS);
  const { body, headers } = await ask(baseUrl + JSON_PATH);
  const authorization = `Bearer ${(await issue({ tier: 'free' })).secret}`;
  const ofApi = await ask(`${baseUrl}/api/v1/alerts/1`, { headers: { authorization } });
  const { alert, prices, follower_price: followed, other_bets: others, ...added } = body;
  expect(alert).toEqual(ofApi.body);
  expect(alert.details.exits.exits).toHaveLength(1);
  expect(added).toEqual({
    url: 'https://api.example.com/alerts/1',
    market_url: 'https://polymarket.com/event/will-the-measure-pass',
    trade: '$2,000 on Yes at 40¢ to win $3,000',
    result: 'won $3,000',
    price_now: 1,
    ends_at: null,
    settled_at: '2026-01-02T01:30:00.000Z',
    thread: [1, 2],
    withdrawn: null,
  });
  expect(prices.at(-1)).toEqual({ at: '2026-01-02T00:08:00.000Z', price: 0.47 });
  expect(followed).toEqual({ at: '2026-01-02T00:02:00.000Z', price: 0.4 });
  expect(others).toEqual([3]);
  expect([headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
    'application/json; charset=utf-8',
    '*',
  ]);
});

test('the JSON of an alert names no hidden wallet, and says that it was withdrawn', async () => {
  const plain = alertAt(0, { id: 1, type: 'cluster', wallet: WALLET });
  const details = { ...plain.details, wallets: [MEMBER, WALLET], clusterTotal: 9_000 };
  const withdrawn = { at: minute(1), reason: 'a test' };
  const { database, clock, read } = await startObserved({ alerts: [{ ...plain, details, withdrawn }] });
  await storeExits(database, exitOf({ number: 1, wallet: WALLET }));
  await database.hiddenWallets.add({ wallet: WALLET, reason: 'asked for', at: minute(1) });
  await clock.jump(4 * HOUR_MS);
  const text = await read(JSON_PATH);
  expect(text).not.toContain(WALLET);
  const { alert, withdrawn: mark, other_bets: others } = JSON.parse(text);
  expect([alert.wallet_address, alert.details.wallets, alert.details.exits.exits[0].wallet]).toEqual([
    null,
    [MEMBER],
    null,
  ]);
  expect([mark, others]).toEqual([{ at: '2026-01-02T00:01:00.000Z', reason: 'a test' }, null]);
});

test('an alert that is not public yet and one that does not exist give the same page and the same JSON, which say when alerts become public', async () => {
  const { page, baseUrl, append, clock } = await startObserved({ alerts: [alertAt(0, { id: 1 })] });
  await append(alertAt(5, { id: 2 }));
  const shownOf = async (id: string) => {
    const [document, json] = [await page(`/alerts/${id}`), await ask(`${baseUrl}/alerts/${id}.json`)];
    return [document, json].map(({ status, text }) => [status, text.replace(`Alert ${id} `, 'Alert N ')]);
  };
  const young = await shownOf('2');
  expect(young.map(([status]) => status)).toEqual([404, 404]);
  for (const [, text] of young)
    expect(text).toContain('Alerts are shown here 5 minutes after they are published.');
  for (const id of ['7', '99999999', 'seven', '0', '07']) {
    const [document, json] = await shownOf(id);
    if (id !== '07') expect([id, document]).toEqual([id, young[0]]);
    expect([id, json]).toEqual([id, young[1]]);
  }
  const forPeople = await page('/alerts/2.json');
  expect([forPeople.status, forPeople.text]).toEqual([404, (await page('/alerts/2')).text]);
  await clock.jump(5 * MINUTE_MS + 10_000);
  expect((await ask(`${baseUrl}/alerts/2.json`)).body.alert.id).toBe(2);
});

test('the JSON of an alert is kept until its market changes', async () => {
  const { database, baseUrl, site } = await startObserved({ alerts: [alertAt(0, { id: 1 })] });
  const first = await ask(baseUrl + JSON_PATH);
  const tagged = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
  expect((await ask(baseUrl + JSON_PATH, tagged)).status).toBe(304);
  await settleMarket(database);
  expect((await ask(baseUrl + JSON_PATH, tagged)).status).toBe(304);
  site.deps.pages.change('market:0xm1');
  expect((await ask(baseUrl + JSON_PATH)).body.result).toBe('won $3,000');
});
