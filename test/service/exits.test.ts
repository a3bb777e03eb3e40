import { appendFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type Fixture, onEachDatabase } from '../infra/database/each-database.ts';
import { toLines, wireMarket, wireTrade, writeTape } from '../infra/market/tapes/source-fixture.ts';
import { ask } from '../support/api-server.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { configOf } from '../support/config.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { connectStream } from '../support/stream-client.ts';

const WALLET = `0x${'7'.repeat(40)}`;
const CHANNEL = '-1001234567890';
/** In a list, and elsewhere. */
const BRIEF = 'sold 60 % at 71¢';
const SENTENCE = 'Sold 60 % at 71¢ after under a minute: +$7,680';

/** Trades of now: what is found an hour late is not posted. */
const first = Math.floor(Date.now() / SECOND_MS) - 30;
const order = (second: number, given: object) =>
  wireTrade({
    ...{ proxyWallet: WALLET, conditionId: '0xm1', asset: '1001', slug: 'will-the-measure-pass' },
    ...{ timestamp: first + second, transactionHash: `0xt${second}`, ...given },
  });
const BUY = order(0, { side: 'BUY', size: 80_000, price: 0.55 });
const SALE = order(10, { side: 'SELL', size: 48_000, price: 0.71 });
/** Closes the second of the order before it. */
const close = (second: number) => order(second, { proxyWallet: `0x${'8'.repeat(40)}`, size: 10, price: 0.6 });

/** The whole service, which follows a tape and posts in a channel. */
async function start({ url }: Fixture) {
  const market = wireMarket({ endDate: new Date((first + 90_000) * SECOND_MS).toISOString() });
  const file = await writeTape([{ tape: { history: 'complete' } }, market]);
  const telegram = await startTelegram();
  onTestFinished(() => telegram.close());
  const config = configOf({
    ...{ DATABASE_URL: url, PORT: '0', MARKET_SOURCE: `tail:${file}` },
    ...{ SECRET_KEY: 'x'.repeat(43), FREE_DELAY_SECONDS: '0', WEBHOOK_ALLOW_PRIVATE: 'true' },
    ...{ TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN, TELEGRAM_API_ROOT: telegram.url, TELEGRAM_CHANNEL_ID: CHANNEL },
  });
  const container = await createContainer(config, { logger: silentLogger });
  onTestFinished(() => container.close());
  const { address } = await container.start();
  const issued = await container.keys.issue({ tier: 'enterprise', name: 'Trial' });
  if (!issued.ok) throw new Error(issued.reason);
  const headers = { authorization: `Bearer ${issued.secret}`, 'content-type': 'application/json' };
  const call = async (path: string, init: RequestInit = {}) =>
    (await ask(`${address}/api/v1${path}`, { headers, ...init })).body;
  return {
    call,
    stream: connectStream(String(address), `api_key=${issued.secret}&exits=true`),
    isReady: async () =>
      (await ask(`${address}/readyz`)).status === 200 &&
      (await container.database.chat.cursor('channel_exits')) !== null,
    page: async (path: string) => (await ask(address + path, { headers: { accept: 'text/html' } })).text,
    posts: () => telegram.messages(CHANNEL).map(({ text }) => text),
    trade: (...rows: readonly object[]) => appendFile(file, toLines(rows)),
    have: (look: () => unknown) => vi.waitFor(async () => expect(await look(), String(look)).toBeTruthy()),
  };
}

onEachDatabase('a wallet that sells most of what it bought', (fixture) => {
  test('is told by REST, stream, webhook, channel, pages, feed and log', async () => {
    const { call, stream, isReady, page, posts, trade, have } = await start(fixture);
    const url = 'https://127.0.0.1:1099/hook';
    const webhook = await call('/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url, events: 'exit' }),
    });
    await stream.received(1);
    // What is published before is history, or not posted.
    await have(isReady);
    await trade(BUY, close(5));
    await have(() => posts().some((text) => text.includes('$44,000 on Yes')));
    expect((await call('/alerts/1')).details.exits).toEqual({ state: 'none', exits: [] });
    // The page is kept until something on it changes.
    expect(await page('/alerts/1')).toContain('No sale seen.');

    await trade(SALE, close(15));
    await have(async () => (await call('/exits')).last === 1);

    const [exit] = (await call('/exits')).exits;
    expect(exit).toMatchObject({ number: 1, level: 'half', kind: 'sold', wallet: WALLET, alert_ids: [1] });
    expect(exit).toMatchObject({ held_share: 0.4, sale_price: 0.71, realized_profit: 7_680 });
    expect((await call('/alerts/1')).details.exits).toEqual({ state: 'half', exits: [exit] });
    const { entries } = await call(`/log?after=${exit.log.sequence - 1}&limit=1`);
    expect(entries[0]).toMatchObject({ kind: 'exit', hash: exit.log.hash, body: { number: 1 } });
    await have(() => stream.frames.some(({ type }) => type === 'exit'));
    expect(stream.frames.find(({ type }) => type === 'exit')).toEqual({ type: 'exit', data: exit });
    const delivered = { alert_id: null, outcome: null, exit: 1, status: 'failed', error: 'refused' };
    const deliveries = async () => (await call(`/webhooks/${webhook.id}/deliveries`)).deliveries;
    await have(async () => (await deliveries())[0]?.status === 'failed');
    expect(await deliveries()).toMatchObject([delivered]);
    await have(() => posts().some((text) => text.includes(SENTENCE)));
    expect(posts()).toHaveLength(1);
    for (const path of ['/', `/wallets/${WALLET}`, '/markets/will-the-measure-pass'])
      await have(async () => (await page(path)).includes(BRIEF));
    const feeds = ['', `?wallet=${WALLET}&events=exit`, '?market=will-the-measure-pass&events=exit'];
    for (const path of [
      '/alerts/1',
      ...feeds.flatMap((query) => [`/feed.json${query}`, `/feed.xml${query}`]),
    ])
      await have(async () => (await page(path)).includes(SENTENCE));
  });
});
