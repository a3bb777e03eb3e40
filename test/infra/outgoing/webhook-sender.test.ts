import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WebhookMessage } from '../../../src/core/delivery/webhooks/webhook.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { startConnectProxy } from '../../support/connect-proxy.ts';
import type { ServerCertificate } from '../../support/tls/authority.ts';
import { bodyOf, startHttpsServer } from '../../support/tls/https-server.ts';
import { makeSender, messageTo, NAME, useAuthority } from './sender-fixture.ts';

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const [OLD, NEW, OTHER] = [secretOf('o'), secretOf('n'), secretOf('x')] as const;
const OK = { status: 200, error: null, retryAfterSeconds: null };
const NOW = Math.floor(Date.now() / 1_000) * 1_000;
const BODY = JSON.stringify({ id: 7, event_title: 'Élection – 選挙 🗳' });

let receiver: Receiver;
const given = useAuthority([NAME, '127.0.0.1']);
const sender = makeSender({ clock: { ...systemClock, now: () => NOW } });

beforeAll(async () => {
  receiver = await startReceiver(given.certificate);
});
afterAll(async () => {
  await sender.close();
  await receiver.close();
});

async function delivered(message: Partial<WebhookMessage> = {}): Promise<Received> {
  const url = `https://hooks.example.test:${receiver.port}/in?tenant=1`;
  const result = await sender.send({
    ...{ id: 'msg_7_abc', url, body: BODY, format: 'json', secrets: [NEW] },
    ...message,
  });
  expect(result).toEqual({ ...OK, durationMs: expect.any(Number) });
  return receiver.received.at(-1) as Received;
}

function isAccepted({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

test('a webhook takes no proxy, whatever the environment names', async () => {
  const proxy = await startConnectProxy();
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
    vi.stubEnv(name, name.startsWith('NODE') ? '1' : proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  onTestFinished(proxy.close);
  await delivered();
  expect(proxy.targets).toEqual([]);
});

test('what is sent is a POST of exactly the body, as JSON of that length (contract, Webhook delivery)', async () => {
  const { method, path, headers, body } = await delivered();
  expect({ method, path, body: body.toString() }).toEqual({
    method: 'POST',
    path: '/in?tenant=1',
    body: BODY,
  });
  expect(headers).toMatchObject({
    host: `hooks.example.test:${receiver.port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(BODY)),
    'user-agent': expect.stringMatching(/^Tipoff\/\d+\.\d+\.\d+ \(\+webhooks\)$/),
    'webhook-id': 'msg_7_abc',
    'webhook-timestamp': String(Math.floor(NOW / 1_000)),
  });
  expect(headers).not.toHaveProperty('transfer-encoding');
});

test('during a rotation it is accepted with either secret', async () => {
  const received = await delivered({ secrets: [NEW, OLD] });
  expect([NEW, OLD, OTHER].map((secret) => isAccepted(received, secret))).toEqual([true, true, false]);
  expect(String(received.headers['webhook-signature']).split(' ')).toHaveLength(2);
});

test('any body arrives as it was, and is signed as it arrived', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (body) => {
      const received = await delivered({ body });
      expect(received.body.toString()).toBe(body);
      expect(isAccepted(received, NEW)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

describe('the answer of the receiver', () => {
  test.each([
    [200, 'json', null],
    [201, 'json', 'status'],
    [204, 'json', 'status'],
    [200, 'slack', null],
    [204, 'discord', null],
    [299, 'ntfy', null],
    [304, 'discord', 'redirect'],
    [400, 'slack', 'status'],
    [503, 'ntfy', 'status'],
  ] as const)('%i to the format %s ends the delivery with the error %s', async (status, format, error) => {
    receiver.answerNext(status);
    const result = await sender.send({ ...messageTo(receiver), format });
    expect(result).toMatchObject({ status, error, retryAfterSeconds: null });
  });

  test.each([
    ['65', 65],
    ['64.2', 65],
    ['0', 0],
    [new Date(NOW + 90_000).toUTCString(), 90],
    [new Date(NOW - 90_000).toUTCString(), 0],
    [new Date(NOW + 30 * 86_400_000).toUTCString(), 7 * 86_400],
    ['99999999999999999999', 7 * 86_400],
    ['-1', null],
    ['soon', null],
    ['', null],
  ])('429 with Retry-After %j asks to wait %s seconds, and is not repeated', async (retryAfter, seconds) => {
    const before = receiver.received.length;
    receiver.answerNext(429, { 'retry-after': retryAfter });
    const result = await sender.send({ ...messageTo(receiver), format: 'json' });
    expect(result).toMatchObject({ status: 429, error: 'status', retryAfterSeconds: seconds });
    expect(receiver.received).toHaveLength(before + 1);
  });

  test('that is an acknowledgement asks for no wait', async () => {
    receiver.answerNext(200, { 'retry-after': '5' });
    expect(await sender.send(messageTo(receiver))).toMatchObject({ error: null, retryAfterSeconds: null });
  });
});

test('an address of an IP is asked for by that IP', async () => {
  const { headers } = await delivered({ url: `https://127.0.0.1:${receiver.port}` });
  expect(headers.host).toBe(`127.0.0.1:${receiver.port}`);
});

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver of webhooks that does all as it should. */
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function startReceiver(certificate: ServerCertificate) {
  const received: Received[] = [];
  let next: readonly [number, Record<string, string>] = [200, {}];
  const server = await startHttpsServer(certificate, async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: await bodyOf(request) });
    response.writeHead(...next).end(next[0] === 204 || next[0] === 304 ? undefined : 'thank you');
    next = [200, {}];
  });
  return {
    ...server,
    received: received as readonly Received[],
    answerNext: (status: number, headers: Record<string, string> = {}) => {
      next = [status, headers];
    },
  };
}
