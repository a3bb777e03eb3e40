import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Follower } from '../../../src/core/follow/follower.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { followOf, walletOf } from '../../support/followers.ts';
import { ANN, openChoices, said } from '../../support/personal-choices-fixture.ts';
import { START } from '../../support/rows.ts';

const OWNER = 'host/1/a';
const toAnn = (alertId: number, given: Parameters<typeof personalOf>[2] = {}) =>
  personalOf(alertId, 'cus_a', given);
const rule = { kind: 'filter', filter: { minScore: 50 } } as const;

describe('places of a day', () => {
  const alerts = (from: number, count: number, given: Parameters<typeof personalOf>[2]) =>
    Array.from({ length: count }, (_, index) => toAnn(from + index, given));
  const byRule = { followIds: ['a2'], score: 60 };
  const follower = { follows: [followOf('a1', walletOf(1)), followOf('a2', rule)] };
  const sends = (verdicts: readonly { readonly act: string }[]) =>
    verdicts.filter(({ act }) => act === 'send').length;

  test.each([
    ['fifteen from filters, and follows up to twenty', 17, 8, [15, 5]],
    ['twenty follows and then nothing', 0, 22, [0, 20]],
    ['fewer from filters where follows came first', 0, 8, [0, 8]],
  ])('are %s', async (_, fromFilters, fromFollows, expected) => {
    const { judge } = await openChoices({ follower });

    const verdicts = await judge(
      ...alerts(1, fromFilters, byRule),
      ...alerts(101, fromFollows, { score: 60 }),
    );

    const [filters, follows] = [verdicts.slice(0, fromFilters), verdicts.slice(fromFilters)];
    expect([sends(filters), sends(follows)]).toEqual(expected);
    for (const one of [...filters, ...follows])
      expect(said(one)).toMatch(/^(send|fold: no place left today)$/);
  });

  const noticeOf = async (given: Partial<Follower>, at = START) => {
    const { judge, clock } = await openChoices({ follower: { ...follower, ...given } });
    await clock.advance(at - START);
    const verdicts = await judge(...alerts(1, 17, { ...byRule, dueAt: at }));
    return verdicts.flatMap((verdict) => (verdict.act === 'fold' ? [verdict.notice] : []));
  };

  test('that are full name the same notice, once per day, with when the list comes', async () => {
    const notices = await noticeOf({});

    expect(notices).toHaveLength(2);
    expect(new Set(notices.map((notice) => notice?.id)).size).toBe(1);
    expect(notices[0]).toMatchObject({
      kind: 'personal_limit',
      facts: { listAt: START + 19 * HOUR_MS, zone: 'UTC', hasMore: true },
    });
  });

  test.each([
    ['before the evening of their zone', { zone: 'Asia/Tokyo' }, START, START + 10 * HOUR_MS],
    ['late, the evening of tomorrow', {}, START + 20 * HOUR_MS, START + 43 * HOUR_MS],
    [
      'before their quiet hours, their end',
      { quiet: { from: 18, to: 7 } },
      START + 17 * HOUR_MS,
      START + 31 * HOUR_MS,
    ],
    ['after them, the evening', { quiet: { from: 22, to: 7 } }, START + 12 * HOUR_MS, START + 19 * HOUR_MS],
  ])('%s is when the list is said to come', async (_, given, at, listAt) => {
    expect((await noticeOf(given, at))[0]).toMatchObject({ facts: { listAt } });
  });

  test('have a notice that is dropped once its list was due', async () => {
    const { judge, clock, chat, choices } = await openChoices({ follower });
    const full = (await judge(...alerts(1, 16, byRule))).at(-1);
    if (full?.act !== 'fold' || full.notice === undefined) throw new Error('the day is not full');
    await chat.add([full.notice]);
    const stored = await chat.byId(full.notice.id);
    if (stored === null) throw new Error('there is no notice');

    expect((await choices.judge(ANN, [stored])).map(said)).toEqual(['send']);
    await clock.advance(19 * HOUR_MS);
    expect((await choices.judge(ANN, [stored])).map(said)).toEqual(['drop: nothing to say']);
  });

  test('are counted from what was sent, may have been, or is retried, since 19:00 of the person', async () => {
    const { judge, chat, clock } = await openChoices({ follower: { ...follower, zone: 'Asia/Tokyo' } });
    const evening = START + 10 * HOUR_MS;
    await clock.advance(9 * HOUR_MS + 30 * MINUTE_MS);
    await judge(...alerts(1, 15, { ...byRule, dueAt: clock.now() }));
    const end = async (id: number, change: Parameters<typeof chat.finish>[2]) => {
      await chat.claim(`personal:${id}@cus_a`, { owner: OWNER, at: START });
      await chat.finish(`personal:${id}@cus_a`, OWNER, change);
    };
    for (let id = 1; id <= 12; id += 1) await end(id, { state: 'sent', place: 'm', at: clock.now() });
    await end(13, { state: 'unknown', error: 'timeout', at: clock.now(), unsureSince: START });
    await end(14, { state: 'pending', dueAt: START + DAY_MS, error: '429' });
    await chat.claim('personal:15@cus_a', { owner: OWNER, at: START });

    await clock.advance(30 * MINUTE_MS - 1);
    expect(sends(await judge(toAnn(16, { ...byRule, dueAt: clock.now() })))).toBe(0);
    await clock.advance(1);
    // One is being sent, and one is retried: they have their places in the new day.
    expect(sends(await judge(...alerts(17, 17, { ...byRule, dueAt: evening })))).toBe(13);
  });

  test('a message that is retried keeps the one that it has', async () => {
    const { judge, chat, choices } = await openChoices({ follower });
    await judge(...alerts(1, 15, byRule));
    for (let id = 1; id <= 15; id += 1) {
      await chat.claim(`personal:${id}@cus_a`, { owner: OWNER, at: START });
      const sent = { state: 'sent', place: 'm', at: START } as const;
      await chat.finish(
        `personal:${id}@cus_a`,
        OWNER,
        id > 1 ? sent : { state: 'pending', dueAt: START, error: '429' },
      );
    }

    const retried = await chat.byId('personal:1@cus_a');

    expect((await choices.judge(ANN, retried === null ? [] : [retried])).map(said)).toEqual(['send']);
    expect((await judge(toAnn(16, byRule))).map(said)).toEqual(['fold: no place left today']);
  });

  test('over days of any alerts: never more than 20 per day, 15 of them from filters, and the best of what is due first', async () => {
    const offered = fc.array(
      fc.record({
        score: fc.integer({ min: 50, max: 100 }),
        isFollow: fc.boolean(),
        afterMs: fc.constantFrom(0, 0, MINUTE_MS, 3 * HOUR_MS),
      }),
      { minLength: 30, maxLength: 90 },
    );
    await fc.assert(
      fc.asyncProperty(offered, async (all) => {
        const { chat, clock, choices } = await openChoices({ follower });
        const days = new Map<number, { isFollow: boolean; score: number }[]>();
        for (const [index, { score, isFollow, afterMs }] of all.entries()) {
          await chat.add([
            toAnn(index + 1, { score, isFollow, followIds: [isFollow ? 'a1' : 'a2'], dueAt: clock.now() }),
          ]);
          if (afterMs === 0) continue;
          const lane = 'personal:telegram:first';
          const due = await chat.dueOf(ANN, { lane, now: clock.now(), limit: 100 });
          const verdicts = await choices.judge(ANN, due);
          const day = Math.floor((clock.now() - 19 * HOUR_MS) / DAY_MS);
          const told = days.get(day) ?? [];
          days.set(day, told);
          for (const [at, { id, facts, kind }] of due.entries()) {
            if (kind !== 'personal_alert') continue;
            await chat.claim(id, { owner: OWNER, at: clock.now() });
            if (verdicts[at]?.act === 'send') told.push(facts);
            const now = clock.now();
            const isSent = verdicts[at]?.act === 'send';
            await chat.finish(
              id,
              OWNER,
              isSent ? { state: 'sent', place: 'm', at: now } : { state: 'folded', error: 'x', at: now },
            );
          }
          const scores = due.map(({ facts }) => ('score' in facts ? facts.score : 0));
          expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          await clock.advance(afterMs);
        }
        for (const told of days.values()) {
          expect(told.length).toBeLessThanOrEqual(20);
          expect(told.filter(({ isFollow }) => !isFollow).length).toBeLessThanOrEqual(15);
        }
      }),
      { numRuns: 12 },
    );
  });
});
