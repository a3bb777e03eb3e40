import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alertOf } from '../../support/alerts.ts';
import { startApi } from '../../support/api-server.ts';
import { forgedKey } from '../../support/key-fixture.ts';
import { connectStream, refusedStream } from '../../support/stream-client.ts';

async function startConnected(query = '') {
  const api = await startApi();
  const { id, secret } = await api.issue();
  const client = connectStream(api.baseUrl, `api_key=${secret}${query}`);
  await client.received(1);
  return { ...api, id, secret, client };
}

async function startRefused(query: string) {
  const api = await startApi();
  const { secret } = await api.issue();
  return { client: connectStream(api.baseUrl, `api_key=${secret}${query}`) };
}

const WANTED_WALLET = '0x00000000000000000000000000000000000000bb';

describe('contract, WebSocket messages', () => {
  test.each([10, 120, 200, 60_000, 70_000])(
    'an alert with a title of %i characters arrives whole',
    async (length) => {
      const { client, append } = await startConnected();
      const eventTitle = 'é'.repeat(length);
      await append(alertOf({ id: 1, eventTitle }));
      const [, { data }] = await client.received(2);
      expect(data.event_title).toBe(eventTitle);
    },
  );

  test.each([
    ['category=crypto&min_signl=80&min_score=99', 'Unknown query parameters: min_signl, min_score'],
    ['min_signal=101', 'min_signal: Input should be less than or equal to 100'],
    ['side=HOLD', "side: Input should be 'BUY' or 'SELL'"],
    [
      'min_usdc=many&min_score=9',
      'Unknown query parameters: min_score; min_usdc: Input should be a valid number',
    ],
    [
      'since_id=-1&outcomes=maybe',
      'since_id: Input should be greater than or equal to 0; outcomes: Input should be',
    ],
  ])(
    'a socket with a wrong query is closed with 4400 and what is wrong, before anything is sent: %s',
    async (query, reason) => {
      const { client } = await startRefused(`&${query}`);
      expect(await client.closed).toEqual({ code: 4400, reason: expect.stringMatching(`^${reason}`) });
      expect(client.frames).toEqual([]);
    },
  );

  test.each([
    'category=crypto',
    'categories=crypto,tech',
    'side=SELL',
    'min_usdc=5000',
    'min_position=5000.01',
    'min_signal=80',
    'alert_type=cluster',
    'search=wanted',
    `wallet=${WANTED_WALLET}`,
    'market=0xwanted',
  ])('the stream filters by %s, as GET /alerts does', async (filter) => {
    const { client, append, get, secret } = await startConnected(`&${filter}`);
    const wanted = {
      ...({ category: 'crypto', side: 'SELL', usdc: 5001, score: 80, type: 'cluster' } as const),
      ...{ wallet: WANTED_WALLET, marketId: '0xwanted' },
    };
    const other = { category: 'world', side: 'BUY', usdc: 5000, score: 79, type: 'fresh' } as const;
    await append(
      alertOf({ id: 1, ...other, eventTitle: 'other' }),
      alertOf({ id: 2, ...wanted, eventTitle: 'wanted' }),
    );
    const [, { data }] = await client.received(2);
    expect(data.id).toBe(2);
    expect((await get(`/alerts?${filter}`, secret)).body.alerts).toMatchObject([{ id: 2 }]);
  });

  test('what a client sends right behind its handshake is heard', async () => {
    const { app, issue } = await startApi();
    const { secret } = await issue();
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = [
      `GET /ws/alerts?api_key=${secret} HTTP/1.1`,
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ];
    // A masked text frame whose mask is all zeroes.
    const ping = Buffer.concat([Buffer.from([0x81, 0x84, 0, 0, 0, 0]), Buffer.from('ping')]);
    socket.write(Buffer.concat([Buffer.from(head.join('\r\n')), ping]));
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.includes('pong')) break;
    }
    expect(text).toMatch(/101 Switching.*"connected".*{"type":"pong","log":{"seq":0,"hash":"0{64}"}}$/s);
  });
});

describe('issue: unknown or huge client messages are limited', () => {
  test('a message above 64 KB ends the socket with 1009', async () => {
    const { client } = await startConnected();
    client.socket.send('x'.repeat(64 * 1_024));
    await client.received(2);
    client.socket.send('x'.repeat(64 * 1_024 + 1));
    expect((await client.closed).code).toBe(1009);
  });

  test('pings of the protocol count as messages: more than 10 in a second end it with 4429', async () => {
    const { client } = await startConnected();
    for (let count = 0; count < 11; count += 1) client.socket.ping();
    expect((await client.closed).code).toBe(4429);
  });

  test('a message in many parts ends it with 1008', async () => {
    const { client } = await startConnected();
    for (let part = 0; part < 100; part += 1) client.socket.send('x', { fin: false });
    expect((await client.closed).code).toBe(1008);
  });
});

describe('server going', () => {
  test('open sockets get 1001 and what to do, a new handshake 503 with Retry-After, then the server closes', async () => {
    const api = await startApi();
    const { secret } = await api.issue({ tier: 'enterprise' });
    const clients = Array.from({ length: 30 }, () => connectStream(api.baseUrl, `api_key=${secret}`));
    await Promise.all(clients.map((client) => client.received(1)));
    const closing = api.app.close();
    const first = await Promise.race(clients.map(({ closed }) => closed));
    const { status, headers } = await refusedStream(api.baseUrl, `api_key=${secret}`);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await api.clock.advance(3_000);
    await closing;
    const all = await Promise.all(clients.map(({ closed }) => closed));
    expect([first, ...all]).toEqual(
      new Array(31).fill({ code: 1001, reason: expect.stringContaining('Reconnect with since_id') }),
    );
  });

  test('a client that does not answer the close is cut off', async () => {
    const { app, client } = await startConnected();
    client.socket.pause();
    const startedAt = performance.now();
    await app.close();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    const connections = await new Promise((tell) => app.server.getConnections((_, count) => tell(count)));
    expect(connections).toBe(0);
  });
});

test('the key of a query is in no log line, however the handshake or the socket ends', async () => {
  const lines: string[] = [];
  // What is logged before anything is redacted.
  const write = (fields: object, message: string) => void lines.push(inspected(fields), message);
  const logger = { debug: write, info: write, warn: write, error: write };
  const { baseUrl, issue, append } = await startApi({ logger });
  const { secret } = await issue();
  for (const query of [`api_key=${secret}&api_key=x`, `api_key=${forgedKey(secret)}`]) {
    await refusedStream(baseUrl, query);
  }
  await fetch(`${baseUrl}/ws/alerts?api_key=${secret}`);
  await fetch(`${baseUrl}/ws/%zz?api_key=${secret}`);
  await connectStream(baseUrl, `api_key=${secret}&min_signal=x`).closed;
  for (const act of ['close', 'terminate', 'huge', 'flood', 'text'] as const) {
    const client = connectStream(baseUrl, `api_key=${secret}`);
    await client.received(1);
    if (act === 'huge') client.socket.send('x'.repeat(70_000));
    else if (act === 'flood') for (let count = 0; count < 20; count += 1) client.socket.send('ping');
    else if (act === 'text') client.socket.send(secret, () => client.socket.close());
    else client.socket[act]();
    await client.closed;
  }
  await append(alertOf({ id: 1 }));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain(secret.slice('sk_live_'.length, -4));
});

function inspected(fields: object): string {
  return JSON.stringify(fields, (_key, value) =>
    value instanceof Error ? `${value.message} ${value.stack}` : value,
  );
}
