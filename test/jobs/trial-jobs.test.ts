import { describe, expect, test } from 'vitest';
import type { Customer } from '../../src/core/accounts/customers/customer.ts';
import { type ApiKey, type EndedTrials, PLAIN_KEY } from '../../src/core/accounts/keys/api-key.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { jobNamed, MORNING as NOW, openOutbox, run } from './job-fixture.ts';

const customerOf = (id: string, endsAt: number, given: Partial<Customer> = {}): Customer => ({
  id,
  handles: [],
  trial: { request: id, startedAt: endsAt - 30 * DAY_MS, endsAt },
  bannedAt: null,
  createdAt: 0,
  ...given,
});

/** As the service promises: after `from`, at or before `until`, by id. By default each has a key in the trial. */
const openTrials = (
  customers: Customer[],
  keyFor = (trialEndsAt: number): Partial<ApiKey> | null => ({ trialEndsAt }),
) => ({
  keysOf: async (id: string) => {
    const given = keyFor(customers.find((customer) => customer.id === id)?.trial?.endsAt ?? 0);
    return given === null ? [] : [keyOf(id, given)];
  },
  trialsEnding: async ({
    from,
    until,
    after = '',
    limit,
  }: {
    from: number;
    until: number;
    after?: string;
    limit: number;
  }) =>
    customers
      .filter(({ id, trial }) => trial !== null && trial.endsAt > from && trial.endsAt <= until && id > after)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
});

type Outbox = ReturnType<typeof openOutbox>['chat'];
const reminders = (customers: ReturnType<typeof openTrials>, chat: Outbox) =>
  jobNamed('trial-reminders', { customers: customers as never, database: { chat } });
const ends = (keys: ReturnType<typeof openEnded>['keys'], chat: Outbox) =>
  jobNamed('trial-ends', { database: { chat, keys } });

