import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import type { AttemptResult } from '../../../src/core/delivery/webhooks/delivery.ts';
import { createPublicResolver, type ResolveHost } from '../../../src/infra/outgoing/guarded-connect.ts';
import type { WebhookSenderOptions } from '../../../src/infra/outgoing/webhook-sender.ts';
import { createFakeClock } from '../../support/clock.ts';
import { answer, FAULTS, type Fault, type FaultName } from '../../support/receivers/faults.ts';
import { startNameServer } from '../../support/receivers/name-server.ts';
import { createAuthority, selfSigned } from '../../support/tls/authority.ts';
import { makeSender, messageTo, NAME, openReceiver, useAuthority, withReceiver } from './sender-fixture.ts';

/** The sender's own time limit (contract, Webhook acknowledgement). */
const BUDGET_MS = 5_000;
const given = useAuthority();

function deliverTo(
  name: FaultName,
  change: Partial<WebhookSenderOptions> = {},
  certificate = given.certificate,
) {
  return withReceiver(
    name,
    certificate,
    async (receiver, sender) => ({ ...(await sender.send(messageTo(receiver))), receiver }),
    change,
  );
}

const ENDS: Record<FaultName, readonly [AttemptResult['status'], AttemptResult['error']]> = {
  'hangs before TLS': [null, 'timeout'],
  'closes once connected': [null, 'reset'],
  'speaks plain HTTP': [null, 'tls'],
  'hangs before an answer': [null, 'timeout'],
  'resets before an answer': [null, 'reset'],
  'closes within the head': [null, 'reset'],
  'resets within the body': [200, null],
  'drips its head': [null, 'timeout'],
  'drips its body': [200, null],
  'never ends its body': [200, null],
  'answers 500': [500, 'status'],
  'answers a gigabyte': [200, null],
  'sends endless headers': [null, 'protocol'],
  'answers in no HTTP': [null, 'protocol'],
  'answers with two lengths': [null, 'protocol'],
  'switches protocols': [null, 'protocol'],
  'says 103 a hundred times, then 200': [200, null],
  'says 102 endlessly': [null, 'timeout'],
  'says 103 a million times': [null, 'protocol'],
  'never ends the extension of a chunk': [200, null],
  // RFC 9110 lets a server say it unasked; the HTTP client here takes it for a mistake.
  'says 100 unasked': [null, 'protocol'],
  'answers twice': [200, null],
};

/** Much more than the kernels of both sides hold back, much less than a gigabyte. */
const FEW_BYTES = 16 * 2 ** 20;

describe.concurrent('a receiver that', () => {
  test.each(Object.keys(FAULTS) as FaultName[])(
    '%s: one word, in time, and nothing stays open',
    async (name) => {
      const { status, error, durationMs, receiver } = await deliverTo(name);
      expect([status, error]).toEqual(ENDS[name]);
      expect(durationMs).toBeLessThan(BUDGET_MS + 1_500);
      expect(receiver.bytesSent).toBeLessThan(FEW_BYTES);
      expect(receiver.connections, 'no second attempt').toBe(1);
    },
  );

  test.each(['answers in no HTTP', 'answers with two lengths'] as const)(
    '%s: none of it reaches the log',
    async (name) => {
      const lines: unknown[] = [];
      await deliverTo(name, { logger: { warn: (...line) => void lines.push(line) } });
      expect(lines).toEqual([]);
    },
  );

  test.each(['drips its body', 'never ends its body'] as const)(
    '%s: delivered with its head',
    async (name) => {
      expect((await deliverTo(name)).durationMs).toBeLessThan(BUDGET_MS - 500);
    },
  );

  test('never ends its body: holds up no other delivery to its host', async () => {
    const receiver = await openReceiver('never ends its body', given.certificate);
    const sender = makeSender();
    const sent = Array.from({ length: 32 }, () => sender.send(messageTo(receiver)));
    const results = await Promise.all(sent);
    expect(results.map(({ error }) => error)).toEqual(sent.map(() => null));
  });

  test('never answers: has 5 seconds, all in all (contract, Webhook acknowledgement)', async () => {
    const receiver = await openReceiver('hangs before an answer', given.certificate);
    const clock = createFakeClock(Date.now());
    const sender = makeSender({ clock, resolve: () => clock.sleep(2_000).then(() => ['127.0.0.1']) });
    let isOver = false;
    const sent = sender.send(messageTo(receiver)).finally(() => {
      isOver = true;
    });
    await clock.asleep(2);
    await clock.advance(2_000);
    await vi.waitFor(() => expect(receiver.requests).toBe(1), 10_000);
    await clock.advance(2_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await sent).toMatchObject({ status: null, error: 'timeout' });
    await receiver.allClosed();
  });
});

