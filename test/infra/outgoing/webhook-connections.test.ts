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

test('the next delivery to the same origin takes the connection that is there', async () => {
  await withReceiver(answering(), async (receiver, sender) => {
    for (let count = 0; count < 5; count++)
      expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
    expect(receiver.connections).toBe(1);
    expect(receiver.requests).toBe(5);
  });
});

test('a name of its own gets a connection of its own, at the same address', async () => {
  await withReceiver(answering(), async (receiver, sender) => {
    await sender.send(messageTo(receiver));
    await sender.send(messageTo(receiver, 'other.example.test'));
    expect(receiver.connections).toBe(2);
  });
});

test.each(['connection: close', 'keep-alive: timeout=1'])(
  '%j in an answer: not taken again',
  async (header) => {
    await withReceiver(answering(header), async (receiver, sender) => {
      for (let count = 0; count < 5; count++)
        expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
      expect(receiver.connections).toBe(5);
    });
  },
);

test.each([
  ['a second', undefined, 1_000],
  ['2 seconds, though the receiver offers more', 'keep-alive: timeout=600', 2_000],
])('an idle connection is closed after %s', async (_, header, idleMs) => {
  await withReceiver(answering(header), async (receiver, sender) => {
    await sender.send(messageTo(receiver));
    const start = performance.now();
    await receiver.allClosed();
    expect(performance.now() - start).toBeGreaterThan(idleMs - 200);
    expect(performance.now() - start).toBeLessThan(idleMs + 1_900);
  });
});

test('what takes over a connection in the moment it ends is sent on another', async () => {
  await withReceiver(HANGS_UP, async (receiver, sender) => {
    const results = await Promise.all(Array.from({ length: 40 }, () => sender.send(messageTo(receiver))));
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
    expect(receiver.requests).toBe(40);
  });
});

test('a connection that the receiver closed while it was idle is not used', async () => {
  const hangsUpLater: Fault = {
    at: 'request',
    act: (secure) => void secure.write(answer(200), () => setTimeout(() => secure.end(), 20)),
  };
  await withReceiver(hangsUpLater, async (receiver, sender) => {
    for (let count = 1; count <= 10; count++) {
      expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
      await receiver.allClosed();
      expect(receiver.connections).toBe(count);
    }
  });
});

test('to one origin no more than 16 connections are made, and everything arrives', async () => {
  await withReceiver(answering(), async (receiver, sender) => {
    const results = await Promise.all(Array.from({ length: 200 }, () => sender.send(messageTo(receiver))));
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
    expect(receiver.requests).toBe(200);
    expect(receiver.connections).toBeLessThanOrEqual(16);
  });
});

test('waiting for one of them counts, too, and leaves nothing behind', async () => {
  let isStuck = true;
  const fault: Fault = {
    at: 'request',
    act: (secure) => void (isStuck || secure.write(answer(200))),
  };
  const run = async (receiver: FaultReceiver, sender: WebhookSender) => {
    const sendMany = () => Promise.all(Array.from({ length: 50 }, () => sender.send(messageTo(receiver))));
    const stuck = await sendMany();
    expect(new Set(stuck.map(({ error }) => error))).toEqual(new Set(['timeout']));
    expect(Math.max(...stuck.map(({ durationMs }) => durationMs))).toBeLessThan(2 * WAITING_MS);
    await receiver.allClosed();
    isStuck = false;
    expect((await sendMany()).filter(({ error }) => error !== null)).toEqual([]);
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

test('closing ends idle connections immediately', async () => {
  const receiver = await openReceiver(answering('keep-alive: timeout=600'), given.certificate);
  const sender = makeSender();
  await sender.send(messageTo(receiver));
  const start = performance.now();
  await sender.close();
  await receiver.allClosed();
  // It would be kept for 2 s.
  expect(performance.now() - start).toBeLessThan(1_800);
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
