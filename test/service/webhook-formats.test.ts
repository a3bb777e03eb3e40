import { appendFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type Fixture, onEachDatabase } from '../infra/database/each-database.ts';
import { toLines, wireMarket, wireTrade, writeTape } from '../infra/market/tapes/source-fixture.ts';
import { useAuthority } from '../infra/outgoing/sender-fixture.ts';
import { ask } from '../support/api-server.ts';
import { configOf } from '../support/config.ts';
import {
  DISCORD_LIMITED,
  HOOK_PATHS,
  SLACK_LIMITED,
  startServiceStandIns,
} from '../support/receivers/service-stand-ins.ts';
import { silentLogger } from '../support/silent-logger.ts';

const FORMATS = ['json', 'discord', 'slack', 'ntfy'] as const;
const given = useAuthority(['127.0.0.1']);

const first = Math.floor(Date.now() / SECOND_MS) - 30;
const order = (second: number, given: object) =>
  wireTrade({
    ...{ proxyWallet: `0x${'7'.repeat(40)}`, conditionId: '0xm1', asset: '1001' },
    ...{
      slug: 'will-the-measure-pass',
      timestamp: first + second,
      transactionHash: `0xt${second}`,
      ...given,
    },
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

/** The whole service, which follows a tape, and a webhook of each format to a stand-in of its service. */
async function start({ url }: Fixture) {
  const file = await writeTape([{ tape: { history: 'complete' } }, OPEN]);
  const services = await startServiceStandIns(given.certificate);
  onTestFinished(() => services.close());
  const config = configOf({
    ...{ DATABASE_URL: url, PORT: '0', MARKET_SOURCE: `tail:${file}` },
    ...{ SECRET_KEY: 'x'.repeat(43), FREE_DELAY_SECONDS: '0', WEBHOOK_ALLOW_PRIVATE: 'true' },
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
    isReady: async () => (await ask(`${address}/readyz`)).status === 200,
    trade: (...rows: readonly object[]) => appendFile(file, toLines(rows)),
    have: (look: () => unknown) => vi.waitFor(async () => expect(await look(), String(look)).toBeTruthy()),
    log: async (id: string) => (await call(`/webhooks/${id}/deliveries`)).deliveries,
  };
}

onEachDatabase('webhooks of every format', (fixture) => {
  test('take alerts, exits, outcomes and tests of a hostile market; a 429 is shown and not repeated', async () => {
    const { call, services, hooks, isReady, trade, have, log } = await start(fixture);
    const taken = (count: number) => () =>
      FORMATS.every((format) => services.received(format).length === count);
    await have(isReady);
    await trade(BUY, close(5));
    await have(taken(1));
    await trade(SALE, close(15));
    await have(taken(2));
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
      expect.stringContaining('Sold 60 % at 71¢'),
      expect.stringMatching(
        /^\*\*Settled: Yes\*\*\n.*\n\n✅ sold 60 % at 71¢; won \$14,400 on the 40 % held · 74 · /,
      ),
      expect.stringContaining('This is a test message.'),
    ]);
    for (const content of contents.slice(0, 3)) expect(content).toContain('\\@everyone \\<!channel\\>');

    const [, discord, slack] = hooks;
    services.answerNext(DISCORD_LIMITED);
    expect(await call(`/webhooks/${discord?.id}/test`, 'POST')).toMatchObject({
      response_status: 429,
      retry_after: 65,
    });
    const at = new Date(Date.now() + 90_000).toUTCString();
    services.answerNext({ ...SLACK_LIMITED, headers: { 'retry-after': at } });
    const [delivered] = (await log(String(slack?.id))).filter(
      ({ alert_id: id }: { alert_id: number }) => id === 1,
    );
    await call(`/webhooks/${slack?.id}/deliveries/${delivered.id}/redeliver`, 'POST');
    await have(async () => (await log(String(slack?.id)))[0]?.status === 'failed');
    const [repeated] = await log(String(slack?.id));
    expect(repeated).toMatchObject({ error: 'status', response_status: 429, repeats: delivered.id });
    expect([88, 89, 90]).toContain(repeated.retry_after);
    const bodies = services.received('slack').map(({ body }) => body);
    expect([bodies.length, bodies.at(-1)]).toEqual([5, bodies[0]]);
  });
});
