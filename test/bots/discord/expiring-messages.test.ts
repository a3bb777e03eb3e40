import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ExpiringMessages } from '../../../bots/discord/expiring-messages.ts';
import { MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { createFakeClock } from '../../support/clock.ts';

/** Messages of a process, whose removals succeed or fail as given, in turn. */
function openMessages({ max = 10, outcomes = [] as boolean[] } = {}) {
  const clock = createFakeClock(0);
  const messages = new ExpiringMessages(clock, max);
  const removed: string[] = [];
  const keep = (id: string, userId = 'ann') =>
    messages.keep(id, {
      userId,
      request: `request of ${id}`,
      remove: async () => {
        removed.push(`${id} at ${clock.now() / MINUTE_MS} min`);
        return outcomes.shift() ?? true;
      },
    });
  return { clock, messages, keep, removed };
}

test('a message is removed after 10 minutes, once more a minute later when that failed, and not a third time', async () => {
  const { clock, keep, removed } = openMessages({ outcomes: [false, false] });
  keep('a');

  await clock.advance(60 * MINUTE_MS);

  expect(removed).toEqual(['a at 10 min', 'a at 11 min']);
  expect(clock.sleepers).toBe(0);
});

test('those of one person are removed immediately, and those of others stay', async () => {
  const { messages, keep, removed } = openMessages();
  keep('a');
  keep('b', 'ben');
  keep('c');

  await messages.removeOf('ann');

  expect(removed).toEqual(['a at 0 min', 'c at 0 min']);
  expect([messages.has('a'), messages.has('b'), messages.has('c')]).toEqual([false, true, false]);
});

test('with more messages than the bound the oldest is removed early', async () => {
  const { messages, keep, removed } = openMessages({ max: 2 });
  for (const id of ['a', 'b', 'c']) keep(id);
  await settled();

  expect(removed).toEqual(['a at 0 min']);
  expect(['a', 'b', 'c'].map((id) => messages.messageOf(`request of ${id}`))).toEqual([null, 'b', 'c']);
});

test('a message that was forgotten, or is left at the end, is not removed', async () => {
  const { clock, messages, keep, removed } = openMessages();
  for (const id of ['a', 'b']) keep(id);
  messages.forget('a');
  messages.close();

  await clock.advance(60 * MINUTE_MS);

  expect(removed).toEqual([]);
  expect(clock.sleepers).toBe(0);
});
