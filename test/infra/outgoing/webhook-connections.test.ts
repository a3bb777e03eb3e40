import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { WebhookSender } from '../../../src/core/delivery/webhooks/webhook.ts';
import type { WebhookSenderOptions } from '../../../src/infra/outgoing/webhook-sender.ts';
import { createFakeClock } from '../../support/clock.ts';
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
  change: Partial<WebhookSenderOptions> = {},
) => runWithReceiver(fault, given.certificate, run, change);

/** A shorter time limit than the sender's own, so that these tests end soon. */
const WAITING_MS = 2_500;

const HANGS_UP: Fault = { at: 'request', act: (secure) => void secure.end(answer(200)) };

type Act = (secure: Socket, raw: Socket) => void;

/** Answers the first request of each connection, or of all, and does the other thing with those that follow. */
function afterOneAnswer(act: Act, { ofAll = false } = {}): Fault {
  const served = new WeakSet<Socket>();
  let isFirst = true;
  return {
    at: 'request',
    act(secure, raw) {
      if (ofAll ? !isFirst : served.has(secure)) return act(secure, raw);
      isFirst = false;
      served.add(secure);
      secure.write(answer(200));
    },
  };
}

/** undici takes a connection again two turns of the event loop after an answer. */
async function sendTwice(receiver: FaultReceiver, sender: WebhookSender) {
  expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
  await nextTurn();
  await nextTurn();
  const second = sender.send(messageTo(receiver));
  expect(receiver.connections).toBe(1);
  return second;
}

/** As if the receiver had closed the connection as idle a moment before the request. */
const CROSSING: Readonly<Record<string, Act>> = {
  'resets it': (_secure, raw) => void raw.resetAndDestroy(),
  'ends it': (secure) => void secure.end(),
  'ends it without TLS': (_secure, raw) => void raw.destroy(),
};

describe.each(Object.entries(CROSSING))('a receiver that is closing an idle connection: %s', (_, act) => {
  test('no delivery is lost: it is sent once more, on a new connection', async () => {
    await withReceiver(afterOneAnswer(act), async (receiver, sender) => {
      for (let count = 0; count < 20; count++)
        expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
      expect(receiver.requests).toBeGreaterThan(20);
    });
  });

  test('a message to a chat, which would stand there twice, is sent once, on a connection of its own', async () => {
    await withReceiver(afterOneAnswer(act), async (receiver, sender) => {
      await sender.send(messageTo(receiver));
      for (let count = 1; count <= 5; count++) {
        await nextTurn();
        const message = { ...messageTo(receiver), format: 'slack' } as const;
        expect(await sender.send(message)).toMatchObject(isDelivered);
        expect(receiver).toMatchObject({ requests: count + 1, connections: count + 1 });
      }
    });
  });

  test('a delivery is sent no more than twice', async () => {
    await withReceiver(afterOneAnswer(act, { ofAll: true }), async (receiver, sender) => {
      expect(await sendTwice(receiver, sender)).toMatchObject({ status: null, error: 'reset' });
      expect(receiver).toMatchObject({ requests: 3, connections: 2 });
    });
  });
});

test.each([
  ['H', 'reset'],
  ['x', 'protocol'],
])('after the byte %j of an answer nothing is sent again', async (byte, error) => {
  await withReceiver(
    afterOneAnswer((secure) => void secure.end(byte)),
    async (receiver, sender) => {
      expect(await sendTwice(receiver, sender)).toMatchObject({ status: null, error });
      expect(receiver).toMatchObject({ requests: 2, connections: 1 });
    },
  );
});

test('both requests of a delivery have 5 seconds together', async () => {
  const clock = createFakeClock(Date.now());
  let isStale = true;
  const endsOne: Act = (secure) => {
    if (isStale) secure.end();
    isStale = false;
  };
  await withReceiver(
    afterOneAnswer(endsOne, { ofAll: true }),
    async (receiver, sender) => {
      const sent = sendTwice(receiver, sender);
      await vi.waitFor(() => expect(receiver.requests).toBe(3), 10_000);
      await clock.advance(5_000);
      expect(await sent).toMatchObject({ status: null, error: 'timeout' });
    },
    { clock },
  );
});

test('a name of its own gets a connection of its own, at the same address', async () => {
  await withReceiver(answering(), async (receiver, sender) => {
    await sender.send(messageTo(receiver));
    await sender.send(messageTo(receiver, 'other.example.test'));
    expect(receiver.connections).toBe(2);
  });
});

test('an idle connection is closed after a second', async () => {
  await withReceiver(answering(), async (receiver, sender) => {
    await sender.send(messageTo(receiver));
    const start = performance.now();
    await receiver.allClosed();
    expect(performance.now() - start).toBeGreaterThan(800);
    expect(performance.now() - start).toBeLessThan(2_900);
  });
});

test('what an answer may have of bytes counts from its request on', async () => {
  await withReceiver(answering(`x-long: ${'x'.repeat(15_000)}`), async (receiver, sender) => {
    for (let count = 0; count < 60; count++)
      expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
    expect(receiver.connections).toBeLessThan(3);
  });
});

test.each([0, 1, 5, 25])(
  'no delivery is lost to a receiver that closes a connection after %i ms idle',
  async (idleMs) => {
    const closesWhenIdle: Fault = {
      at: 'request',
      act: (secure) => void secure.write(answer(200), () => setTimeout(() => secure.end(), idleMs)),
    };
    await withReceiver(closesWhenIdle, async (receiver, sender) => {
      const start = performance.now();
      let sent = 0;
      for (; sent < 20 || performance.now() - start < 2 * idleMs; sent++)
        expect(await sender.send(messageTo(receiver))).toMatchObject(isDelivered);
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

test('closing waits for a delivery that is sent once more', async () => {
  let closed: Promise<void> | null = null;
  const sender = makeSender();
  const act: Act = (secure) => {
    closed = sender.close();
    secure.end();
  };
  const receiver = await openReceiver(afterOneAnswer(act), given.certificate);
  expect(await sendTwice(receiver, sender)).toMatchObject(isDelivered);
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
