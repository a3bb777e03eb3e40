import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiKey } from '../../src/core/accounts/keys/api-key.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { Database } from '../../src/core/database.ts';
import { openSqlite } from '../../src/infra/database/sqlite/open-sqlite.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { customerOf, openCustomerFixture, putCustomer } from '../support/customer-fixture.ts';
import { followerOf, followOf, walletOf } from '../support/followers.ts';
import { jobNamed, MORNING as NOW, openOutbox, run } from './job-fixture.ts';

let database: Database;
beforeEach(async () => {
  database = await openSqlite({ path: ':memory:' });
});
afterEach(() => database.close());

type Outbox = ReturnType<typeof openOutbox>['chat'];
const reminders = (chat: Outbox) =>
  jobNamed('trial-reminders', { customers: openCustomerFixture(database).service, database: { chat } });
const ends = (chat: Outbox) => jobNamed('trial-ends', { database: { ...database, chat } });

const addKey = (id: string, given: Partial<ApiKey> = {}) =>
  database.keys.insert({
    ...keyOf({ id, lookup: id, tier: 'pro', trialEndsAt: NOW - 1 }),
    customerId: 'cus_a',
    ...given,
  });

async function addTrial(
  id: string,
  endsAt: number,
  key: Partial<ApiKey> = {},
  bannedAt: number | null = null,
) {
  const trial = { request: id, startedAt: endsAt - 30 * DAY_MS, endsAt };
  await putCustomer(database, customerOf(id, { trial, bannedAt }));
  await addKey(`key_${id}`, { customerId: id, trialEndsAt: endsAt, ...key });
}

