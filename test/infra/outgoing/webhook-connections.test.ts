import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { WebhookSender } from '../../../src/core/delivery/webhooks/webhook.ts';
import type { GuardedClientOptions } from '../../../src/infra/outgoing/guarded-client.ts';
import type { FaultReceiver } from '../../support/receivers/fault-receiver.ts';
import { answer, type Fault } from '../../support/receivers/faults.ts';
import {
  makeSender,
  messageTo,
  NAME,
  openReceiver,
  withReceiver as runWithReceiver,
  useAuthority,
} from './sender-fixture.ts';

const given = useAuthority([NAME, 'other.example.test']);

const answering = (headers?: string): Fault => ({
  at: 'request',
  act: (secure) => void secure.write(answer(200, headers)),
});
const isDelivered = { status: 200, error: null };

const withReceiver = (
  fault: Fault,
  run: (receiver: FaultReceiver, sender: WebhookSender) => Promise<void>,
  change: Partial<GuardedClientOptions> = {},
) => runWithReceiver(fault, given.certificate, run, change);

/** A shorter time limit than the sender's own, so that these tests end soon. */
const WAITING_MS = 2_500;

const HANGS_UP: Fault = { at: 'request', act: (secure) => void secure.end(answer(200)) };

/** Answers the first request of a connection, and ends it as soon as the next one is there, as if it had just closed it as idle. */
const CROSSING: Readonly<Record<string, (secure: Socket, raw: Socket) => void>> = {
  'resets it': (_secure, raw) => void raw.resetAndDestroy(),
  'ends it': (secure) => void secure.end(),
  'ends it without TLS': (_secure, raw) => void raw.destroy(),
};

test.each(Object.keys(CROSSING))(
  'no delivery is lost to a receiver that closes an idle connection in the moment of the next request: %s',
  async (how) => {
    const served = new WeakSet<Socket>();
    const act = (secure: Socket, raw: Socket) => {
      if (served.has(secure)) return CROSSING[how]?.(secure, raw);
      served.add(secure);
      secure.write(answer(200, 'connection: keep-alive'));
    };
    await withReceiver({ at: 'request', act }, async (receiver, sender) => {
      for (let count = 0; count < 20; count++)
        expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
      expect(receiver.requests).toBe(20);
    });
  },
);

test('deliveries at the same time to a receiver that hangs up after each all arrive', async () => {
  await withReceiver(HANGS_UP, async (receiver, sender) => {
    const results = await Promise.all(Array.from({ length: 40 }, () => sender.send(messageTo(receiver))));
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
    expect(receiver.requests).toBe(40);
  });
});

test('to one origin 16 connections are made; waiting for one of them counts, too, and leaves nothing behind', async () => {
  let isStuck = true;
  const fault: Fault = {
    at: 'request',
    act: (secure) => void (isStuck || secure.write(answer(200))),
  };
  const run = async (receiver: FaultReceiver, sender: WebhookSender) => {
    const sendMany = (length: number) =>
      Promise.all(Array.from({ length }, () => sender.send(messageTo(receiver))));
    const sending = sendMany(50);
    await expect.poll(() => receiver.connections).toBe(16);
    const stuck = await sending;
    expect(new Set(stuck.map(({ error }) => error))).toEqual(new Set(['timeout']));
    expect(Math.max(...stuck.map(({ durationMs }) => durationMs))).toBeLessThan(2 * WAITING_MS);
    await receiver.allClosed();
    isStuck = false;
    expect((await sendMany(16)).filter(({ error }) => error !== null)).toEqual([]);
  };
  await withReceiver(fault, run, { timeoutMs: WAITING_MS });
});

test('a receiver that hangs holds up no other', async () => {
  const hanging = await openReceiver('hangs before TLS', given.certificate);
  await withReceiver(
    answering(),
    async (receiver, sender) => {
      const stuck = Array.from({ length: 50 }, () => sender.send(messageTo(hanging)));
      expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
      await Promise.all(stuck);
    },
    { timeoutMs: WAITING_MS },
  );
});

test('closing waits for deliveries in flight, which succeed', async () => {
  const { promise: isThere, resolve: arrive } = Promise.withResolvers<() => void>();
  const receiver = await openReceiver(
    { at: 'request', act: (secure) => arrive(() => secure.write(answer(200))) },
    given.certificate,
  );
  const sender = makeSender();
  const sent = sender.send(messageTo(receiver));
  const letGo = await isThere;
  let isClosed = false;
  const closed = sender.close().then(() => {
    isClosed = true;
  });
  await new Promise((later) => setImmediate(later));
  expect(isClosed).toBe(false);
  letGo();
  expect(await sent).toMatchObject(isDelivered);
  await closed;
  await receiver.allClosed();
});

test('a failure without a word of its own is of the protocol, and is logged without path and query', async () => {
  const lines: [object, string][] = [];
  const sender = makeSender({
    isPublic() {
      throw new Error('No such list.');
    },
    logger: { warn: (...line) => void lines.push(line) },
  });
  const result = await sender.send(messageTo({ port: 8_443 }));
  expect(result).toMatchObject({ status: null, error: 'protocol' });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.[0]).toMatchObject({ origin: `https://${NAME}:8443` });
  expect(JSON.stringify(lines)).not.toMatch(/token|value/);
});