describe('trial reminders', () => {
  test('come 3 days and 1 day before the end, each once, however often it runs (issue: reminder 3 days and 1 day before the end)', async () => {
    const { chat, ids, all } = openOutbox();
    const endsAt = NOW + 3 * DAY_MS;
    const job = reminders(openTrials([customerOf('cus_a', endsAt)]), chat);

    for (let now = NOW - DAY_MS; now < endsAt + DAY_MS; now += HOUR_MS / 4) await run(job, { now });

    expect(ids()).toEqual([`trial_reminder:cus_a:3:${endsAt}`, `trial_reminder:cus_a:1:${endsAt}`]);
    expect(all()[0]).toEqual({
      id: `trial_reminder:cus_a:3:${endsAt}`,
      recipient: 'customer:cus_a',
      kind: 'trial_reminder',
      facts: { endsAt },
      createdAt: NOW,
      dueAt: NOW,
    });
    expect(all()[1]).toMatchObject({ facts: { endsAt }, dueAt: endsAt - DAY_MS });
  });

  test('who is first seen on the last day gets the nearer one alone', async () => {
    const { chat, all } = openOutbox();
    const trials = [customerOf('cus_a', NOW + HOUR_MS), customerOf('cus_b', NOW + 1.5 * DAY_MS)];

    expect(await run(reminders(openTrials(trials), chat))).toBe('2 customers reminded');

    expect(all().map(({ id }) => id.split(':')[2])).toEqual(['1', '3']);
  });

  test('a trial that was extended is reminded of again; a banned customer is not', async () => {
    const { chat, ids } = openOutbox();
    const trials = [
      customerOf('cus_a', NOW + 2 * DAY_MS),
      customerOf('cus_b', NOW + 2 * DAY_MS, { bannedAt: NOW }),
    ];
    const job = reminders(openTrials(trials), chat);
    await run(job);
    trials[0] = customerOf('cus_a', NOW + 9 * DAY_MS);

    await run(job, { now: NOW + 6 * DAY_MS });

    expect(ids()).toEqual([
      `trial_reminder:cus_a:3:${NOW + 2 * DAY_MS}`,
      `trial_reminder:cus_a:3:${NOW + 9 * DAY_MS}`,
    ]);
  });

  test.each([
    ['revoked', () => null],
    ['made Enterprise', (): Partial<ApiKey> => ({ tier: 'enterprise', trialEndsAt: null })],
    ['made Free', (): Partial<ApiKey> => ({ tier: 'free', trialEndsAt: null })],
  ])(
    'a customer without a key in the trial any more (%s) loses nothing, and gets no message',
    async (_, keyFor) => {
      const { chat, ids } = openOutbox();
      const customers = openTrials([customerOf('cus_a', NOW + DAY_MS)], keyFor);
      expect(await run(reminders(customers, chat))).toBe('0 customers reminded');
      expect(ids()).toEqual([]);
    },
  );

  test('all customers are reached, page by page, until the service stops', async () => {
    const trials = Array.from({ length: 450 }, (_, n) => customerOf(`cus_${1_000 + n}`, NOW + DAY_MS));
    const { chat, ids } = openOutbox();
    const job = reminders(openTrials(trials), chat);

    await expect(run(job, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(ids()).toHaveLength(200);
    expect(await run(job)).toBe('250 customers reminded');
    expect(ids()).toHaveLength(450);
  });
});

const keyOf = (id: string, given: Partial<ApiKey> = {}): ApiKey => ({
  ...PLAIN_KEY,
  id,
  lookup: id,
  hash: '',
  name: id,
  tier: 'pro',
  createdAt: 0,
  trialEndsAt: NOW - 1,
  revokedAt: null,
  customerId: 'cus_a',
  ...given,
});

/** As the service promises: in the window, by the end of the trial. Counts what is read. */
function openEnded(keys: ApiKey[]) {
  let reads = 0;
  const endsOf = ({ trialEndsAt }: Pick<ApiKey, 'trialEndsAt'>) => trialEndsAt ?? 0;
  const isBeyond = (key: ApiKey, after: EndedTrials['after']) =>
    after === undefined ||
    endsOf(key) > endsOf(after) ||
    (endsOf(key) === endsOf(after) && key.id > after.id);
  const store = {
    endedTrials: async ({ from, until, limit, after }: EndedTrials) => {
      const found = keys
        .filter((key) => endsOf(key) > from && endsOf(key) <= until && isBeyond(key, after))
        .toSorted((a, b) => endsOf(a) - endsOf(b) || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
      reads += found.length;
      return found;
    },
  };
  return { keys: store, reads: () => reads };
}

describe('trial ends', () => {
  test('each customer gets one message for all of their keys, however often it runs (issue: downgrade at the end with a message)', async () => {
    const { chat, all } = openOutbox();
    const keys = [
      keyOf('key_1'),
      keyOf('key_2'),
      keyOf('key_3', { customerId: 'cus_b', trialEndsAt: NOW - 5 }),
      keyOf('key_4', { customerId: 'cus_c', trialEndsAt: NOW + 1 }),
    ];
    const job = ends(openEnded(keys).keys, chat);

    expect(await run(job)).toBe('2 customers notified that the trial has ended');
    expect(await run(job)).toBe('0 customers notified that the trial has ended');

    expect(all()).toEqual(
      [
        ['cus_b', NOW - 5],
        ['cus_a', NOW - 1],
      ].map(([id, endsAt]) => ({
        id: `trial_ended:${id}:${endsAt}`,
        recipient: `customer:${id}`,
        kind: 'trial_ended',
        facts: { endsAt },
        createdAt: NOW,
        dueAt: NOW,
      })),
    );
  });

  test('an end is read once by a process, and announced once by several', async () => {
    const { chat, ids } = openOutbox();
    const keys = [keyOf('key_1')];
    const { keys: store, reads } = openEnded(keys);
    const [job, another] = [ends(store, chat), ends(store, chat)];
    for (let minute = 0; minute < 5; minute++) await run(job, { now: NOW + minute * MINUTE_MS });
    expect(reads()).toBe(1);

    keys.push(keyOf('key_2', { customerId: 'cus_b', trialEndsAt: NOW + 5 * MINUTE_MS }));
    for (const each of [job, another]) await run(each, { now: NOW + 5 * MINUTE_MS });

    expect([ids().length, reads()]).toEqual([2, 4]);
  });

  test('a failed run is repeated: nothing is missing', async () => {
    const { chat, ids } = openOutbox();
    let isAway = true;
    const failing = {
      add: (messages: readonly NewChatMessage[]) =>
        isAway ? Promise.reject(new Error('away')) : chat.add(messages),
    };
    const job = ends(openEnded([keyOf('key_1')]).keys, failing);
    await expect(run(job)).rejects.toThrow('away');
    isAway = false;

    await run(job);
    expect(ids()).toEqual([`trial_ended:cus_a:${NOW - 1}`]);
  });

  test('a key without a chat customer ends without a message, and so does one that ended more than 14 days ago', async () => {
    const { chat, ids } = openOutbox();
    const keys = [
      keyOf('key_1', { customerId: null }),
      keyOf('key_2', { trialEndsAt: NOW - 14 * DAY_MS }),
      keyOf('key_3', { customerId: 'cus_b', trialEndsAt: NOW - 14 * DAY_MS + 1 }),
    ];

    await run(ends(openEnded(keys).keys, chat));

    expect(ids()).toEqual([`trial_ended:cus_b:${NOW - 14 * DAY_MS + 1}`]);
  });

  test('continues until none is left, or the service stops', async () => {
    const { chat, ids } = openOutbox();
    const keys = Array.from({ length: 250 }, (_, n) => keyOf(`key_${n}`, { customerId: `cus_${n}` }));
    const job = ends(openEnded(keys).keys, chat);

    await expect(run(job, { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(ids()).toHaveLength(100);
    expect(await run(job)).toBe('150 customers notified that the trial has ended');
  });
});
