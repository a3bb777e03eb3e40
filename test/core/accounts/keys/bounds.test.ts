import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailureLimit } from '../../../../src/core/accounts/keys/failure-limit.ts';
import {
  keysIn,
  limitedHasher,
  lookupOf,
  lookupOfStart,
} from '../../../../src/core/accounts/keys/key-text.ts';
import { QueueFullError } from '../../../../src/core/base/async/fair-queue.ts';

describe('failure limit', () => {
  test('within any minute an address has at most 60 failures that are not limited, and waits no longer than announced', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 100, maxLength: 300 });
    fc.assert(
      fc.property(gaps, (given) => {
        const limit = new FailureLimit({ most: 60, windowMs: 60_000, addresses: 10 });
        const passed: number[] = [];
        let now = 0;
        for (const gap of given) {
          now += gap;
          const wait = limit.record('a', now);
          expect(wait).toBeLessThanOrEqual(60);
          if (wait === 0) passed.push(now);
          else expect(passed.filter((at) => at > now + wait * 1_000 - 60_000).length).toBeLessThan(60);
        }
        for (const [index, at] of passed.entries()) {
          expect((passed[index + 60] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(60_000);
        }
      }),
    );
  });

  test('the /64s of one IPv6 /48 have eight times the failures of an address together', () => {
    const limit = new FailureLimit({ most: 2, windowMs: 60_000, addresses: 100 });
    const client = (n: number) => `2001:db8:0:${n}`;
    const waits = Array.from({ length: 20 }, (_, index) => limit.record(client(index), 1_000));
    expect(waits).toEqual([...new Array(16).fill(0), ...new Array(4).fill(60)]);
    expect([limit.record(client(99), 60_999), limit.record('2001:db8:1:0', 1_000)]).toEqual([1, 0]);
    expect(limit.record(client(99), 61_000)).toBe(0);
  });
});

test('a limited hasher runs a few hashes at a time, keeps a few waiting, and refuses more', async () => {
  const gate = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const slowly = async <Answer>(answer: Answer) => {
    running += 1;
    most = Math.max(most, running);
    await gate.promise;
    running -= 1;
    return answer;
  };
  const hasher = limitedHasher(
    { hash: (secret) => slowly(`#${secret}`), verify: (hash, secret) => slowly(hash === `#${secret}`) },
    { concurrency: 2, waiting: 2 },
  );
  const answers = [hasher.hash('a'), hasher.verify('#b', 'b'), hasher.verify('#b', 'c'), hasher.hash('d')];
  await expect(hasher.hash('e')).rejects.toBeInstanceOf(QueueFullError);
  gate.resolve();
  expect(await Promise.all(answers)).toEqual(['#a', true, false, '#d']);
  expect(most).toBe(2);
});

test('a key is found by its start from the tenth character on, and by nothing that is not the start of a key', () => {
  const key = `sk_live_${'abcdefghij'.repeat(4)}xyz`;
  for (const length of [18, 30, 51]) expect(lookupOfStart(key.slice(0, length))).toBe('abcdefghij');
  expect(lookupOf(key)).toBe('abcdefghij');
  for (const text of [key.slice(0, 17), `${key}x`, ` ${key}`, `${key.slice(0, 20)} x`, key.slice(8)])
    expect([lookupOfStart(text), lookupOf(text)]).toEqual([null, null]);
});

const KEY = `sk_live_${'abc-_FGHij'.repeat(4)}xyz`;
const [HEAD, TAIL] = [KEY.slice(0, 20), KEY.slice(20)];
test.each([
  [KEY, 1],
  [`my key:${KEY}.`, 1],
  [`x${KEY}y`, 1],
  [`${KEY} ${KEY}`, 1],
  [`${HEAD}\n${TAIL}`, 1],
  [`my\n${HEAD} \t\r\n\n  ${TAIL} is it`, 1],
  [`${HEAD}\n${TAIL.slice(0, 9)}\n${TAIL.slice(9)}`, 1],
  [`${KEY}\nis it`, 1],
  [`${HEAD}\n${TAIL}xyz`, 0],
  [`${HEAD} ${TAIL}`, 0],
  [`${HEAD}.\n${TAIL}`, 0],
  [`${HEAD}\n.${TAIL}`, 0],
  [KEY.slice(0, -1), 0],
])('of %j as many texts have the form of a key: %i', (text, count) => {
  expect(keysIn(text)).toEqual(count === 0 ? [] : [KEY]);
});
