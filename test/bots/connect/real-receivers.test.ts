import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectMessenger } from '../../../bots/connect/connect-messenger.ts';
import { plainScreen } from '../../../bots/shared/screen.ts';
import type { SendResult } from '../../../src/core/chat/messenger.ts';
import type { Destination } from '../../../src/core/follow/follower.ts';
import type { GuardedClientOptions } from '../../../src/infra/outgoing/guarded-client.ts';
import { HttpDestinationClient } from '../../../src/infra/outgoing/webhook-sender.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { NAME, useAuthority } from '../../infra/outgoing/sender-fixture.ts';
import { ATTEMPT_MS } from '../../support/chat/driver.ts';
import { startFaultReceiver } from '../../support/receivers/fault-receiver.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { bodyOf, startHttpsServer, type TestHttpsServer } from '../../support/tls/https-server.ts';

const given = useAuthority();
const SCREEN = plainScreen(
  'personal_alert',
  [[{ bold: '78 · $44,000 on Yes' }], ['Will A & B <win>?']],
  [[{ label: 'Page', url: 'https://tipoff.example.com/alerts/7' }]],
);

interface Received {
  readonly line: string;
  readonly type: string | undefined;
  readonly body: Record<string, unknown>;
}

const received: Received[] = [];
let next: { status: number; headers?: Record<string, string>; body?: string } = { status: 200 };
let server: TestHttpsServer;

beforeAll(async () => {
  server = await startHttpsServer(given.certificate, async (request, response) => {
    const body = JSON.parse((await bodyOf(request)).toString());
    received.push({ line: `${request.method} ${request.url}`, type: request.headers['content-type'], body });
    response.writeHead(next.status, next.headers).end(next.body);
  });
});
afterAll(() => server.close());

const destination = (kind: Destination['kind'], path: string, port = server.port): Destination => ({
  ...{ kind, url: `https://${NAME}:${port}${path}`, createdAt: 1 },
});

async function sent(to: Destination, options: Partial<GuardedClientOptions> = {}) {
  const base = { isPublic: () => true, clock: systemClock, logger: silentLogger };
  const client = new HttpDestinationClient({ ...base, resolve: async () => ['127.0.0.1'], ...options });
  const messenger = new ConnectMessenger({
    ...{ client, clock: systemClock, logger: silentLogger },
    destinations: { current: async () => to, end: async () => {} },
  });
  const result = await messenger.send({ chat: 'ann' }, SCREEN, new AbortController().signal);
  await client.close();
  return result;
}

describe('a real receiver', () => {
  test('of Discord gets JSON, and its id of the message is kept', async () => {
    next = { status: 200, body: JSON.stringify({ id: '1234567890', content: 'x'.repeat(3_000) }) };
    const result = await sent(destination('discord', '/api/webhooks/1/token'));
    expect(result).toEqual({ ok: true, place: 'ann:1:1234567890' });
    expect(received.at(-1)).toEqual({
      line: 'POST /api/webhooks/1/token?wait=true',
      type: 'application/json',
      body: {
        content:
          '**78 · $44,000 on Yes**\n\nWill A & B \\<win\\>?\n\n[Page](<https://tipoff.example.com/alerts/7>)',
        allowed_mentions: { parse: [] },
        flags: 4,
      },
    });
  });

  test('of Slack gets its text', async () => {
    next = { status: 200, body: 'ok' };
    const result = await sent(destination('slack', '/services/T/B/x'));
    expect(result.ok).toBe(true);
    expect(received.at(-1)).toMatchObject({
      line: 'POST /services/T/B/x',
      body: {
        text: '*78 · $44,000 on Yes*\n\nWill A &amp; B &lt;win&gt;?\n\n<https://tipoff.example.com/alerts/7|Page>',
      },
    });
  });

  test('of ntfy gets it at the root of the server, with the token of the address', async () => {
    next = { status: 200, body: '{"id":"x"}' };
    const result = await sent(destination('ntfy', '/my-topic?auth=QmVhcmVyIHg'));
    expect(result.ok).toBe(true);
    expect(received.at(-1)).toMatchObject({
      line: 'POST /?auth=QmVhcmVyIHg',
      body: { topic: 'my-topic', title: '78 · $44,000 on Yes', click: 'https://tipoff.example.com/alerts/7' },
    });
  });

  test('that asks to wait is obeyed', async () => {
    next = { status: 429, headers: { 'retry-after': '12' } };
    const result = await sent(destination('slack', '/services/T/B/x'));
    expect(result).toMatchObject({ ok: false, reason: 'later', retryAfterMs: 12_000 });
  });
});

describe('a receiver that fails', () => {
  async function failure(fault: Parameters<typeof startFaultReceiver>[0]): Promise<SendResult> {
    const receiver = await startFaultReceiver(fault, given.certificate);
    const result = await sent(destination('slack', '/services/T/B/x', receiver.port), {
      timeoutMs: ATTEMPT_MS,
    });
    await receiver.close();
    return result;
  }

  test.each(['hangs before an answer', 'resets before an answer', 'answers in no HTTP'] as const)(
    'after it has the request may have taken the message: it %s',
    async (fault) => {
      expect(await failure(fault)).toMatchObject({ ok: false, reason: 'unknown' });
    },
  );

  test.each(['hangs before TLS', 'closes once connected', 'speaks plain HTTP'] as const)(
    'before it has the request took nothing: it %s',
    async (fault) => {
      expect(await failure(fault)).toMatchObject({ ok: false, reason: 'later' });
    },
  );

  test.each(['answers a gigabyte', 'never ends its body'] as const)(
    'in its body only has taken the message: it %s',
    async (fault) => {
      expect(await failure(fault)).toMatchObject({ ok: true });
    },
  );
});

test('an address within the network of the service gets nothing', async () => {
  const isPublic = (address: string) => address !== '127.0.0.1';
  const before = received.length;
  const result = await sent(destination('ntfy', '/my-topic'), { isPublic });
  expect(result).toMatchObject({ ok: false, reason: 'refused', detail: 'not_public' });
  expect(received).toHaveLength(before);
});
