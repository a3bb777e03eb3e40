import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import {
  alert,
  alertNow,
  DELAYED,
  EDIT,
  FIRST,
  ofThread,
  openThread,
  POSTED,
  paused,
  play,
  result,
  SCORED,
  SOON,
  sees,
  start,
  TWO_DELAYED,
  wait,
} from '../../support/chat/open-thread.ts';
import { refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';

describe('a newer alert of a thread whose post is in the channel', () => {
  test('edits that post instead of making another; results are those of the newest', () =>
    play({}, [
      ...POSTED,
      alert(2),
      result(1),
      alert(3),
      sees(FIRST, EDIT, 'edit m1 2: 1, updated', 'edit m1 3: 1, updated'),
    ]));

  test('is shown as late as a post of it would be (free delay)', () =>
    play({ rules: DELAYED }, [
      ...TWO_DELAYED,
      sees(FIRST),
      wait(MINUTE_MS - 10_000),
      sees(FIRST),
      wait(10_000),
      sees(FIRST, EDIT),
    ]));

  test('is not shown early by the edit with the result either, which waits as long', () =>
    play({ rules: DELAYED }, [
      ...TWO_DELAYED,
      result(1),
      sees(FIRST),
      wait(MINUTE_MS),
      sees(FIRST, 'edit m1 2: 1, updated'),
      wait(DELAYED.delayMs - 2 * MINUTE_MS),
      sees(FIRST, 'edit m1 2: 1, updated'),
      wait(MINUTE_MS),
      sees(FIRST, 'edit m1 2: 1, updated', 'edit m1 2: 1, updated'),
    ]));

  test('edits it whatever its own score, and an edit is none of the posts of an hour', () =>
    play({ rules: SCORED, postsPerDay: 2 }, [
      ...POSTED,
      alert(2, { score: 10 }),
      alert(3, { score: 70 }),
      alert(4, { threadId: 4, score: 60 }),
      sees(FIRST, EDIT, 'edit m1 3: open, updated', 'send 4: open'),
    ]));

  test('is an answer to it, once, when it cannot be edited', () =>
    play({ answers: [undefined, refusal('refused')] }, [
      ...POSTED,
      alert(2),
      wait(20_000),
      sees(FIRST, EDIT, 'reply m1 2: open, updated'),
    ]));

  test('edits it after an outage too long for a post', async () => {
    const { publish, stored, make, channel, pass, shown, clock } = await openThread();
    await channel.close();
    await stored(ofThread(2));
    await stored({ id: 3 });
    await clock.advance(5 * HOUR_MS);

    await make().start(3);
    await pass(2_000);
    const at = clock.now();
    await publish(ofThread(4, { createdAt: at, tradedAt: at - HOUR_MS - 1 }));
    await publish(ofThread(5, { createdAt: at, isHistory: true }));
    await pass(2_000);

    expect(shown()).toEqual([FIRST, EDIT]);
  });
});

describe('a newer alert of a thread whose post is not out', () => {
  test('is posted as usual when the earlier one was below the least score', () =>
    play({ rules: SCORED }, [
      start,
      alert(1, { score: 59 }),
      alert(2, { score: 58 }),
      alert(3, { score: 60 }),
      alert(4, { score: 10 }),
      wait(6_000),
      sees('send 3: open', 'edit m1 4: open, updated'),
    ]));

  test.each([UNKNOWN, refusal('refused')])('is posted as usual when the earlier one failed (%o)', (answer) =>
    play({ answers: [answer] }, [...POSTED, alert(2, {}, 7_000), sees(FIRST, 'send 2: open')]),
  );

  test('is posted as usual when the earlier one was too old to be posted', () =>
    play({}, [
      alert(1),
      paused(true),
      start,
      wait(HOUR_MS + MINUTE_MS, MINUTE_MS),
      alertNow(2),
      paused(false),
      wait(3_000),
      sees('send 2: open'),
    ]));
});

describe('several newer alerts of a thread that are due together', () => {
  test.each([90, 1])('make one edit, which shows the newest (score: %i)', async (score) => {
    const others = Array.from({ length: 10 }, (_, index) => alert(index + 2, { score, ...SOON }));
    await play({ rules: SCORED }, [
      ...POSTED,
      paused(true),
      ...others,
      paused(false),
      wait(30_000),
      sees(FIRST, 'edit m1 11: open, updated'),
      async ({ store }) => expect(await store.counts(0)).toMatchObject({ sent: 2, dropped: 9, pending: 0 }),
    ]);
  });
});

test('each channel has its own post: what one refused and another took is posted in the one, edited in the other', async () => {
  const { publish, store, engine, pass } = await openPosts({ ...ONE, channels: ['telegram', 'discord'] });
  const taken: string[] = [];
  const messenger = (name: string, answers: ReturnType<typeof refusal>[]) => {
    const take = async (how: string) => {
      taken.push(`${name} ${how}`);
      return answers.shift() ?? ({ ok: true, place: name } as const);
    };
    return {
      ...{ send: () => take('send'), edit: () => take('edit') },
      ...{ reply: () => take('reply'), remove: () => take('remove') },
    };
  };
  engine({ telegram: messenger('telegram', [refusal('refused')]), discord: messenger('discord', []) });
  await publish(ofThread(1));
  await pass(2_000);
  await publish(ofThread(2));
  await pass(2_000);

  expect(taken).toEqual(['telegram send', 'discord send', 'telegram send', 'discord edit']);
  expect(await store.postsOf(2)).toMatchObject([{ kind: 'alert_update' }, { kind: 'alert' }]);
});
