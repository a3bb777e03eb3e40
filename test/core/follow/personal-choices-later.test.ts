import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/core/base/time/duration.ts';
import type { ChatFacts, NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { personalOf } from '../../support/chat/messages.ts';
import { followOf, walletOf } from '../../support/followers.ts';
import { ANN, FREE_DELAY_MS, openChoices, said } from '../../support/personal-choices-fixture.ts';
import { START } from '../../support/rows.ts';

const OWNER = 'host/1/a';
const toAnn = (alertId: number, given: Parameters<typeof personalOf>[2] = {}) =>
  personalOf(alertId, 'cus_a', given);
const market = (marketId: string) => ({ kind: 'market', marketId, title: 'Rain?', slug: 'rain' }) as const;

function messageOf(
  kind: 'exit' | 'result' | 'mark' | 'list' | 'week',
  createdAt = START,
  given: Partial<ChatFacts['personal_exit']> = {},
): NewChatMessage {
  const times = { recipient: ANN, id: `p${kind}:1@cus_a`, createdAt, dueAt: createdAt } as const;
  const how = { platform: 'telegram', isRealtime: true } as const;
  const about = { ...how, alertId: 1, threadId: 1, marketId: '0xm1', alertMessageId: 'personal:1@cus_a' };
  const news = { ...about, wallet: '0xaa', followIds: ['a1'], ...given };
  if (kind === 'exit') return { ...times, kind: 'personal_exit', facts: { ...news, exit: 1 } };
  if (kind === 'result') return { ...times, kind: 'personal_result', facts: { ...news, seq: 1 } };
  if (kind === 'mark') return { ...times, kind: 'personal_mark', facts: { ...about, seq: 1 } };
  return kind === 'list'
    ? { ...times, kind: 'personal_list', facts: { ...how, occasion: 'evening' } }
    : { ...times, kind: 'personal_week', facts: how };
}

describe('what became of an alert', () => {
  test('waits for the end of quiet hours, but a mark before a text is not heard', async () => {
    const { judge } = await openChoices({ follower: { quiet: { from: 22, to: 7 } } });

    const verdicts = await judge(messageOf('exit'), messageOf('result'), messageOf('mark'));

    const until = START + 7 * HOUR_MS;
    expect(verdicts).toMatchObject([{ act: 'wait', until }, { act: 'wait', until }, { act: 'send' }]);
  });

  test('has no limit, is dropped for a muted market or wallet, and shows an exit at the free delay', async () => {
    const free = await openChoices({ isPro: false });
    const muted = await openChoices({ follower: { mutes: [{ subject: market('0xm1'), until: START + 1 }] } });

    const byWallet = await openChoices({
      follower: { mutes: [{ subject: { kind: 'wallet', wallet: '0xaa' }, until: START + 1 }] },
    });
    expect((await byWallet.judge(messageOf('exit'), messageOf('result'))).map(said)).toEqual([
      'drop: muted',
      'drop: muted',
    ]);
    expect((await free.judge(messageOf('exit'), messageOf('result'))).map(said)).toEqual(['wait', 'send']);
    expect((await muted.judge(messageOf('exit'), messageOf('result'))).map(said)).toEqual([
      'drop: muted',
      'drop: muted',
    ]);
  });
});

describe('what is heard by a follow alone, without an alert of one’s own', () => {
  const news = (given: Partial<ChatFacts['personal_exit']> = {}) =>
    (['exit', 'result'] as const).map((kind) => messageOf(kind, START, { alertMessageId: null, ...given }));

  test('is dropped when that follow was removed, paused, or its wallet hidden while it waited', async () => {
    const follows = [followOf('a1', walletOf(1)), followOf('a2', walletOf(2), { isPaused: true })];
    const { judge, database } = await openChoices({ follower: { follows } });
    const of = async (...followIds: string[]) => (await judge(...news({ followIds }))).map(said);
    const unfollowed = Array(2).fill('drop: no longer followed');

    expect(await of('a1', 'a2')).toEqual(['send', 'send']);
    const { chat } = database;
    await chat.removeOf([ANN]);
    expect(await of('a2', 'a3')).toEqual(unfollowed);
    await chat.removeOf([ANN]);
    const { wallet } = walletOf(1);
    await database.hiddenWallets.add({ wallet, reason: 'private', at: 1 });
    expect(await of('a1')).toEqual(unfollowed);
  });

  test('is sent to who had an alert of it, whatever they follow', async () => {
    const { judge } = await openChoices({ follower: { follows: [] } });

    const verdicts = await judge(messageOf('exit'), messageOf('result'));

    expect(verdicts.map(said)).toEqual(['send', 'send']);
  });
});

describe('a list', () => {
  const fold = { state: 'folded', error: 'no place left today', at: START } as const;

  test('waits until all of it has the free delay, for who has no Pro key any more', async () => {
    const { judge, chat, choices, clock } = await openChoices({ isPro: false });
    await chat.add([toAnn(1)]);
    await chat.giveUp('personal:1@cus_a', fold);
    await clock.advance(1);

    const until = START + FREE_DELAY_MS;
    expect(await judge(messageOf('list', START + 1))).toEqual([{ act: 'wait', until }]);

    await clock.advance(FREE_DELAY_MS);
    const stored = await chat.byId('plist:1@cus_a');
    expect((await choices.judge(ANN, stored === null ? [] : [stored])).map(said)).toEqual(['send']);
  });

  test('lists the newest alert of each thread since the last list, best first, and says which may have been sent', async () => {
    const { judge, chat, choices, clock } = await openChoices();
    await chat.add([
      toAnn(1, { score: 60 }),
      toAnn(2, { score: 90 }),
      toAnn(3, { threadId: 2, score: 50 }),
      toAnn(4, { score: 70 }),
    ]);
    await chat.giveUp('personal:1@cus_a', { ...fold, at: START - 1 });
    for (const id of [2, 3]) await chat.giveUp(`personal:${id}@cus_a`, { ...fold, at: START + 1 });
    await chat.claim('personal:4@cus_a', { owner: OWNER, at: START });
    await chat.finish('personal:4@cus_a', OWNER, {
      state: 'unknown',
      error: 'timeout',
      at: START + 2,
      unsureSince: START,
    });
    await clock.advance(5);
    const list = messageOf('list', START + 2);

    const [verdict] = await judge(list);
    const alerts = [
      { alertId: 3, isUnsure: false },
      { alertId: 4, isUnsure: true },
      { alertId: 1, isUnsure: false },
    ];
    expect(verdict).toMatchObject({ act: 'send', message: { facts: { listed: { alerts, more: 0 } } } });

    await chat.add([{ ...messageOf('list', START), id: 'plist:before@cus_a' }]);
    const stored = await chat.byId(list.id);
    const [after] = await choices.judge(ANN, stored === null ? [] : [stored]);
    expect(after).toMatchObject({ message: { facts: { listed: { alerts: alerts.slice(0, 2) } } } });
  });

  test('is not sent without anything to list, nor in quiet hours', async () => {
    const empty = await openChoices();
    const quiet = await openChoices({ follower: { quiet: { from: 22, to: 1 } } });

    const verdicts = await Promise.all(
      [empty, quiet].map(async ({ judge }) => said((await judge(messageOf('list')))[0])),
    );

    expect(verdicts).toEqual(['drop: nothing to say', 'wait']);
  });

  test('names at most 100 threads, and counts the others', async () => {
    const { judge, chat } = await openChoices();
    await chat.add(Array.from({ length: 103 }, (_, index) => toAnn(index + 1)));
    for (let id = 1; id <= 103; id += 1) await chat.giveUp(`personal:${id}@cus_a`, fold);

    const [verdict] = await judge(messageOf('list'));

    expect(verdict).toMatchObject({ message: { facts: { listed: { alerts: { length: 100 }, more: 3 } } } });
  });
});

describe('a quiet week', () => {
  const week = messageOf('week', START);

  test('is told to those who follow something and were told nothing', async () => {
    const { judge } = await openChoices();
    const paused = await openChoices({
      follower: { follows: [followOf('a1', walletOf(1), { isPaused: true })] },
    });

    expect((await judge(week)).map(said)).toEqual(['send']);
    expect((await paused.judge(week)).map(said)).toEqual(['drop: nothing to say']);
  });

  test.each(['sent', 'folded'] as const)('is none when an alert was %s in it', async (state) => {
    const { judge, chat } = await openChoices();
    await chat.add([toAnn(1)]);
    const at = START - 6 * DAY_MS;
    await chat.claim('personal:1@cus_a', { owner: OWNER, at });
    await chat.finish(
      'personal:1@cus_a',
      OWNER,
      state === 'sent' ? { state, place: 'm', at } : { state, error: 'x', at },
    );

    expect((await judge(week)).map(said)).toEqual(['drop: nothing to say']);
  });
});
