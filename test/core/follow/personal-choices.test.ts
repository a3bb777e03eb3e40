import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Follow, Follower } from '../../../src/core/follow/follower.ts';
import { alertOf } from '../../support/alerts.ts';
import { handleOn } from '../../support/chat/chat-engine-fixture.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { followOf, walletOf } from '../../support/followers.ts';
import { ANN, FREE_DELAY_MS, openChoices, said } from '../../support/personal-choices-fixture.ts';
import { START } from '../../support/rows.ts';
import { storeAlerts } from '../../support/stored.ts';

const OWNER = 'host/1/a';
const toAnn = (alertId: number, given: Parameters<typeof personalOf>[2] = {}) =>
  personalOf(alertId, 'cus_a', given);
const many = (count: number, given: Partial<Follow> = {}) =>
  Array.from({ length: count }, (_, index) => followOf(`a${index + 1}`, walletOf(index + 1), given));
const market = (marketId: string) => ({ kind: 'market', marketId, title: 'Rain?', slug: 'rain' }) as const;

describe('an alert that is due is judged by what the person wants now', () => {
  const cases: readonly [string, Partial<Follower>, string][] = [
    ['follows it', {}, 'send'],
    ['no longer follows it', { follows: [followOf('a2', walletOf(1))] }, 'drop: no longer followed'],
    ['has paused it', { follows: many(1, { isPaused: true }) }, 'drop: no longer followed'],
    ['muted its market', { mutes: [{ subject: market('0xm1'), until: START + 1 }] }, 'drop: muted'],
    ['muted it until now', { mutes: [{ subject: market('0xm1'), until: START }] }, 'send'],
    ['muted another market', { mutes: [{ subject: market('0xm2'), until: START + 1 }] }, 'send'],
    ['muted its wallet', { mutes: [{ subject: walletOf(0xaa), until: START + 1 }] }, 'drop: muted'],
    [
      'muted everything',
      { mutes: [{ subject: { kind: 'filter', filter: {} }, until: START + 1 }] },
      'drop: muted',
    ],
    ['wants a daily list', { follows: many(1, { mode: 'daily' }) }, 'wait'],
    ['has quiet hours', { quiet: { from: 22, to: 1 } }, 'fold: quiet hours'],
    ['has quiet hours later', { quiet: { from: 1, to: 22 } }, 'send'],
    [
      'has quiet hours in their zone',
      { zone: 'Asia/Tokyo', quiet: { from: 9, to: 10 } },
      'fold: quiet hours',
    ],
  ];
  test.each(cases)('who %s', async (_, follower, verdict) => {
    const { judge } = await openChoices({ follower });

    expect((await judge(toAnn(1))).map(said)).toEqual([verdict]);
  });

  test('someone who blocked the bot has it listed', async () => {
    const { judge } = await openChoices({ handle: handleOn('telegram', 'ann', false) });

    expect((await judge(toAnn(1))).map(said)).toEqual(['fold: unreachable']);
  });

  test('nobody who is banned, unknown or follows nothing is sent anything', async () => {
    const banned = await openChoices({ isBanned: true });
    const without = await openChoices({ isStored: false });

    for (const { judge } of [banned, without])
      expect((await judge(toAnn(1))).map(said)).toEqual(['drop: nobody is there']);
    expect((await banned.choices.judge('customer:cus_x', [])).length).toBe(0);
  });

  test('whose Pro key ended hears at the free delay, of the oldest ten follows', async () => {
    const { judge, clock, choices, chat } = await openChoices({
      isPro: false,
      follower: { follows: many(11) },
    });
    const [tenth, eleventh] = [toAnn(1, { followIds: ['a10'] }), toAnn(2, { followIds: ['a11'] })];

    const verdicts = await judge(tenth, eleventh);

    expect(verdicts).toEqual([
      { act: 'wait', until: START + FREE_DELAY_MS },
      { act: 'drop', why: 'no longer followed' },
    ]);
    await clock.advance(FREE_DELAY_MS);
    const stored = await chat.byId('personal:1@cus_a');
    expect((await choices.judge(ANN, stored === null ? [] : [stored])).map(said)).toEqual(['send']);
  });

  test('it is only listed when it is older than an hour; the free delay is not counted', async () => {
    const { judge, clock } = await openChoices({ isPro: false });
    await clock.advance(HOUR_MS + FREE_DELAY_MS);

    const verdicts = await judge(
      toAnn(1, { isRealtime: false }),
      toAnn(2, { isRealtime: false, dueAt: START - 1 }),
    );

    expect(verdicts.map(said)).toEqual(['send', 'fold: too late']);
  });

  test('it is silent when all that match are, and those for the daily list do not count beside others', async () => {
    const modes = (['normal', 'silent', 'daily'] as const).map((mode, index) =>
      followOf(`a${index + 1}`, walletOf(1), { mode }),
    );
    const { judge } = await openChoices({ follower: { follows: modes } });
    const of = (alertId: number, ...followIds: string[]) => toAnn(alertId, { followIds });

    const verdicts = await judge(of(1, 'a1', 'a2'), of(2, 'a2'), of(3, 'a2', 'a3'), of(4, 'a3'));

    expect(
      verdicts.map((verdict) => ('message' in verdict ? verdict.message.facts : said(verdict))),
    ).toMatchObject([{ isSilent: false }, { isSilent: true }, { isSilent: true }, 'wait']);
  });

  test('one for the daily list waits until shortly before the evening, so that no other list has it', async () => {
    const { judge, clock, choices, chat } = await openChoices({
      follower: { follows: many(1, { mode: 'daily' }), quiet: { from: 22, to: 7 } },
    });
    const until = START + 19 * HOUR_MS - 5 * MINUTE_MS;
    expect(await judge(toAnn(1))).toEqual([{ act: 'wait', until }]);
    await clock.advance(until - START);

    const stored = await chat.byId('personal:1@cus_a');

    const verdicts = await choices.judge(ANN, stored === null ? [] : [stored]);
    expect(verdicts.map(said)).toEqual(['fold: for the daily list']);
  });

  test('one that may have arrived is sent again where its platform recognises it, whatever changed', async () => {
    const { judge, chat, choices, change } = await openChoices();
    await judge(toAnn(1));
    await chat.claim('personal:1@cus_a', { owner: OWNER, at: START });
    await chat.finish('personal:1@cus_a', OWNER, {
      state: 'pending',
      dueAt: START,
      error: 'timeout',
      unsureSince: START,
    });
    await change({ quiet: { from: 22, to: 1 }, follows: [] });

    const stored = await chat.byId('personal:1@cus_a');

    expect((await choices.judge(ANN, stored === null ? [] : [stored])).map(said)).toEqual(['send']);
  });
});

