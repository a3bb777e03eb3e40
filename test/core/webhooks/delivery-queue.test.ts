import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/core/webhooks/delivery-lanes.ts';
import { createDeliveryQueue, QUEUE_LIMITS } from '../../../src/core/webhooks/delivery-queue.ts';
import { START } from '../../support/rows.ts';

const LIMITS = {
  ...QUEUE_LIMITS,
  inFlight: 12,
  inFlightPerKey: 6,
  inFlightPerHost: 4,
  inFlightPerSickHost: 1,
};

let made = 0;
function candidateOf(host: string, keyId = 'key_a', createdAt = START): Candidate {
  made += 1;
  return { id: `msg_${made}`, webhookId: 'wh_a', alertId: made, createdAt, host, keyId };
}

function filled(...candidates: readonly Candidate[]) {
  const queue = createDeliveryQueue(LIMITS);
  for (const candidate of candidates) queue.offer(candidate);
  return queue;
}

const many = (count: number, host: string, keyId?: string) =>
  Array.from({ length: count }, () => candidateOf(host, keyId));

describe('delivery queue', () => {
  test('what is held already is not taken in again, until its place is given back', () => {
    const one = candidateOf('a');
    const queue = filled(one);

    expect([queue.offer(one), queue.waiting]).toEqual([false, 1]);
    expect(queue.take(9)).toEqual([one]);
    expect([queue.offer(one), queue.holds(one.id)]).toEqual([false, true]);
    queue.release(one, true);
    expect([queue.holds(one.id), queue.inFlight, queue.waiting]).toEqual([false, 0, 0]);
  });

  test('a host, a key and all together have so many places; hosts and keys take turns', () => {
    const queue = filled(
      ...many(9, 'a'),
      ...many(9, 'b'),
      ...many(9, 'c', 'key_b'),
      ...many(9, 'd', 'key_c'),
    );

    const taken = queue.take(100);

    const count = (of: (candidate: Candidate) => boolean) => taken.filter(of).length;
    expect(taken.slice(0, 4).map(({ host }) => host)).toEqual(['a', 'b', 'c', 'd']);
    expect([
      count(({ keyId }) => keyId === 'key_a'),
      count(({ host }) => host === 'c'),
      taken.length,
    ]).toEqual([6, 3, 12]);
  });

  test('a host that did not answer has one place until it does', () => {
    const queue = filled(...many(20, 'a'));
    const first = queue.take(100);
    expect(first).toHaveLength(4);

    for (const candidate of first) queue.release(candidate, false);
    const [next, ...more] = queue.take(100);
    expect(more).toEqual([]);
    queue.release(next as Candidate, null);
    expect(queue.take(100)).toHaveLength(1);
  });

  test('hosts that did not answer come last, so that nobody waits while they are tried', () => {
    const dead = candidateOf('dead');
    const queue = filled(dead);
    queue.take(1);
    queue.release(dead, false);

    for (const candidate of [candidateOf('dead'), candidateOf('a'), candidateOf('b')]) queue.offer(candidate);

    expect(queue.take(9).map(({ host }) => host)).toEqual(['a', 'b', 'dead']);
  });

  test('a host that answers again has all its places', () => {
    const queue = filled(...many(20, 'a', 'key_a'), ...many(20, 'a', 'key_b'));
    const first = queue.take(100);
    for (const candidate of first) queue.release(candidate, false);
    const [only] = queue.take(100);

    queue.release(only as Candidate, true);

    expect(queue.take(100)).toHaveLength(4);
  });

  test('bounds of what waits: of one key for one host, and of all', () => {
    const queue = createDeliveryQueue({
      ...LIMITS,
      waiting: 5,
      waitingPerLane: 3,
      waitingPerLaneWhenFull: 0,
    });
    const offered = [...many(5, 'a'), ...many(5, 'b')].map((candidate) => queue.offer(candidate));

    expect(offered).toEqual([true, true, true, false, false, true, true, false, false, false]);
    expect(queue.waiting).toBe(5);
  });

  test('what many dead targets have waiting keeps nobody else out of the memory', () => {
    const queue = createDeliveryQueue({
      ...LIMITS,
      waiting: 20,
      waitingPerLane: 10,
      waitingPerLaneWhenFull: 2,
    });
    for (const dead of ['dead-1', 'dead-2']) for (const one of many(10, dead)) queue.offer(one);

    expect(many(3, 'healthy', 'key_b').map((one) => queue.offer(one))).toEqual([true, true, false]);
    expect(queue.offer(candidateOf('dead-1'))).toBe(false);
    expect(queue.waiting).toBe(22);
  });

  test('what is too old is dropped, and what is younger goes on', () => {
    const ages = [1, 2, 3, 4, 5, 6, 7];
    const queue = filled(...ages.map((age) => candidateOf('a', 'key_a', START + age)));
    queue.take(2);
    expect(queue.oldest()).toBe(START + 3);

    queue.dropBefore(START + 6);

    expect([queue.waiting, queue.oldest()]).toEqual([2, START + 6]);
    expect(queue.take(9).map(({ createdAt }) => createdAt - START)).toEqual([6, 7]);
    expect(queue.oldest()).toBeNull();
  });

  test('whatever happens: nothing is lost or taken twice, no bound is passed, and no place stays empty that someone could have', () => {
    const step = fc.record({
      host: fc.constantFrom('a', 'b', 'c', 'd'),
      keyId: fc.constantFrom('key_a', 'key_b', 'key_c'),
      action: fc.constantFrom('offer', 'offer', 'take', 'fill', 'release', 'release', 'drop'),
      hasAnswered: fc.constantFrom(true, false, null),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 100, maxLength: 300, size: 'max' }), (steps) => {
        const limits = { ...LIMITS, inFlight: 8, inFlightPerKey: 3, inFlightPerHost: 3 };
        const queue = createDeliveryQueue(limits);
        const model = createModel(limits);
        for (const { host, keyId, action, hasAnswered, pick } of steps) {
          if (action === 'offer') {
            const candidate = candidateOf(host, keyId, START + made);
            if (queue.offer(candidate)) model.waiting.push(candidate);
          } else if (action === 'take') {
            for (const candidate of queue.take(1 + (pick % 4))) model.enter(candidate);
          } else if (action === 'fill') {
            for (const candidate of queue.take(1_000)) model.enter(candidate);
            expect(model.waiting.filter((candidate) => model.hasPlace(candidate))).toEqual([]);
          } else if (action === 'drop') {
            const oldest = model.waiting.map(({ createdAt }) => createdAt).toSorted()[1] ?? START;
            queue.dropBefore(oldest);
            model.waiting = model.waiting.filter(({ createdAt }) => createdAt >= oldest);
          } else {
            const candidate = model.inFlight[pick % Math.max(1, model.inFlight.length)];
            if (candidate === undefined) continue;
            queue.release(candidate, hasAnswered);
            model.leave(candidate, hasAnswered);
          }
          expect([queue.waiting, queue.inFlight]).toEqual([model.waiting.length, model.inFlight.length]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function createModel(limits: typeof LIMITS) {
  const sick = new Set<string>();
  const busy = (of: (candidate: Candidate) => boolean) => model.inFlight.filter(of).length;
  const model = {
    waiting: [] as Candidate[],
    inFlight: [] as Candidate[],
    hasPlace({ host, keyId }: Candidate) {
      const hostPlaces = sick.has(host) ? limits.inFlightPerSickHost : limits.inFlightPerHost;
      return (
        model.inFlight.length < limits.inFlight &&
        busy((other) => other.host === host) < hostPlaces &&
        busy((other) => other.keyId === keyId) < limits.inFlightPerKey
      );
    },
    enter(candidate: Candidate) {
      expect(model.waiting).toContain(candidate);
      expect(model.hasPlace(candidate)).toBe(true);
      model.waiting = model.waiting.filter((other) => other !== candidate);
      model.inFlight.push(candidate);
    },
    leave(candidate: Candidate, hasAnswered: boolean | null) {
      model.inFlight = model.inFlight.filter((other) => other !== candidate);
      if (hasAnswered === true) sick.delete(candidate.host);
      if (hasAnswered === false) sick.add(candidate.host);
    },
  };
  return model;
}
