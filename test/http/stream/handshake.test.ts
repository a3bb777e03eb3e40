import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ask, startApi } from '../../support/api-server.ts';
import { answersIn, sendRaw } from '../../support/raw-http.ts';
import { connectStream, refusedStream } from '../../support/stream-client.ts';

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

async function startRaw() {
  const api = await startApi();
  const { port } = api.app.server.address() as AddressInfo;
  return {
    ...api,
    raw: async (path: string, headers: readonly string[], method = 'GET') =>
      answersIn(
        await sendRaw(port, `${[`${method} ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`),
      ),
    port,
  };
}

describe('contract, Authentication: the key in the query parameter api_key, not in a header', () => {
  test('no key, or one in a header only, is answered 401 that says where it belongs', async () => {
    const { baseUrl, issue } = await startApi();
    const { secret } = await issue();
    for (const headers of [{}, { authorization: `Bearer ${secret}` }]) {
      const answer = await refusedStream(baseUrl, 'since_id=1', headers);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        detail: 'API key missing. Send it in the query parameter api_key.',
        code: 'key_missing',
      });
      expect(answer.headers).toMatchObject({
        'www-authenticate': 'Bearer',
        'x-request-id': expect.any(String),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        connection: 'close',
      });
    }
  });

  test('two keys that differ are none; the same one twice is one', async () => {
    const { baseUrl, issue } = await startApi();
    const [one, other] = [await issue(), await issue()];
    const { status } = await refusedStream(baseUrl, `api_key=${one.secret}&api_key=${other.secret}`);
    expect(status).toBe(401);
    const client = connectStream(baseUrl, `api_key=${one.secret}&api_key=${one.secret}`);
    expect(await client.received(1)).toMatchObject([{ type: 'connected', tier: 'pro' }]);
  });

  test('a handshake counts as a call, and against the rate limit: 429 like anywhere else', async () => {
    const { baseUrl, issue, get } = await startApi();
    const { secret } = await issue();
    for (let count = 0; count < 300; count += 1) await get('/me', secret);
    const { status, headers, body } = await refusedStream(baseUrl, `api_key=${secret}`);
    expect([status, body.detail]).toEqual([429, 'Rate limit exceeded. pro tier: 300 req/min.']);
    expect(headers).toMatchObject({ 'retry-after': expect.any(String), 'ratelimit-remaining': '0' });
    expect((await get('/stats', secret)).status).toBe(200);
  });
});

describe('design: sockets per key', () => {
  test('a pro key has 5, also of 20 concurrent handshakes; a place comes back however a socket or a handshake ends, and another key has its own', async () => {
    const { baseUrl, issue } = await startApi();
    const [{ secret }, other] = [await issue(), await issue()];
    const open = async (query = '') => {
      const client = connectStream(baseUrl, `api_key=${secret}${query}`);
      const isOpen = await client.received(1).then(
        () => true,
        () => false,
      );
      return { ...client, isOpen };
    };
    for (let round = 0; round < 8; round += 1) await open('&min_signal=x').then(({ closed }) => closed);
    const concurrent = await Promise.all(Array.from({ length: 20 }, () => open()));
    const first = concurrent.filter(({ isOpen }) => isOpen);
    expect(first).toHaveLength(5);
    expect(await connectStream(baseUrl, `api_key=${other.secret}`).received(1)).toHaveLength(1);
    first[0]?.socket.close();
    first[1]?.socket.terminate();
    first[2]?.socket.send('x'.repeat(70_000));
    await Promise.all(first.slice(0, 3).map(({ closed }) => closed));
    let opened = 0;
    for (let attempt = 0; attempt < 50 && opened < 3; attempt += 1) opened += (await open()).isOpen ? 1 : 0;
    expect(opened).toBe(3);
    expect((await open()).isOpen).toBe(false);
  });
});

describe('what is no handshake', () => {
  test('a plain GET is answered 426 with Upgrade: websocket; other methods 405', async () => {
    const { baseUrl } = await startApi();
    const plain = await ask(`${baseUrl}/ws/alerts?api_key=x`);
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(plain.body.detail).toContain('WebSocket client');
    for (const method of ['POST', 'HEAD', 'DELETE']) {
      const { status, headers } = await ask(`${baseUrl}/ws/alerts`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, OPTIONS']);
    }
  });

  test('a request elsewhere that asks for an upgrade is answered as if it had not', async () => {
    const { raw } = await startRaw();
    const h2c = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
    expect((await raw('/healthz', h2c)).map(({ status }) => status)).toEqual([200]);
    expect((await raw('/ws/alerts', h2c)).map(({ status }) => status)).toEqual([426]);
    for (const [path, status] of [
      ['/healthz', 200],
      ['/ws/alertsx', 404],
      ['/api/v1/ws/alerts', 404],
    ] as const) {
      const answers = await raw(path, [...UPGRADE.slice(1), 'Connection: Upgrade, close']);
      expect(answers.map((answer) => answer.status)).toEqual([status]);
    }
  });

  test('one behind a request that is not answered yet is refused after its answer', async () => {
    const { port, issue } = await startRaw();
    const { secret } = await issue();
    const first = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    const second = [`GET /ws/alerts?api_key=${secret} HTTP/1.1`, 'Host: x', ...UPGRADE, '\r\n'].join('\r\n');
    const answers = answersIn(await sendRaw(port, first + second));
    expect(answers.map(({ status }) => status)).toEqual([200, 426]);
  });

  test.each([
    ['no Sec-WebSocket-Key', 3, '', 400],
    ['a wrong Sec-WebSocket-Key', 3, 'Sec-WebSocket-Key: x', 400],
    ['another version', 2, 'Sec-WebSocket-Version: 12', 426],
    ['a wrong subprotocol', 0, 'Connection: Upgrade\r\nSec-WebSocket-Protocol: a,,b', 400],
  ])('%s is refused, and takes no place', async (_name, index, line, status) => {
    const { raw, issue, baseUrl } = await startRaw();
    const { secret } = await issue();
    const headers = UPGRADE.with(index, line).filter((header) => header !== '');
    for (let count = 0; count < 6; count += 1) {
      const answers = await raw(`/ws/alerts?api_key=${secret}`, headers);
      expect(answers.map((answer) => answer.status)).toEqual([status]);
    }
    expect(await connectStream(baseUrl, `api_key=${secret}`).received(1)).toHaveLength(1);
  });
});
