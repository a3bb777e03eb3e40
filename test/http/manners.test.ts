import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { earlyCode } from '../../src/http/schemas/error-codes.ts';
import { ask, startApi } from '../support/api-server.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { answersIn, sendRaw } from '../support/raw-http.ts';

async function startRaw(...given: Parameters<typeof startApi>) {
  const told: [string, number][] = [];
  const [change = {}, extend] = given;
  const onAnswer = (route: string, status: number) => void told.push([route, status]);
  const api = await startApi({ onAnswer, ...change }, extend);
  const { secret } = await api.issue({ tier: 'enterprise' });
  const raw = async (text: string) => answersIn(await sendRaw(Number(new URL(api.baseUrl).port), text));
  return { ...api, secret, told, raw };
}

const STANDING = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

describe('security headers', () => {
  test('are on every answer, whichever part gives it', async () => {
    const { baseUrl, get, secret } = await startRaw();
    const answers = [
      await get('/alerts/latest', secret),
      await get('/me'),
      await get('/nothing'),
      await get('/alerts/%zz', secret),
      await get('/openapi.json'),
      await ask(`${baseUrl}/healthz`),
      await ask(`${baseUrl}/metrics`),
      await ask(`${baseUrl}/api/v1/me`, { method: 'OPTIONS' }),
      await ask(`${baseUrl}/api/v1/me`, { method: 'PUT' }),
    ];
    for (const { headers } of answers) expect(Object.fromEntries(headers)).toMatchObject(STANDING);
  });

  test('no transport security is promised over plain HTTP, and no server is named', async () => {
    const { get } = await startRaw();
    const { headers } = await get('/hot-markets');
    for (const name of ['strict-transport-security', 'server', 'x-powered-by'])
      expect(headers.has(name)).toBe(false);
  });
});

describe('what is no proper request', () => {
  const me = (secret: string, path = '/api/v1/me') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`;

  test('comes after the answers to the good requests before it, and closes the connection', async () => {
    const { raw, secret, told } = await startRaw();
    const answers = await raw(`${me(secret)}${me(secret, '/api/v1/alerts/9')}this is no HTTP\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400]);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ tier: 'enterprise' });
    expect(answers[2]?.head).toMatch(/connection: close/i);
    expect(told.toSorted()).toContainEqual(['none', 400]);
  });

  test('does not wait for a body that will never be whole', async () => {
    const schema = { body: z.object({ name: z.string() }) };
    const { raw } = await startRaw({}, (app) => void app.post('/echo', { schema }, async () => 'ok'));
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answers = await raw(`${head}5\r\n{"nam\r\nZZ\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test.each([
    ['no host', 'GET /api/v1/hot-markets HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['a second host', 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nhOST: x\r\n\r\n', 400],
    ['a second host in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', 400],
    ['an unmet expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n', 417],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    [
      'two lengths',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'length and chunks',
      'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s is refused in the shape of every refusal, with an id, and counted', async (_name, text, status) => {
    const { raw, told } = await startRaw();
    const answers = await raw(text);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(JSON.parse(answers[0]?.body ?? '')).toEqual({
      detail: expect.any(String),
      code: earlyCode(status),
    });
    expect(answers[0]?.head).toMatch(/\r\nx-request-id: \S+/);
    expect(answers[0]?.head).toMatch(/\r\nx-content-type-options: nosniff/);
    expect(answers[0]?.head).toContain(`\r\nlink: </docs/errors#${earlyCode(status)}>; rel="help"`);
    expect(told.map(([, code]) => code)).toEqual([status]);
  });

  test('a request that does not arrive in time is a 408', async () => {
    const { app, raw } = await startRaw();
    // Node looks for late requests at intervals; what it then emits is emitted here.
    app.server.once('connection', (socket) => {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      app.server.emit('clientError', late, socket);
    });
    const [answer] = await raw('GET /healthz HTTP/1.1\r\nHost:');
    expect([answer?.status, JSON.parse(answer?.body ?? '').code]).toEqual([408, 'request_timeout']);
  });
});

describe('keys and ids', () => {
  test('two different keys are none, the same one twice is one', async () => {
    const { raw, secret } = await startRaw();
    const line = (key: string) => `Authorization: Bearer ${key}\r\n`;
    const asked = async (...keys: string[]) =>
      (
        await raw(`GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${keys.map(line).join('')}\r\n`)
      )[0]?.status;
    expect(await asked(secret, secret)).toBe(200);
    expect(await asked(secret, forgedKey())).toBe(401);
    expect(await asked(forgedKey(), secret)).toBe(401);
  });
});

describe('addresses', () => {
  test('one slash at the end does not matter; case and doubled slashes do', async () => {
    const { get, secret, baseUrl } = await startRaw();
    const statusOf = async (path: string) => (await get(path, secret)).status;
    expect(await statusOf('/me/')).toBe(200);
    expect(await statusOf('/alerts/latest/?limit=1')).toBe(200);
    expect(await statusOf('/ME')).toBe(404);
    expect(await statusOf('//me')).toBe(404);
    expect(await statusOf('/me//')).toBe(404);
    expect((await ask(`${baseUrl}/API/v1/hot-markets`)).status).toBe(404);
  });
});
