import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ChannelSendStep } from '../../../src/core/chat/channel-send-step.ts';
import type { ChatMessage, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { MessageSender } from '../../../src/core/chat/message-sender.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { postOf } from '../../support/chat/messages.ts';
import { scriptedMessenger } from '../../support/chat/scripted-messenger.ts';
import { createFakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

interface TapeAlert {
  readonly id: number;
  readonly threadId: number;
  readonly score: number;
  readonly at: number;
}

/** Alerts that come together, minutes or hours apart, alone or in threads. */
const tapes = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, 0, 7, 25, 90, 300, 720),
      score: fc.oneof(fc.integer({ min: 60, max: 100 }), fc.constantFrom(70, 80, 95)),
      thread: fc.integer({ min: 0, max: 30 }),
    }),
    { minLength: 10, maxLength: 60, size: 'max' },
  )
  .map((rows): readonly TapeAlert[] => {
    const first = new Map<number, number>();
    let at = START;
    return rows.map(({ gap, score, thread }, index) => {
      at += gap * MINUTE_MS;
      if (!first.has(thread)) first.set(thread, index + 1);
      return { id: index + 1, threadId: first.get(thread) ?? 0, score, at };
    });
  });

/** How late the outbox is looked at: whether rows are added and taken twice, and by another process. */
const schedules = fc.array(
  fc.record({ late: fc.integer({ min: 0, max: 50 }), isTwice: fc.boolean(), isRestart: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
);
type Schedule = readonly { readonly late: number; readonly isTwice: boolean; readonly isRestart: boolean }[];

async function postedOf(tape: readonly TapeAlert[], postsPerDay: number, schedule: Schedule) {
  const database = await openDatabase('sqlite::memory:');
  const store = database.chat;
  const clock = createFakeClock(START);
  const { messenger } = scriptedMessenger();
  let lives = 0;
  const makeStep = () => {
    lives += 1;
    const present = async ({ id }: ChatMessage) => id;
    const sending = { store, present, owner: `life ${lives}`, clock, logger: silentLogger, random: () => 1 };
    const options = { store, isPaused: () => false, postsPerDay, clock };
    return new ChannelSendStep({ channel: 'telegram', messenger }, new MessageSender(sending), options);
  };
  let step = makeStep();
  const messages: readonly NewChatMessage[] = tape.map(({ id, threadId, score, at }) =>
    postOf(id, { threadId, score, dueAt: at }),
  );
  for (let next = 0, turn = 0; next < messages.length; turn += 1) {
    const { late, isTwice, isRestart } = schedule[turn % schedule.length] ?? { late: 0 };
    const until = (messages[next]?.dueAt ?? 0) + late * MINUTE_MS;
    const from = next;
    while ((messages[next]?.dueAt ?? Number.POSITIVE_INFINITY) <= until) next += 1;
    await clock.advance(until - clock.now());
    await store.add(messages.slice(isTwice ? 0 : from, next));
    if (isRestart) step = makeStep();
    const due = await store.due({ lane: 'channel:telegram', now: clock.now(), limit: 1_000 });
    for (const message of due) await step.take(message);
    if (isTwice) for (const message of due) await makeStep().take(message);
  }
  const rows = await Promise.all(tape.map(({ id }) => store.byId(`alert:${id}@telegram`)));
  await database.close();
  return tape.filter((_, index) => rows[index]?.kind === 'alert' && rows[index]?.state === 'sent');
}

/** The rule, from the tape alone: each alert against those of the 24 hours before it. */
function expectedOf(tape: readonly TapeAlert[], postsPerDay: number): readonly TapeAlert[] {
  const posted: TapeAlert[] = [];
  const decided: TapeAlert[] = [];
  for (const alert of tape) {
    if (posted.some(({ threadId }) => threadId === alert.threadId)) continue;
    const isRecent = ({ at }: TapeAlert) => at > alert.at - DAY_MS;
    const posts = posted.filter(isRecent).length;
    const better = decided.filter(
      (other) => isRecent(other) && other.score >= alert.score && other.threadId !== alert.threadId,
    );
    const isAbove = new Set(better.map(({ threadId }) => threadId)).size < postsPerDay;
    if (alert.score >= 80 ? posts < 2 * postsPerDay : posts < postsPerDay && isAbove) posted.push(alert);
    decided.push(alert);
  }
  return posted;
}

/** Their ids as texts are in another order than their numbers. */
const ALL_AT_ONCE = Array.from({ length: 12 }, (_, index) => ({
  ...{ id: index + 1, threadId: index + 1, score: 60 + index },
  at: START,
}));

const numbers = fc.integer({ min: 0, max: 5 });

test('whatever the tape, the batches, restarts and double deliveries, the posts are those that the rule names', async () => {
  await fc.assert(
    fc.asyncProperty(tapes, numbers, schedules, async (tape, postsPerDay, schedule) => {
      expect(await postedOf(tape, postsPerDay, schedule)).toEqual(expectedOf(tape, postsPerDay));
    }),
    { numRuns: 60, examples: [[ALL_AT_ONCE, 1, [{ late: 0, isTwice: false, isRestart: false }]]] },
  );
}, 120_000);

test('no 24 hours have more posts than the number of a day, twice as many with scores of 80 and more', async () => {
  await fc.assert(
    fc.asyncProperty(tapes, numbers, schedules, async (tape, postsPerDay, schedule) => {
      const posted = await postedOf(tape, postsPerDay, schedule);
      for (const { at } of posted) {
        const day = posted.filter((other) => other.at > at - DAY_MS && other.at <= at);
        expect(day.length).toBeLessThanOrEqual(2 * postsPerDay);
        expect(day.filter(({ score }) => score < 80).length).toBeLessThanOrEqual(postsPerDay);
      }
      const threads = posted.map(({ threadId }) => threadId);
      expect(new Set(threads).size).toBe(threads.length);
    }),
    { numRuns: 40 },
  );
}, 120_000);