describe.concurrent('a certificate', () => {
  test.each([
    ['that ended', () => given.authority.issue({ names: [NAME], expired: true })],
    ['for another name', () => given.authority.issue({ names: ['other.example.test'] })],
    ['for the address but not the name', () => given.authority.issue({ names: ['127.0.0.1'] })],
    ['of an untrusted authority', async () => (await createAuthority('Stranger')).issue({ names: [NAME] })],
    ['that only vouches for itself', () => selfSigned({ names: [NAME] })],
  ])('%s is not taken, and nothing is sent', async (_, make) => {
    const { status, error, receiver } = await deliverTo('answers 500', {}, await make());
    expect([status, error]).toEqual([null, 'tls']);
    expect(receiver.requests).toBe(0);
  });

  test('is verified although any address may be gone to', async () => {
    const receiver = await openReceiver('answers 500', await selfSigned({ names: [NAME] }));
    const sender = makeSender({ isPublic: null });
    expect((await sender.send(messageTo(receiver))).error).toBe('tls');
  });
});

function redirectTo(status: number, location: string): Fault {
  return { at: 'request', act: (secure) => void secure.write(answer(status, `location: ${location}`)) };
}

describe.concurrent('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('of %i is not followed, and is no acknowledgement', async (status) => {
    const inside = await openReceiver('answers 500', given.certificate);
    const outside = await openReceiver(
      redirectTo(status, `https://${NAME}:${inside.port}/`),
      given.certificate,
    );
    const sender = makeSender();
    expect(await sender.send(messageTo(outside))).toMatchObject({ status, error: 'redirect' });
    expect(inside.connections).toBe(0);
  });
});

describe.concurrent('a name', () => {
  test.each<[string, ResolveHost]>([
    ['that is not there', () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOTFOUND' }))],
    ['without addresses', async () => []],
  ])('%s is a failure of DNS', async (_, resolve) => {
    const sender = makeSender({ resolve });
    expect(await sender.send(messageTo({ port: 443 }))).toMatchObject({ status: null, error: 'dns' });
  });
});

test('what a name server says is what the delivery says', async () => {
  const names = await startNameServer({ 'silent.example.test': null });
  const sender = makeSender({ resolve: createPublicResolver([names.address]), timeoutMs: 2_000 });
  expect((await sender.send(messageTo({ port: 443 }, 'gone.example.test'))).error).toBe('dns');
  expect((await sender.send(messageTo({ port: 443 }, 'silent.example.test'))).error).toBe('timeout');
  await names.close();
});

test('a receiver that speaks nothing but HTTP/2 is a failure of TLS', async () => {
  const server = createServer({ ...given.certificate, ALPNProtocols: ['h2'] });
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const sender = makeSender();
  const result = await sender.send(messageTo(server.address() as AddressInfo));
  expect(result).toMatchObject({ status: null, error: 'tls' });
  await new Promise((closed) => server.close(closed));
});

test('without a listener the connection is refused', async () => {
  const receiver = await openReceiver('answers 500', given.certificate);
  await receiver.close();
  const sender = makeSender();
  expect(await sender.send(messageTo(receiver))).toMatchObject({ status: null, error: 'refused' });
});

test('of several addresses the next is tried when one refuses', async () => {
  const receiver = await openReceiver('answers 500', given.certificate);
  const sender = makeSender({ resolve: async () => ['::1', '127.0.0.2', '127.0.0.1'] });
  expect(await sender.send(messageTo(receiver))).toMatchObject({ status: 500, error: 'status' });
});
