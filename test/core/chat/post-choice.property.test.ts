import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/base/time/duration.ts';
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

const BURST_MS = MINUTE_MS;

/** Alerts that come together, seconds, minutes or hours apart, alone or in threads. */
const tapes = fc
  .array(
    fc.record({
      gapSeconds: fc.constantFrom(0, 0, 0, 1, 5, 20, 420, 1_500, 5_400, 18_000, 43_200),
      score: fc.oneof(fc.integer({ min: 60, max: 100 }), fc.constantFrom(70, 80, 95)),
      thread: fc.integer({ min: 0, max: 30 }),
    }),
    { minLength: 10, maxLength: 70, size: 'max' },
  )
  .map((rows): readonly TapeAlert[] => {
    const first = new Map<number, number>();
    let at = START;
    return rows.map(({ gapSeconds, score, thread }, index) => {
      at += gapSeconds * SECOND_MS;
      if (!first.has(thread)) first.set(thread, index + 1);
      return { id: index + 1, threadId: first.get(thread) ?? 0, score, at };
    });
  });

/** How late the outbox is looked at: whether rows are added and taken twice, and by another process. */
const schedules = fc.array(
  fc.record({
    lateSeconds: fc.constantFrom(0, 3, 20, 70, 600, 3_000),
    isTwice: fc.boolean(),
    isRestart: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
type Schedule = readonly {
  readonly lateSeconds: number;
  readonly isTwice: boolean;
  readonly isRestart: boolean;
}[];

/** The outbox has the alerts of a burst before the first of them is due, as it does where channels are later than alerts. */
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
    const { lateSeconds, isTwice, isRestart } = schedule[turn % schedule.length] ?? { lateSeconds: 0 };
    const until = (messages[next]?.dueAt ?? 0) + lateSeconds * SECOND_MS;
    const burstEnd = until - (until % BURST_MS) + BURST_MS - 1;
    const from = next;
    while ((messages[next]?.dueAt ?? Number.POSITIVE_INFINITY) <= burstEnd) next += 1;
    await store.add(messages.slice(isTwice ? 0 : from, next));
    for (const at of [until, burstEnd]) {
      await clock.advance(at - clock.now());
      if (isRestart) step = makeStep();
      const due = await store.due({ lane: 'channel:telegram', now: at, limit: 1_000 });
      for (const message of due) await step.take(message);
      if (isTwice) for (const message of due) await makeStep().take(message);
    }
  }
  const rows = await Promise.all(tape.map(({ id }) => store.byId(`alert:${id}@telegram`)));
  await database.close();
  for (const row of rows)
    expect(row?.sentAt ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(row?.dueAt ?? 0);
  return tape.filter((_, index) => rows[index]?.kind === 'alert' && rows[index]?.state === 'sent');
}

/** The rule, from the tape alone: each alert, the best of a minute first, against those decided before. */
function expectedOf(tape: readonly TapeAlert[], postsPerDay: number): readonly TapeAlert[] {
  const posted = new Set<TapeAlert>();
  const decided: TapeAlert[] = [];
  const burstOf = ({ at }: TapeAlert) => Math.floor(at / BURST_MS);
  /** The best of what its thread has in that minute from it on: a thread's alerts come in their order. */
  const rankOf = (alert: TapeAlert) => {
    const following = tape.filter(
      (other) =>
        other.id >= alert.id && other.threadId === alert.threadId && burstOf(other) === burstOf(alert),
    );
    return Math.max(...following.map(({ score }) => score));
  };
  const inOrder = tape.toSorted((a, b) => burstOf(a) - burstOf(b) || rankOf(b) - rankOf(a) || a.id - b.id);
  for (const alert of inOrder) {
    if ([...posted].some(({ threadId }) => threadId === alert.threadId)) continue;
    const within = (ms: number) => decided.filter(({ at }) => at > alert.at - ms);
    const week = within(7 * DAY_MS).toSorted((a, b) => b.score - a.score);
    const topFrom = week.length < 20 ? 80 : (week[Math.ceil(week.length / 10) - 1]?.score ?? 0);
    const day = within(DAY_MS);
    const posts = day.filter((other) => posted.has(other));
    const others = posts.filter(({ score }) => score < topFrom).length;
    const asHigh = day.filter(({ score, threadId }) => score >= alert.score && threadId !== alert.threadId);
    const isAmongOthers =
      others < postsPerDay - Math.floor(postsPerDay / 4) &&
      new Set(asHigh.map(({ threadId }) => threadId)).size < postsPerDay;
    if (posts.length < postsPerDay && (alert.score >= topFrom || isAmongOthers)) posted.add(alert);
    decided.push(alert);
  }
  return tape.filter((alert) => posted.has(alert));
}

/** Their ids as texts are in another order than their numbers. */
const ALL_AT_ONCE = Array.from({ length: 12 }, (_, index) => ({
  ...{ id: index + 1, threadId: index + 1, score: 60 + index },
  at: START,
}));

const numbers = fc.integer({ min: 0, max: 12 });

test('whatever the tape, the batches, restarts and double deliveries, the posts are those that the rule names', async () => {
  await fc.assert(
    fc.asyncProperty(tapes, numbers, schedules, async (tape, postsPerDay, schedule) => {
      const posted = await postedOf(tape, postsPerDay, schedule);
      expect(posted).toEqual(expectedOf(tape, postsPerDay));

      for (const { at } of posted) {
        const day = posted.filter((other) => other.at > at - DAY_MS && other.at <= at);
        expect(day.length).toBeLessThanOrEqual(postsPerDay);
      }
      const threads = posted.map(({ threadId }) => threadId);
      expect(new Set(threads).size).toBe(threads.length);
    }),
    { numRuns: 80, examples: [[ALL_AT_ONCE, 1, [{ lateSeconds: 0, isTwice: false, isRestart: false }]]] },
  );
}, 120_000);
