import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DELIVERY_QUEUE_LIMITS,
  DeliveryQueue,
  type WaitingDelivery,
} from '../../../../src/core/delivery/webhooks/delivery-queue.ts';
import { START } from '../../../support/rows.ts';

const LIMITS = {
  ...DELIVERY_QUEUE_LIMITS,
  inFlight: 12,
  inFlightPerKey: 6,
  inFlightPerHost: 4,
  inFlightPerWebhook: 4,
  inFlightPerUnresponsiveWebhook: 1,
};

let made = 0;
function deliveryOf(
  host: string,
  keyId = 'key_a',
  { createdAt = START, webhookId = `wh ${host}` } = {},
): WaitingDelivery {
  made += 1;
  const rest = { state: 'pending', finishedAt: null, result: null } as const;
  return { id: `msg_${made}`, webhookId, alertId: made, createdAt, host, keyId, ...rest };
}

function filled(...deliveries: readonly WaitingDelivery[]) {
  const queue = new DeliveryQueue(LIMITS);
  for (const delivery of deliveries) queue.enqueue(delivery);
  return queue;
}

const many = (count: number, host: string, keyId?: string) =>
  Array.from({ length: count }, () => deliveryOf(host, keyId));

describe('delivery queue', () => {
  test('what is held already is not taken in again, until its place is given back', () => {
    const one = deliveryOf('a');
    const queue = filled(one);

    expect([queue.enqueue(one), queue.waiting]).toEqual([false, 1]);
    expect(queue.take(9)).toEqual([one]);
    expect([queue.enqueue(one), queue.holds(one.id)]).toEqual([false, true]);
    queue.release(one, true);
    expect([queue.holds(one.id), queue.inFlight, queue.waiting]).toEqual([false, 0, 0]);
  });

  test('the limits in flight of a host, of a key and overall hold; hosts and keys are served round robin', () => {
    const queue = filled(
      ...many(9, 'a'),
      ...many(9, 'b'),
      ...many(9, 'c', 'key_b'),
      ...many(9, 'd', 'key_c'),
    );

    const taken = queue.take(100);

    const count = (of: (delivery: WaitingDelivery) => boolean) => taken.filter(of).length;
    expect(taken.slice(0, 4).map(({ host }) => host)).toEqual(['a', 'b', 'c', 'd']);
    expect([
      count(({ keyId }) => keyId === 'key_a'),
      count(({ host }) => host === 'c'),
      taken.length,
    ]).toEqual([6, 3, 12]);
  });

  test('webhooks that did not answer come last, so that no other waits while they are tried', () => {
    const dead = deliveryOf('dead');
    const queue = filled(dead);
    queue.take(1);
    queue.release(dead, false);

    for (const delivery of [deliveryOf('dead'), deliveryOf('a'), deliveryOf('b')]) queue.enqueue(delivery);

    expect(queue.take(9).map(({ host }) => host)).toEqual(['a', 'b', 'dead']);
  });

  test('bounds of what waits: of one webhook, and of all', () => {
    const queue = new DeliveryQueue({
      ...LIMITS,
      waiting: 5,
      waitingPerWebhook: 3,
      waitingPerWebhookWhenFull: 0,
    });
    const enqueued = [...many(5, 'a'), ...many(5, 'b')].map((delivery) => queue.enqueue(delivery));

    expect(enqueued).toEqual([true, true, true, false, false, true, true, false, false, false]);
    expect(queue.waiting).toBe(5);
  });

  test('waiting deliveries of many dead webhooks leave room for others', () => {
    const queue = new DeliveryQueue({
      ...LIMITS,
      waiting: 20,
      waitingPerWebhook: 10,
      waitingPerWebhookWhenFull: 2,
    });
    for (const dead of ['dead-1', 'dead-2']) for (const one of many(10, dead)) queue.enqueue(one);

    expect(many(3, 'healthy', 'key_b').map((one) => queue.enqueue(one))).toEqual([true, true, false]);
    expect(queue.enqueue(deliveryOf('dead-1'))).toBe(false);
    expect(queue.waiting).toBe(22);
  });

  test('whatever happens: nothing is lost or taken twice, the oldest is known, no bound is passed, and no place stays empty that someone could have', () => {
    const step = fc.record({
      host: fc.constantFrom('a', 'b', 'c'),
      name: fc.constantFrom('wh_1', 'wh_2'),
      keyId: fc.constantFrom('key_a', 'key_b', 'key_c'),
      action: fc.constantFrom('offer', 'offer', 'take', 'fill', 'release', 'release', 'drop'),
      hasAnswered: fc.constantFrom(true, false, null),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
        const limits = {
          ...LIMITS,
          inFlight: 8,
          inFlightPerKey: 4,
          inFlightPerHost: 4,
          inFlightPerWebhook: 3,
        };
        const queue = new DeliveryQueue(limits);
        const model = createModel(limits);
        for (const { host, keyId, name, action, hasAnswered, pick } of steps) {
          if (action === 'offer') {
            const delivery = deliveryOf(host, keyId, {
              createdAt: START + made,
              webhookId: `${keyId} ${name}`,
            });
            if (queue.enqueue(delivery)) model.waiting.push(delivery);
          } else if (action === 'take') {
            for (const delivery of queue.take(1 + (pick % 4))) model.enter(delivery);
          } else if (action === 'fill') {
            for (const delivery of queue.take(1_000)) model.enter(delivery);
            expect(model.waiting.filter((delivery) => model.hasPlace(delivery))).toEqual([]);
          } else if (action === 'drop') {
            const oldest = model.waiting.map(({ createdAt }) => createdAt).toSorted()[1] ?? START;
            queue.dropBefore(oldest);
            model.waiting = model.waiting.filter(({ createdAt }) => createdAt >= oldest);
          } else {
            const delivery = model.inFlight[pick % Math.max(1, model.inFlight.length)];
            if (delivery === undefined) continue;
            queue.release(delivery, hasAnswered);
            model.leave(delivery, hasAnswered);
          }
          const oldest = Math.min(...model.waiting.map(({ createdAt }) => createdAt));
          expect([queue.waiting, queue.inFlight]).toEqual([model.waiting.length, model.inFlight.length]);
          expect(queue.oldest() ?? Number.POSITIVE_INFINITY).toBe(oldest);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function createModel(limits: typeof LIMITS) {
  const sick = new Set<string>();
  const busy = (of: (delivery: WaitingDelivery) => boolean) => model.inFlight.filter(of).length;
  const model = {
    waiting: [] as WaitingDelivery[],
    inFlight: [] as WaitingDelivery[],
    hasPlace({ host, keyId, webhookId }: WaitingDelivery) {
      const { inFlightPerUnresponsiveWebhook, inFlightPerWebhook } = limits;
      const own = sick.has(webhookId) ? inFlightPerUnresponsiveWebhook : inFlightPerWebhook;
      return (
        model.inFlight.length < limits.inFlight &&
        busy((other) => other.webhookId === webhookId) < own &&
        busy((other) => other.host === host) < limits.inFlightPerHost &&
        busy((other) => other.keyId === keyId) < limits.inFlightPerKey
      );
    },
    enter(delivery: WaitingDelivery) {
      expect(model.waiting).toContain(delivery);
      expect(model.hasPlace(delivery)).toBe(true);
      model.waiting = model.waiting.filter((other) => other !== delivery);
      model.inFlight.push(delivery);
    },
    leave(delivery: WaitingDelivery, hasAnswered: boolean | null) {
      model.inFlight = model.inFlight.filter((other) => other !== delivery);
      if (hasAnswered === true) sick.delete(delivery.webhookId);
      if (hasAnswered === false) sick.add(delivery.webhookId);
    },
  };
  return model;
}