describe('what changed while an alert waited', () => {
  test('whoever follows a wallet that was hidden since is sent nothing about it', async () => {
    const { judge, database } = await openChoices();
    const { wallet } = walletOf(1);
    await database.hiddenWallets.add({ wallet, reason: 'a private person', at: 1 });

    expect((await judge(toAnn(1))).map(said)).toEqual(['drop: no longer followed']);
    await database.hiddenWallets.remove(wallet);
    expect((await judge(toAnn(2))).map(said)).toEqual(['send']);
  });

  test('who has given a rule another filter since is told of what that matches, and of nothing else', async () => {
    const politics = { kind: 'filter', filter: { category: 'politics' } } as const;
    const { judge, database, change } = await openChoices({
      follower: { follows: [followOf('a1', politics)] },
    });
    await storeAlerts(database, alertOf({ id: 1, category: 'politics' }));
    await storeAlerts(database, alertOf({ id: 2, category: 'politics', score: 90 }));
    expect((await judge(toAnn(1))).map(said)).toEqual(['send']);

    const best = { kind: 'filter', filter: { category: 'politics', minScore: 90 } } as const;
    await change({ follows: [followOf('a1', best, { mode: 'silent' })], changedAt: START + 1 });

    const verdicts = await judge(toAnn(1), toAnn(2));
    expect(verdicts.map(said)).toEqual(['drop: no longer followed', 'send']);
    expect(verdicts[1]).toMatchObject({ message: { facts: { isSilent: true, isFollow: false } } });
  });
});
