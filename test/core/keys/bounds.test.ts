import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBoundedQueue } from '../../../src/core/async/bounded-queue.ts';
import { createFailureLimit } from '../../../src/core/keys/failure-limit.ts';

describe('failure limit', () => {
  test('within any minute an address has at most 60 failures that are not limited, and waits no longer than told', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 100, maxLength: 300 });
    fc.assert(
      fc.property(gaps, (given) => {
        const limit = createFailureLimit({ most: 60, windowMs: 60_000, addresses: 10 });
        const passed: number[] = [];
        let now = 0;
        for (const gap of given) {
          now += gap;
          const isSpent = limit.isSpent('a', now);
          const wait = limit.record('a', now);
          expect(wait > 0).toBe(isSpent);
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

  test('attempts under way count until they are over', () => {
    const limit = createFailureLimit({ most: 2, windowMs: 60_000, addresses: 10 });
    const [first, second] = [limit.attempt('a'), limit.attempt('a')];
    expect(limit.isSpent('a', 0)).toBe(true);
    expect(limit.isSpent('b', 0)).toBe(false);
    first();
    expect(limit.isSpent('a', 0)).toBe(false);
    second();
    limit.record('a', 0);
    expect(limit.isSpent('a', 0)).toBe(false);
  });
});

describe('bounded queue', () => {
  test('keeps its bounds, runs what it took, refuses the rest, and survives tasks that throw', async () => {
    const claims = fc.array(fc.record({ group: fc.constantFrom('a', 'b', 'c'), isLast: fc.boolean() }), {
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(claims, async (given) => {
        const queue = createBoundedQueue({ concurrency: 2, concurrencyPerGroup: 1, waitingPerGroup: 4 });
        const running: string[] = [];
        const started = given.map((claim, index) =>
          queue.run(claim, async () => {
            running.push(claim.group);
            expect(running.length).toBeLessThanOrEqual(2);
            expect(new Set(running).size).toBe(running.length);
            await Promise.resolve();
            running.splice(running.indexOf(claim.group), 1);
            if (index % 3 === 0) throw new Error('task');
            return index;
          }),
        );
        for (const group of ['a', 'b', 'c']) {
          const taken = started.filter((result, index) => result !== null && given[index]?.group === group);
          expect(taken.length).toBeLessThanOrEqual(5);
        }
        const results = await Promise.allSettled(started);
        for (const [index, result] of results.entries()) {
          const outcome = result.status === 'fulfilled' ? result.value : 'failed';
          expect(outcome).toBe(started[index] === null ? null : index % 3 === 0 ? 'failed' : index);
        }
        expect(running).toEqual([]);
      }),
    );
  });

  test('tasks marked last let the others pass', async () => {
    const queue = createBoundedQueue({ concurrency: 1, concurrencyPerGroup: 1, waitingPerGroup: 10 });
    const order: string[] = [];
    const add = (name: string, isLast: boolean) =>
      queue.run({ group: name, isLast }, async () => void order.push(name));
    await Promise.all([
      add('first', false),
      add('suspect', true),
      add('other suspect', true),
      add('clean', false),
    ]);
    expect(order).toEqual(['first', 'clean', 'suspect', 'other suspect']);
  });
});
