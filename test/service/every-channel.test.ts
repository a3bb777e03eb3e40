import { appendFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type Fixture, onEachDatabase } from '../infra/database/each-database.ts';
import { toLines, wireMarket, wireTrade, writeTape } from '../infra/market/tapes/source-fixture.ts';
import { useAuthority } from '../infra/outgoing/sender-fixture.ts';
import { ask } from '../support/api-server.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { configOf } from '../support/config.ts';
import { HOOK_PATHS, startServiceStandIns } from '../support/receivers/service-stand-ins.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { connectStream } from '../support/stream-client.ts';

const FORMATS = ['json', 'discord', 'slack', 'ntfy'] as const;
const given = useAuthority(['127.0.0.1']);

const WALLET = `0x${'7'.repeat(40)}`;
const CHANNEL = '-1001234567890';
/** In a list, and elsewhere. */
const BRIEF = 'sold 60% at 71¢';
const SENTENCE = 'Sold 60% at 71¢ after 10 s: +$7,680';

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
const TITLE = `@everyone <!channel> **Will** it pass? ${'🏛'.repeat(2_000)}`;
const endDate = new Date((first + 90_000) * SECOND_MS).toISOString();
const OPEN = wireMarket({ endDate, question: TITLE });
const SETTLED = wireMarket({
  ...{ endDate, question: TITLE, closed: true, umaResolutionStatus: 'resolved' },
  ...{ closedTime: new Date((first + 20) * SECOND_MS).toISOString(), outcomePrices: '["1","0"]' },
});

/** The whole service, which follows a tape, posts in a channel, and has a webhook of each format to a stand-in of its service. */
async function start({ url }: Fixture) {
  const file = await writeTape([{ tape: { history: 'complete' } }, OPEN]);
  const services = await startServiceStandIns(given.certificate);
  const telegram = await startTelegram();
  onTestFinished(async () => void (await Promise.all([services.close(), telegram.close()])));
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
  const call = async (path: string, method = 'GET', body?: object) =>
    (await ask(`${address}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }))
      .body;
  const hooks = await Promise.all(
    FORMATS.map(async (format) => {
      const hookUrl = `https://127.0.0.1:${services.port}${HOOK_PATHS[format]}`;
      const hook = await call('/webhooks', 'POST', { url: hookUrl, format, events: 'alert,exit,outcome' });
      return { format, id: String(hook.id), secret: String(hook.secret) };
    }),
  );
  return {
    ...{ call, services, hooks },
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

onEachDatabase('a wallet that sells most of what it bought on a hostile market', (fixture) => {
  test('is told by REST, stream, webhooks of every format, channel, pages, feeds and log, and so is the outcome', async () => {
    const { call, services, hooks, stream, isReady, page, posts, trade, have } = await start(fixture);
    const taken = (count: number) => () =>
      FORMATS.every((format) => services.received(format).length === count);
    await stream.received(1);
    // What is published before is history, or not posted.
    await have(isReady);
    await trade(BUY, close(5));
    await have(taken(1));
    await have(() => posts().some((text) => text.includes('$44,000 on Yes')));
    expect((await call('/alerts/1')).details.exits).toEqual({ state: 'none', exits: [] });
    // The page is kept until something on it changes.
    expect(await page('/alerts/1')).toContain('No sale seen.');

    await trade(SALE, close(15));
    await have(taken(2));
    const [exit] = (await call('/exits')).exits;
    expect(exit).toMatchObject({ number: 1, level: 'half', wallet: WALLET, alert_ids: [1] });
    expect(exit).toMatchObject({ held_share: 0.4, sale_price: 0.71, realized_profit: 7_680 });
    expect((await call('/alerts/1')).details.exits).toEqual({ state: 'half', exits: [exit] });
    const { events: entries } = await call(`/events?after=${exit.log.seq - 1}&limit=1`);
    expect(entries[0]).toMatchObject({ kind: 'exit', hash: exit.log.hash, body: { number: 1 } });
    await have(() => stream.frames.some(({ type }) => type === 'exit'));
    expect(stream.frames.find(({ type }) => type === 'exit')).toEqual({ type: 'exit', data: exit });
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

    await trade(SETTLED, close(25));
    await have(taken(3));
    for (const { id } of hooks)
      expect(await call(`/webhooks/${id}/test`, 'POST')).toMatchObject({ status: 'delivered' });
    for (const { format, secret } of hooks) {
      const got = services.received(format);
      expect(got.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200]);
      for (const { body, headers } of got)
        expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    const contents = services.received('discord').map(({ body }) => JSON.parse(body).content);
    expect(contents).toEqual([
      expect.stringContaining('$44,000 on Yes at 55¢'),
      expect.stringContaining('Sold 60% at 71¢'),
      expect.stringMatching(
        /^\*\*Settled: Yes\*\*\n.*\n\n✅ sold 60% at 71¢; won \$14,400 on the 40% held · 74 · /,
      ),
      expect.stringContaining('This is a test message.'),
    ]);
    for (const content of contents.slice(0, 3)) expect(content).toContain('\\@everyone \\<!channel\\>');
  });
});
