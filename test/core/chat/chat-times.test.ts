import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { messageRetryMs } from '../../../src/core/chat/chat-times.ts';
import { CHAT_KEPT_MS, pruneChat } from '../../../src/core/chat/retention.ts';
import { openChatEngineFixture, settle } from '../../support/chat/chat-engine-fixture.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';

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

test('what ended a month ago is forgotten, a post of an alert after three', async () => {
  const { store, clock } = await openChatEngineFixture();
  const notes = Array.from({ length: 600 }, (_, index) => noteFor('customer:cus_a', { id: `note ${index}` }));
  await store.add([...notes, postOf(1)]);
  for (const { id } of notes) await store.giveUp(id, { state: 'dropped', error: null, at: START });
  await store.claim('alert:1@telegram', { owner: 'a#1', at: START });
  await store.finish('alert:1@telegram', 'a#1', { state: 'sent', place: '7', at: START });
  const { signal } = new AbortController();
  const prune = () => pruneChat({ store, now: clock.now(), yieldToLoop: settle }, signal);

  await clock.advance(CHAT_KEPT_MS.ended);
  expect(await prune()).toBe(0);
  await clock.advance(1);
  expect(await prune()).toBe(600);
  await clock.advance(CHAT_KEPT_MS.posts - CHAT_KEPT_MS.ended);
  expect(await prune()).toBe(1);
});
