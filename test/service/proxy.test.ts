import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createDiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { startTelegram, TELEGRAM_TOKEN } from '../support/chat/telegram-stand-in.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { startChainNode } from '../support/market/chain-node.ts';
import { generatedTape } from '../support/market/generated-tape.ts';
import { startMarket } from '../support/market/start-market.ts';
import { startService } from '../support/service-process.ts';
import { type Authority, createAuthority, writeCaFile } from '../support/tls/authority.ts';

const START_S = Math.floor(Date.now() / 1_000) - 200;
const TAPE = generatedTape({ trades: 8_000, perSecond: 20, start: START_S, wallets: 500, markets: 50 });
const NAMES = ['data.test', 'gamma.test', 'stream.test', 'clob.test', 'node.test', 'telegram.test'] as const;

/** TLS in front of a stand-in that speaks none. */
async function secured(authority: Authority, port: number): Promise<number> {
  const server = createServer(await authority.issue({ names: NAMES }), (near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const portIn = (url: string) => Number(new URL(url).port);

test('the market, the node and both bots are reached through the proxy alone; its password is in no line', async () => {
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const market = await startMarket({ tape: TAPE, clock: systemClock });
  const chain = await startChainNode({ view: market.view, clock: systemClock });
  const telegram = await startTelegram();
  const discord = await createDiscordStandIn();
  const marketPort = await secured(authority, portIn(market.url));
  const ports: Readonly<Record<string, number>> = {
    'node.test:8546': await secured(authority, portIn(chain.wsUrl)),
    'discord.test:80': portIn(discord.api),
    'telegram.test:443': await secured(authority, portIn(telegram.url)),
  };
  const proxy = await startConnectProxy({
    login: 'operator:hush-hush',
    portOf: (name) => (name.startsWith('127.0.0.1:') ? portIn(`x://${name}`) : (ports[name] ?? marketPort)),
  });
  const service = startService({
    DATABASE_URL: 'sqlite::memory:',
    MARKET_SOURCE: 'polymarket',
    NODE_EXTRA_CA_CERTS: ca.path,
    // No name of these resolves.
    POLYMARKET_DATA_URL: 'https://data.test',
    POLYMARKET_GAMMA_URL: 'https://gamma.test',
    POLYMARKET_STREAM_URL: 'wss://stream.test',
    POLYMARKET_CLOB_URL: 'wss://clob.test',
    POLYGON_RPC_URL: 'wss://node.test:8546/path',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: 'https://telegram.test',
    DISCORD_TOKEN: TOKEN,
    // Its gateway has an address of its own: that of the stand-in.
    DISCORD_API_ROOT: discord.api.replace(/127\.0\.0\.1:\d+/, 'discord.test'),
    HTTPS_PROXY: proxy.url,
    http_proxy: proxy.url,
  });
  onTestFinished(async () => {
    await service.end('SIGKILL');
    await Promise.all([proxy.close(), market.close(), chain.close(), telegram.close(), discord.close()]);
    await ca.remove();
  });

  const { address } = await service.logged('listening');
  const bots = { telegram: { state: 'running' }, discord: { state: 'running' } };
  await vi.waitFor(async () => {
    const { checks } = (await (await fetch(`${address}/readyz`)).json()) as { checks: object };
    expect(checks).toMatchObject({ bots });
  });
  const gateway = `127.0.0.1:${portIn(discord.api)}`;
  await vi.waitFor(() => {
    const expected = ['data', 'gamma', 'stream'].map((name) => `${name}.test:443`);
    expect(proxy.targets).toEqual(
      expect.arrayContaining([
        ...expected,
        'node.test:8546',
        'telegram.test:443',
        'discord.test:80',
        gateway,
      ]),
    );
    for (const stream of ['trades', 'node'])
      expect(service.output()).toMatch(new RegExp(`"stream":"${stream}".*market stream connected`));
  });
  expect(discord.gateway.identified.length).toBeGreaterThan(0);
  expect(service.output()).toContain(`Through the proxy ${proxy.host}: the Data API`);
  expect(service.output()).not.toContain('hush-hush');
  expect(proxy.refused).toEqual([]);
});