describe('trial reminders', () => {
  test('come 3 days and 1 day before the end, each once, however often it runs (issue: reminder 3 days and 1 day before the end)', async () => {
    const { chat, all } = openOutbox();
    const endsAt = NOW + 3 * DAY_MS;
    await addTrial('cus_a', endsAt);
    const job = reminders(chat);

    for (let now = NOW - DAY_MS; now < endsAt + DAY_MS; now += HOUR_MS / 4) await run(job, { now });

    const message = { recipient: 'customer:cus_a', kind: 'trial_reminder', facts: { endsAt } };
    expect(all()).toEqual([
      { ...message, id: `trial_reminder:cus_a:3:${endsAt}`, createdAt: NOW, dueAt: NOW },
      {
        ...message,
        id: `trial_reminder:cus_a:1:${endsAt}`,
        createdAt: endsAt - DAY_MS,
        dueAt: endsAt - DAY_MS,
      },
    ]);
  });

  test('who is first seen on the last day gets the nearer one alone; a banned customer gets none', async () => {
    const { chat, all } = openOutbox();
    await addTrial('cus_a', NOW + HOUR_MS);
    await addTrial('cus_b', NOW + 1.5 * DAY_MS);
    await addTrial('cus_c', NOW + 2 * DAY_MS, {}, NOW);

    expect(await run(reminders(chat))).toBe('2 customers reminded');

    expect(all().map(({ id }) => id.split(':')[2])).toEqual(['1', '3']);
  });

  test('a trial that was extended is reminded of again', async () => {
    const { chat, ids } = openOutbox();
    const job = reminders(chat);
    await addTrial('cus_a', NOW + 2 * DAY_MS);
    await run(job);
    const found = await database.customers.get('cus_a');
    if (found === null) throw new Error('no customer');
    const trial = { request: 'r', startedAt: NOW, endsAt: NOW + 9 * DAY_MS };
    await database.customers.replace({ ...found, trial });
    await database.keys.setTier('key_cus_a', 'pro', trial.endsAt);

    await run(job, { now: NOW + 6 * DAY_MS });

    expect(ids()).toEqual([
      `trial_reminder:cus_a:3:${NOW + 2 * DAY_MS}`,
      `trial_reminder:cus_a:3:${NOW + 9 * DAY_MS}`,
    ]);
  });

  test.each<[string, Partial<ApiKey>]>([
    ['of no customer', { customerId: 'cus_b' }],
    ['made Enterprise', { tier: 'enterprise', trialEndsAt: null }],
    ['made Free', { tier: 'free', trialEndsAt: null }],
  ])('a customer without a key in the trial any more (%s) gets no message', async (_, key) => {
    const { chat, ids } = openOutbox();
    await addTrial('cus_a', NOW + DAY_MS, key);
    expect(await run(reminders(chat))).toBe('0 customers reminded');
    expect(ids()).toEqual([]);
  });

  test('all customers are reached, page by page, until the service stops', async () => {
    for (let n = 0; n < 450; n += 1) await addTrial(`cus_${1_000 + n}`, NOW + DAY_MS);
    const { chat, ids } = openOutbox();
    const job = reminders(chat);

    await expect(run(job, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(ids()).toHaveLength(200);
    expect(await run(job)).toBe('250 customers reminded');
    expect(ids()).toHaveLength(450);
  });
});

describe('trial ends', () => {
  test('each customer gets one message for all of their keys, however often it runs (issue: downgrade at the end with a message)', async () => {
    const { chat, all } = openOutbox();
    for (const id of ['key_1', 'key_2']) await addKey(id);
    await addKey('key_3', { customerId: 'cus_b', trialEndsAt: NOW - 5 });
    await addKey('key_4', { customerId: 'cus_c', trialEndsAt: NOW + 1 });
    const job = ends(chat);

    expect(await run(job)).toBe('2 customers notified that the trial has ended');
    expect(await run(job)).toBe('0 customers notified that the trial has ended');

    const message = { kind: 'trial_ended', createdAt: NOW, dueAt: NOW };
    expect(all()).toEqual(
      [{ customer: 'cus_b', endsAt: NOW - 5 } as const, { customer: 'cus_a', endsAt: NOW - 1 }].map(
        ({ customer, endsAt }) => ({
          ...message,
          id: `trial_ended:${customer}:${endsAt}`,
          recipient: `customer:${customer}`,
          facts: { endsAt },
        }),
      ),
    );
  });

  test('names the follows that the limit of Free pauses: the oldest 10 stay, and of another key nothing is lost (issue)', async () => {
    const { chat, all } = openOutbox();
    const follows = Array.from({ length: 13 }, (_, index) =>
      followOf(`a${index + 1}`, walletOf(index), { nickname: `Whale ${index + 1}`, isPaused: index === 2 }),
    );
    for (const id of ['cus_a', 'cus_b', 'cus_c'])
      await database.followers.put(followerOf(id, { follows: id === 'cus_c' ? follows.slice(3) : follows }));
    for (const customerId of ['cus_a', 'cus_b', 'cus_c']) await addKey(`key_${customerId}`, { customerId });
    await addKey('key_bought', { customerId: 'cus_b', trialEndsAt: null });

    await run(ends(chat));

    const endsAt = NOW - 1;
    const paused = { count: 12, limit: 10, paused: ['Whale 12', 'Whale 13'] };
    const facts = Object.fromEntries(all().map((message) => [message.recipient, message.facts]));
    expect(facts).toEqual({
      'customer:cus_a': { endsAt, follows: paused },
      'customer:cus_b': { endsAt },
      'customer:cus_c': { endsAt },
    });
  });

  test('an end is read once by a process, and announced once by several', async () => {
    const { chat, ids } = openOutbox();
    await addKey('key_1');
    const read = vi.spyOn(database.keys, 'endedTrials');
    const found = async () => (await Promise.all(read.mock.results.map(({ value }) => value))).flat().length;
    const [job, another] = [ends(chat), ends(chat)];
    for (let minute = 0; minute < 5; minute++) await run(job, { now: NOW + minute * MINUTE_MS });
    expect(await found()).toBe(1);

    await addKey('key_2', { customerId: 'cus_b', trialEndsAt: NOW + 5 * MINUTE_MS });
    for (const each of [job, another]) await run(each, { now: NOW + 5 * MINUTE_MS });

    expect([ids().length, await found()]).toEqual([2, 4]);
  });

  test('a failed run is repeated: nothing is missing', async () => {
    const { chat, ids } = openOutbox();
    const add = vi.fn((messages: readonly NewChatMessage[]) => chat.add(messages));
    add.mockRejectedValueOnce(new Error('away'));
    await addKey('key_1');
    const job = ends({ add });
    await expect(run(job)).rejects.toThrow('away');

    await run(job);
    expect(ids()).toEqual([`trial_ended:cus_a:${NOW - 1}`]);
  });

  test('a key without a chat customer ends without a message, and so does one that ended more than 14 days ago', async () => {
    const { chat, ids } = openOutbox();
    await addKey('key_1', { customerId: null });
    await addKey('key_2', { trialEndsAt: NOW - 14 * DAY_MS });
    await addKey('key_3', { customerId: 'cus_b', trialEndsAt: NOW - 14 * DAY_MS + 1 });

    await run(ends(chat));

    expect(ids()).toEqual([`trial_ended:cus_b:${NOW - 14 * DAY_MS + 1}`]);
  });

  test('continues until none is left, or the service stops', async () => {
    const { chat, ids } = openOutbox();
    for (let n = 0; n < 250; n += 1) await addKey(`key_${n}`, { customerId: `cus_${n}` });
    const job = ends(chat);

    await expect(run(job, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(ids()).toHaveLength(100);
    expect(await run(job)).toBe('150 customers notified that the trial has ended');
  });
});
