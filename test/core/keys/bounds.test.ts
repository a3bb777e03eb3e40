import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailureLimit } from '../../../src/core/keys/failure-limit.ts';

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

  test('attempts in flight count until they end', () => {
    const limit = new FailureLimit({ most: 2, windowMs: 60_000, addresses: 10 });
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
