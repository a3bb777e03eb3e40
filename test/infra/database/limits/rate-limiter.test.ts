import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RateLimiter } from '../../../../src/core/accounts/limits/rate-limiter.ts';
import { MemoryRateLimiter } from '../../../../src/infra/database/memory-rate-limiter.ts';
import { DATABASES, type TestDatabase } from '../../../support/databases.ts';
import { movingDate, stopDate } from '../../../support/moving-date.ts';

async function allowedOf(limiter: RateLimiter, calls: number, limit: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: calls }, () => limiter.consume('a', limit)));
  return verdicts.filter(({ isAllowed }) => isAllowed).length;
}

function rateLimiterContract(limiterOf: () => RateLimiter): void {
  test('allows each subject the limit in a window that begins with its first call; reading reports the rest and counts nothing', async () => {
    const date = stopDate(Date.now());
    const limiter = limiterOf();
    const begun = { isAllowed: true, limit: 2, remaining: 1, resetMs: 60_000 };
    expect(await limiter.consume('a', 2)).toEqual(begun);
    for (let again = 0; again < 2; again += 1) expect(await limiter.read('a', 2)).toEqual(begun);
    expect(await limiter.consume('b', 2)).toEqual(begun);
    date.advance(59_000);
    const last = { isAllowed: true, limit: 2, remaining: 0, resetMs: 1_000 };
    expect(await limiter.consume('a', 2)).toEqual(last);
    for (let again = 0; again < 2; again += 1)
      expect(await limiter.consume('a', 2)).toEqual({ ...last, isAllowed: false });
    expect(await limiter.read('a', 2)).toEqual({ ...last, isAllowed: false });
  });

  test('starts counting again after 60 seconds', async () => {
    const date = stopDate(Date.now());
    const limiter = limiterOf();
    expect(await allowedOf(limiter, 5, 3)).toBe(3);
    date.advance(59_999);
    expect(await allowedOf(limiter, 1, 3)).toBe(0);
    date.advance(1);
    expect(await limiter.read('a', 3)).toEqual({ isAllowed: true, limit: 3, remaining: 3, resetMs: 0 });
    expect(await limiter.consume('a', 3)).toMatchObject({ isAllowed: true, remaining: 2, resetMs: 60_000 });
    expect(await allowedOf(limiter, 5, 3)).toBe(2);
  });

  test('a subject has one count, whatever the limit of the moment', async () => {
    const limiter = limiterOf();
    expect(await allowedOf(limiter, 100, 300)).toBe(100);
    expect(await limiter.consume('a', 60)).toMatchObject({ isAllowed: false, limit: 60, remaining: 0 });
    expect(await limiter.consume('a', 300)).toMatchObject({ isAllowed: true, limit: 300 });
  });
}

describe('rate limiter in memory', () => {
  rateLimiterContract(() => new MemoryRateLimiter({ capacity: 100, clock: movingDate }));

  test('whatever the gaps, a call is allowed exactly when its window has room', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    const date = stopDate(Date.now());
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 4 }), async (given, limit) => {
        const limiter = new MemoryRateLimiter({ capacity: 10, clock: date });
        let window = { beganAt: Number.NEGATIVE_INFINITY, calls: 0 };
        for (const gap of given) {
          date.advance(gap);
          if (date.now() >= window.beganAt + 60_000) window = { beganAt: date.now(), calls: 0 };
          window.calls += 1;
          expect(await limiter.consume('a', limit)).toEqual({
            isAllowed: window.calls <= limit,
            limit,
            remaining: Math.max(0, limit - window.calls),
            resetMs: window.beganAt + 60_000 - date.now(),
          });
        }
      }),
    );
  });

  test('remembers so many subjects: the window that began first is forgotten first, never a later one', async () => {
    const date = stopDate(Date.now());
    const limiter = new MemoryRateLimiter({ capacity: 3, clock: date });
    const left = async (subject: string) => (await limiter.read(subject, 10)).remaining;
    for (const subject of ['a', 'b']) await limiter.consume(subject, 10);
    date.advance(60_000);
    for (const subject of ['a', 'a', 'c', 'd']) await limiter.consume(subject, 10);
    expect([await left('a'), await left('c'), await left('d')]).toEqual([8, 9, 9]);
    await limiter.consume('e', 10);
    expect([await left('a'), await left('c'), await left('e')]).toEqual([10, 9, 9]);
  });
});

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));

describe.skipIf(mongo?.available !== true)(`rate limiter on ${mongo?.name}`, () => {
  let opened: TestDatabase | undefined;
  beforeEach(async () => {
    opened = await mongo?.open();
  });
  afterEach(() => opened?.drop());

  rateLimiterContract(() => {
    const limiter = opened?.database.sharedLimiter ?? null;
    if (limiter === null) throw new Error('no shared limiter');
    return limiter;
  });
});
