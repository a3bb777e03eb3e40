import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { messageRetryMs } from '../../../src/core/chat/message-sender.ts';

const portion = fc.double({ min: 0, max: 1, noNaN: true });

test('a retry waits at least as long as the platform asks, and otherwise at most 5 minutes', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(900_000), portion, (attempts, askedMs, by) => {
      const wait = messageRetryMs({ attempts, askedMs, random: () => by });
      expect(wait).toBeGreaterThanOrEqual(Math.max(askedMs, 500));
      expect(wait).toBeLessThanOrEqual(Math.max(askedMs, 5 * MINUTE_MS));
    }),
  );
});

test('each wait is twice the one before, from 1 s, with jitter of up to half of it', () => {
  const waits = [0, 1, 2, 8, 9].map((attempts) => messageRetryMs({ attempts, askedMs: 0, random: () => 1 }));
  expect(waits).toEqual([1_000, 2_000, 4_000, 256_000, 300_000]);
  expect(messageRetryMs({ attempts: 2, askedMs: 0, random: () => 0 })).toBe(2_000);
});
