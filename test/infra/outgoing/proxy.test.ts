import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { createAgent } from '../../../src/infra/outgoing/agent.ts';
import {
  type ProxySettings,
  proxiedAgent,
  proxiedConnect,
  proxyFor,
} from '../../../src/infra/outgoing/proxy.ts';
import { configOf } from '../../support/config.ts';
import { startConnectProxy } from '../../support/connect-proxy.ts';
import { createAuthority, trust } from '../../support/tls/authority.ts';
import { startHttpsServer } from '../../support/tls/https-server.ts';

const PROXY = 'http://proxy.example.com:3128';

describe('which proxy', () => {
  const via = (environment: Record<string, string>, address: string) =>
    proxyFor(address, configOf(environment).proxy)?.host ?? 'direct';

  test.each([
    [{ HTTPS_PROXY: PROXY }, 'https://a.example', 'proxy.example.com:3128'],
    [{ HTTPS_PROXY: PROXY }, 'wss://a.example', 'proxy.example.com:3128'],
    [{ HTTPS_PROXY: PROXY }, 'http://a.example', 'direct'],
    [{ HTTP_PROXY: PROXY }, 'http://a.example', 'proxy.example.com:3128'],
    [{ HTTP_PROXY: PROXY }, 'ws://a.example', 'proxy.example.com:3128'],
    [{ HTTP_PROXY: PROXY }, 'wss://a.example', 'direct'],
    [{ ALL_PROXY: PROXY, HTTP_PROXY: 'h:1' }, 'https://a.example', 'proxy.example.com:3128'],
    [{ ALL_PROXY: PROXY, HTTP_PROXY: 'h:1' }, 'http://a.example', 'h:1'],
    [{ https_proxy: PROXY }, 'https://a.example', 'proxy.example.com:3128'],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'other:1' }, 'https://a.example', 'proxy.example.com:3128'],
    [{ https_proxy: '', HTTPS_PROXY: PROXY }, 'https://a.example', 'proxy.example.com:3128'],
    [{ HTTPS_PROXY: 'proxy.example.com:3128' }, 'https://a.example', 'proxy.example.com:3128'],
    [{ HTTPS_PROXY: '' }, 'https://a.example', 'direct'],
  ])('%o, %s: %s', (environment, address, expected) => {
    expect(via(environment as Record<string, string>, address)).toBe(expected);
  });

  test.each([
    ['*', 'https://data-api.polymarket.com', true],
    ['polymarket.com', 'https://data-api.polymarket.com', true],
    ['.polymarket.com', 'https://data-api.polymarket.com', true],
    ['*.polymarket.com', 'wss://ws-live-data.polymarket.com/x', true],
    ['polymarket.com', 'https://polymarket.com', true],
    ['polymarket.com', 'https://notpolymarket.com', false],
    ['POLYMARKET.com', 'https://Data-API.polymarket.COM', true],
    ['data-api.polymarket.com:443', 'https://data-api.polymarket.com', true],
    ['data-api.polymarket.com:8443', 'https://data-api.polymarket.com', false],
    ['node.lan:8546', 'wss://node.lan:8546/key', true],
    ['a.example, b.example other.example', 'https://b.example', true],
    ['a.example b.example', 'https://b.example', true],
    [',,', 'https://b.example', false],
    ['10.0.0.0/8', 'https://10.20.30.40:8545', true],
    ['10.0.0.0/8', 'https://11.20.30.40:8545', false],
    ['10.0.0.0/8', 'https://10.example', false],
    ['10.0.0.0/99', 'https://10.20.30.40', false],
    ['127.0.0.1', 'https://127.0.0.1:9000', true],
    ['127.0.0.1:9000', 'https://127.0.0.1:9001', false],
    ['::1', 'https://[::1]:9000', true],
    ['[::1]:9000', 'https://[::1]:9000', true],
    ['[::1]:9000', 'https://[::1]:9001', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['localhost', 'https://127.0.0.1', false],
  ])('NO_PROXY=%s lets %s go directly: %s', (exceptions, address, isDirect) => {
    const words = via({ HTTPS_PROXY: PROXY, NO_PROXY: exceptions }, address);
    expect(words).toBe(isDirect ? 'direct' : 'proxy.example.com:3128');
    expect(via({ HTTPS_PROXY: PROXY, no_proxy: exceptions }, address)).toBe(words);
  });

  test.each(['socks5://user:hush@proxy:1080', 'ftp://hush@x', 'http://'])(
    'a proxy of another kind is refused without repeating it: %s',
    (address) => {
      expect(() => configOf({ ALL_PROXY: address })).toThrow(/^ALL_PROXY: expected an HTTP proxy like/);
      expect(() => configOf({ ALL_PROXY: address })).not.toThrow(/hush/);
    },
  );
});

