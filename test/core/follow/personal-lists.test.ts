import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Database } from '../../../src/core/database.ts';
import type { Follower } from '../../../src/core/follow/follower.ts';
import { PersonalLists } from '../../../src/core/follow/personal-lists.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { settle } from '../../support/chat/chat-engine-fixture.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { createFakeClock } from '../../support/clock.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { START } from '../../support/rows.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const EVENING = 19 * HOUR_MS;
const follows = [followOf('a1', walletOf(1))];

/** Runs from START, midnight of UTC, over the people's follows. */
async function openLists(
  people: Readonly<Record<string, Partial<Follower>>>,
  given: { database?: Database } = {},
) {
  const database = given.database ?? (await openDatabase('sqlite::memory:'));
  if (given.database === undefined) onTestFinished(() => database.close());
  const { chat, followers } = database;
  const clock = createFakeClock(START);
  for (const [id, change] of Object.entries(people))
    await followers.put(followerOf(id, { follows, ...change }));
  let alertId = 0;
  const open = () => {
    const calls = { wake: () => {}, yieldToLoop: async () => {} };
    const lists = new PersonalLists({ chat, followers, clock, logger: silentLogger, ...calls });
    lists.start();
    onTestFinished(() => lists.close());
    return lists;
  };
  const lists = async (id: string) => {
    const lane = 'personal:telegram:later' as const;
    const found = await chat.dueOf(`customer:${id}`, { lane, now: START + 99 * DAY_MS, limit: 99 });
    return found.map(({ id: own, createdAt }) => [
      own.split('@')[0],
      Math.floor(((createdAt - START) / HOUR_MS) * 100) / 100,
    ]);
  };
  return {
    ...{ chat, clock, open, lists, followers },
    /** An alert to a person that is held back now. */
    async hold(id: string) {
      alertId += 1;
      await chat.add([personalOf(alertId, id, { dueAt: clock.now() })]);
      await chat.giveUp(`personal:${alertId}@${id}`, { state: 'folded', error: 'x', at: clock.now() });
    },
    async until(hours: number) {
      while (clock.now() < START + hours * HOUR_MS) {
        await settle();
        await setImmediate();
        await clock.advance(Math.min(15 * MINUTE_MS, START + hours * HOUR_MS - clock.now()));
      }
      await settle();
      await setImmediate();
    },
  };
}

