import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { CHAT_KEPT_MS } from '../../src/core/chat/chat-store.ts';
import type { Delivery } from '../../src/core/delivery/webhooks/delivery.ts';
import { openSqlite } from '../../src/infra/database/sqlite/open-sqlite.ts';
import { alertOf } from '../support/alerts.ts';
import { noteFor, postOf } from '../support/chat/messages.ts';
import { recordReportOf } from '../support/record-report.ts';
import { START } from '../support/rows.ts';
import { storeAlerts } from '../support/stored.ts';
import { jobNamed, MORNING, run } from './job-fixture.ts';

test('the daily digest of the day that is over goes to the outbox, once (issue: a daily digest at 00:05 UTC)', async () => {
  const database = await openSqlite({ path: ':memory:' });
  const { alerts, chat } = database;
  const digest = jobNamed('daily-digest', { database, alerts, channels: ['telegram', 'discord'] });
  expect(digest.schedule(MORNING)).toBe('2026-11-20');
  expect(await run(digest)).toMatch(/^0 posts/);

  await storeAlerts(database, alertOf({ id: 1, createdAt: MORNING - DAY_MS }));
  expect(await run(digest)).toBe('2 posts of 2026-11-20 put in the outbox');
  expect(await run(digest)).toBe('0 posts of 2026-11-20 put in the outbox');
  for (const channel of ['telegram', 'discord'])
    expect(await chat.byId(`digest:2026-11-20@${channel}`)).not.toBeNull();
  await database.close();
});

test('the record is made each hour, and the run says of how many alerts', async () => {
  const record = jobNamed('record', { publishRecord: async () => recordReportOf() });
  expect(record.schedule(MORNING + 59 * 60_000)).toBe(record.schedule(MORNING));
  expect(await run(record)).toBe('24 alerts, 8 of 12 bets settled');
  expect(await run(jobNamed('record', { publishRecord: async () => null }))).toBe('nothing to measure yet');
});

test('customers whose change a crash interrupted are resumed', async () => {
  const customers = { resumeInterrupted: async () => 2 } as never;
  expect(await run(jobNamed('resume-interrupted', { customers }))).toBe('2 customers resumed');
});

test('retention keeps runs 30 days, requests of operators one and counts 400', async () => {
  const asked: Record<string, unknown> = {};
  const note = (name: string) => async (before: unknown) => {
    asked[name] = typeof before === 'number' ? (MORNING - before) / DAY_MS : before;
    return 2;
  };
  const database = {
    jobRuns: { prune: note('runs') },
    usage: { prune: note('usage') },
    questions: { prune: note('questions') },
    operatorRequests: { prune: note('requests') },
    chat: { prune: async () => 2 },
    deliveries: { prune: async () => 2 },
    purgeDeleted: async () => {
      asked['purged'] = true;
    },
  };

  expect(await run(jobNamed('retention', { database }))).toBe(
    'removed: 2 job runs, 2 messages, 2 open questions, 2 delivery results, 2 operator requests, 2 usage counts',
  );
  const days = { runs: 30, questions: 0, requests: 1 };
  expect(asked).toEqual({ ...days, usage: '2025-10-17', purged: true });
});

test('a message that ended a month ago is removed, a post of an alert after three', async () => {
  const database = await openSqlite({ path: ':memory:' });
  const { chat } = database;
  const notes = Array.from({ length: 600 }, (_, index) => noteFor('customer:cus_a', { id: `note ${index}` }));
  await chat.add([...notes, postOf(1)]);
  for (const { id } of notes) await chat.giveUp(id, { state: 'dropped', error: null, at: START });
  await chat.claim('alert:1@telegram', { owner: 'a#1', at: START });
  await chat.finish('alert:1@telegram', 'a#1', { state: 'sent', place: '7', at: START });
  const retention = jobNamed('retention', { database, yieldToLoop });
  const removed = (now: number) => run(retention, { now });

  expect(await removed(START + CHAT_KEPT_MS.ended)).toContain(' 0 messages');
  expect(await removed(START + CHAT_KEPT_MS.ended + 1)).toContain(' 600 messages');
  expect(await removed(START + CHAT_KEPT_MS.posts + 1)).toContain(' 1 message,');
  await database.close();
});

test('deliveries are kept for 7 days, and older ones are removed page by page, the event loop free between pages', async () => {
  const database = await openSqlite({ path: ':memory:' });
  const { deliveries } = database;
  const end = {
    webhookId: 'wh_a',
    alertId: null,
    state: 'delivered',
    finishedAt: START,
    result: null,
  } as const;
  const rows = Array.from({ length: 1_203 }, (_, index): Delivery => {
    return { ...end, id: `msg_${index}`, createdAt: MORNING - 7 * DAY_MS + index - 1_200 };
  });
  await deliveries.add(rows);
  let pauses = 0;
  const retention = jobNamed('retention', {
    database,
    yieldToLoop: async () => {
      pauses += 1;
    },
  });

  expect(await run(retention)).toContain(' 1,200 delivery results,');

  const kept = await deliveries.list('wh_a', { limit: 10 });
  expect(kept.map(({ id }) => id)).toEqual(['msg_1202', 'msg_1201', 'msg_1200']);
  expect(pauses).toBe(2);
  await database.close();
});