describe('through a proxy', () => {
  let untrust: () => void;
  let authority: Awaited<ReturnType<typeof createAuthority>>;
  beforeAll(async () => {
    authority = await createAuthority();
    untrust = trust(authority);
  });
  afterAll(() => untrust());

  async function secureTarget() {
    const server = await startHttpsServer(await authority.issue({ names: ['api.example'] }), (_, response) =>
      response.end('secret answer'),
    );
    onTestFinished(() => server.close());
    return { portOf: () => server.port };
  }

  const settings = (proxy: string): ProxySettings => configOf({ ALL_PROXY: proxy }).proxy;

  async function ask(address: string, proxies: ProxySettings): Promise<string> {
    const dispatcher = createAgent({ connect: proxiedConnect(proxies) });
    onTestFinished(() => dispatcher.destroy());
    return (await request(address, { dispatcher })).body.text();
  }

  test.each([
    ['user:pass', 'user:pass'],
    ['user:p%40ss%3Aw', 'user:p@ss:w'],
    ['user:100%', 'user:100%'],
  ])(
    'the login %s is sent as %s, and the target is verified by its own certificate',
    async (given, login) => {
      const proxy = await startConnectProxy({ login, ...(await secureTarget()) });
      onTestFinished(proxy.close);
      const address = `http://${given}@${proxy.host}`;
      expect(await ask('https://api.example/x', settings(address))).toBe('secret answer');
      await expect(ask('https://other.example/x', settings(address))).rejects.toThrow(
        /altnames|certificate/i,
      );
      expect(proxy.targets).toEqual(['api.example:443', 'other.example:443']);
    },
  );

  test('a proxy over TLS, with a target over TLS and one without', async () => {
    const certificate = await authority.issue({ names: ['127.0.0.1'] });
    const secure = await startConnectProxy({ certificate, ...(await secureTarget()) });
    onTestFinished(secure.close);
    expect(await ask('https://api.example', settings(secure.url))).toBe('secret answer');

    const server = createServer((_, response) => response.end('plain answer')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const plain = await startConnectProxy({ portOf: () => port });
    onTestFinished(plain.close);
    expect(await ask('http://plain.example:8545', settings(plain.url))).toBe('plain answer');
    expect(plain.targets).toEqual(['plain.example:8545']);
  });

  test('a WebSocket takes the proxy', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    server.on('connection', (socket) => socket.send('hello'));
    const { port } = server.address() as AddressInfo;
    const proxy = await startConnectProxy({ login: 'a:b', portOf: () => port });
    onTestFinished(proxy.close);
    const address = 'ws://stream.example/live';
    const socket = new WebSocket(address, { agent: proxiedAgent(address, settings(proxy.url)) });
    onTestFinished(() => socket.terminate());
    const [frame] = (await once(socket, 'message')) as [RawData];
    expect(String(frame)).toBe('hello');
    expect(proxy.targets).toEqual(['stream.example:80']);
  });

  test('a refusal, a closed port and a silent proxy are errors that name the proxy, never its password', async () => {
    const proxy = await startConnectProxy({ login: 'user:hush' });
    const wrong = settings(`http://user:wrong-hush@${proxy.host}`);
    await expect(ask('https://api.example', wrong)).rejects.toThrow(`proxy ${proxy.host} answered 407`);
    const address = 'wss://api.example';
    const socket = new WebSocket(address, { agent: proxiedAgent(address, wrong) });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe(`proxy ${proxy.host} answered 407`);
    await proxy.close();
    await expect(ask('https://api.example', wrong)).rejects.toThrow(
      new RegExp(`^proxy ${proxy.host} unavailable: connect ECONNREFUSED`),
    );

    const silent = createServer().on('connect', () => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => silent.closeAllConnections());
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const dispatcher = createAgent({ connect: proxiedConnect(settings(`http://127.0.0.1:${port}`)) });
    onTestFinished(() => dispatcher.destroy());
    const stop = new AbortController();
    const asked = request('https://api.example', { dispatcher, signal: stop.signal });
    await once(silent, 'connect');
    stop.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
  });
});