describe('a person’s list', () => {
  test('comes at 19:00 in their zone, to those who have something to list', async () => {
    const { open, hold, until, lists } = await openLists({
      cus_a: {},
      cus_b: { zone: 'Asia/Kathmandu' },
      cus_c: {},
    });
    open();
    await until(2);
    await hold('cus_a');
    await hold('cus_b');

    await until(18.9);
    expect(await lists('cus_a')).toEqual([]);
    await until(20);

    expect(await lists('cus_a')).toEqual([['plist:evening:2026-01-02T19', 19]]);
    expect(await lists('cus_b')).toEqual([['plist:evening:2026-01-02T13', 13.25]]);
    expect(await lists('cus_c')).toEqual([]);
  });

  test('comes at the end of quiet hours, and not in them', async () => {
    const { open, hold, until, lists } = await openLists({
      cus_a: { quiet: { from: 23, to: 7 } },
      cus_b: { quiet: { from: 18, to: 20 } },
    });
    open();
    await until(2);
    for (const id of ['cus_a', 'cus_b']) await hold(id);
    await until(8);
    for (const id of ['cus_a', 'cus_b']) await hold(id);
    await until(30);

    expect(await lists('cus_a')).toEqual([
      ['plist:quiet:2026-01-02T07', 7],
      ['plist:evening:2026-01-02T19', 19],
    ]);
    expect(await lists('cus_b')).toEqual([['plist:quiet:2026-01-02T20', 20]]);
  });

  test('comes late after a stop, once, also from two processes', async () => {
    const { open, hold, until, lists } = await openLists({ cus_a: {} });
    const first = open();
    await until(2);
    await hold('cus_a');
    await first.close();
    await until(22);

    open();
    open();
    await until(23);

    expect(await lists('cus_a')).toEqual([['plist:evening:2026-01-02T19', 22.01]]);
  });

  test('does not come early for what was held back since the evening, when the service starts then', async () => {
    const { open, hold, until, lists } = await openLists({ cus_a: {} });
    await until(20);
    await hold('cus_a');
    await until(21);
    open();
    await until(24 + 18.5);
    expect(await lists('cus_a')).toEqual([]);
    await until(24 + 19.5);

    expect((await lists('cus_a')).map(([id]) => id)).toEqual(['plist:evening:2026-01-03T19']);
  });

  test('of the next evening has what the last one has not, and none comes without it', async () => {
    const { open, hold, until, lists, chat } = await openLists({ cus_a: {} });
    open();
    await until(2);
    await hold('cus_a');
    await until(24 + 19.5);
    expect(await lists('cus_a')).toHaveLength(1);
    await hold('cus_a');
    await until(3 * 24);

    const all = [
      ['plist:evening:2026-01-02T19', 19],
      ['plist:evening:2026-01-04T19', 2 * 24 + 19],
    ];
    expect(await lists('cus_a')).toEqual(all);
    expect(await chat.lastList('customer:cus_a', START + 9 * DAY_MS)).toMatchObject({
      facts: { platform: 'telegram' },
    });
  });

  test('that could not be sent is made again in the next evening, for a week', async () => {
    const { open, hold, until, lists, chat } = await openLists({ cus_a: {} });
    open();
    await until(2);
    await hold('cus_a');
    const evenings: number[] = [];
    for (let day = 0; day < 10; day += 1) {
      await until(day * 24 + 20);
      const list = (await lists('cus_a')).find(([id]) => String(id).startsWith('plist'));
      if (list === undefined) continue;
      evenings.push(day);
      await chat.giveUp(`${list[0]}@cus_a`, {
        state: 'dropped',
        error: 'unreachable',
        at: START + day * DAY_MS,
      });
    }

    expect(evenings).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('is not made for those who were removed', async () => {
    const { open, hold, until, lists, followers } = await openLists({ cus_a: {}, cus_b: {} });
    open();
    await until(2);
    for (const id of ['cus_a', 'cus_b']) await hold(id);
    await followers.remove('cus_a');

    await until(20);

    expect([await lists('cus_a'), await lists('cus_b')]).toEqual([[], [['plist:evening:2026-01-02T19', 19]]]);
  });

  test('comes at 19:00 of UTC where the zone is not known here, and nobody else’s is lost by it', async () => {
    const { open, hold, until, lists } = await openLists({ cus_a: { zone: 'Mars/Base' }, cus_b: {} });
    open();
    await until(2);
    for (const id of ['cus_a', 'cus_b']) await hold(id);
    await until(20);

    const list = [['plist:evening:2026-01-02T19', 19]];
    expect([await lists('cus_a'), await lists('cus_b')]).toEqual([list, list]);
  });

  test('comes at the next 19:00 of a zone that was chosen meanwhile, or at once where that is over', async () => {
    const { open, hold, until, lists, followers } = await openLists({ cus_a: {}, cus_b: {} });
    open();
    await until(2);
    for (const id of ['cus_a', 'cus_b']) await hold(id);
    await until(15);
    for (const [id, zone] of [
      ['cus_a', 'Asia/Kathmandu'],
      ['cus_b', 'America/New_York'],
    ] as const) {
      const [row] = await followers.byIds([id]);
      if (row !== undefined) await followers.put({ ...row, zone, changedAt: START + 15 * HOUR_MS });
    }
    await until(30);

    expect(await lists('cus_a')).toEqual([['plist:evening:2026-01-02T13', 15.25]]);
    expect(await lists('cus_b')).toEqual([['plist:evening:2026-01-03T00', 24]]);
  });

  test('skips those with nothing to list, and looks at followers once per quarter of an hour', async () => {
    const { open, hold, until, chat, followers } = await openLists({ cus_a: {}, cus_b: {} });
    const reads = vi.spyOn(followers, 'changedSince');
    const lookups = vi.spyOn(chat, 'lastList');
    open();
    await hold('cus_a');
    await until(4);

    expect(reads.mock.calls.length).toBeLessThanOrEqual(17);
    // All of them once, after the start.
    expect(lookups.mock.calls.map(([recipient]) => recipient)).toEqual(['customer:cus_a', 'customer:cus_b']);
    expect(await chat.lastList('customer:cus_a', START + DAY_MS)).toBeNull();
  });
});

describe('a week without anything', () => {
  test('is told at its end, each week, to those who follow something and were told nothing', async () => {
    const { open, until, lists, chat, clock } = await openLists({
      cus_a: {},
      cus_b: { follows: [] },
      cus_c: {},
      cus_d: { createdAt: START - 3 * DAY_MS },
    });
    open();
    await until(6 * 24);
    await chat.add([personalOf(1, 'cus_c', { dueAt: clock.now() })]);
    await chat.claim('personal:1@cus_c', { owner: 'a', at: clock.now() });
    await chat.finish('personal:1@cus_c', 'a', { state: 'sent', place: 'm', at: clock.now() });
    await until(15 * 24);

    const weeks = (...days: number[]) =>
      days.map((day) => [
        `pweek:${new Date(START + day * DAY_MS + EVENING).toISOString().slice(0, 13)}`,
        day * 24 + 19,
      ]);
    expect(await lists('cus_a')).toEqual(weeks(7, 14));
    expect(await lists('cus_b')).toEqual([]);
    expect(await lists('cus_c')).toEqual(weeks(14));
    expect(await lists('cus_d')).toEqual(weeks(4, 11));
  });
});
