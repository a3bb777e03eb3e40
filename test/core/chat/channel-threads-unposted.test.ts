import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { settle } from '../../support/chat/chat-engine-fixture.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { DELAYED, EDIT, FIRST, ofThread, openThread } from '../../support/chat/open-thread.ts';
import { type Answer, later, refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

describe('a newer alert of a thread whose post is not out yet', () => {
  test('is shown by that post when both may be shown by then: one message', async () => {
    let isPaused = true;
    const { publish, send, pass, calls, store } = await openPosts(ONE);
    await publish(ofThread(1));
    await publish(ofThread(2));
    send({ isPaused: () => isPaused });
    await pass(5_000);
    isPaused = false;
    await pass(3_000);

    expect(calls).toEqual([{ ...FIRST, view: '2: open' }]);
    expect(await store.byId('alert:2@telegram')).toMatchObject({ kind: 'alert_update', state: 'dropped' });
  });

  test('is shown by that post when it is tried again', async () => {
    const answers = [later(), later(60_000)];
    const { publish, send, pass, calls } = await openPosts(ONE, { answer: () => answers.shift() });
    await publish(ofThread(1));
    send();
    await pass(1_500);
    await publish(ofThread(2));
    await pass(90_000);

    expect(calls.map(({ view }) => view)).toEqual(['1: open', '2: open', '2: open']);
  });

  test('follows as an edit when it is being sent right now', async () => {
    let take = () => {};
    const answer: Answer = ({ how }) =>
      how === 'send'
        ? new Promise((resolve) => {
            take = () => resolve(undefined);
          })
        : undefined;
    const { publish, send, pass, calls } = await openPosts(ONE, { answer });
    await publish(ofThread(1));
    send();
    send();
    await pass(2_000);
    await publish(ofThread(2));
    await pass(3_000);
    expect(calls).toEqual([FIRST]);

    take();
    await pass(2_000);

    expect(calls).toEqual([FIRST, EDIT]);
  });
});

describe('a newer alert of a thread without a post', () => {
  test('is posted as usual when the earlier one, being sent right now, fails', async () => {
    let fail = () => {};
    const answer: Answer = ({ view }) =>
      view === '1: open'
        ? new Promise((resolve) => {
            fail = () => resolve(refusal('refused'));
          })
        : undefined;
    const { publish, send, pass, calls } = await openPosts(ONE, { answer });
    await publish(ofThread(1));
    send();
    send();
    await pass(2_000);
    await publish(ofThread(2));
    await pass(3_000);

    fail();
    await pass(2_000);

    expect(calls).toEqual([FIRST, { ...FIRST, view: '2: open' }]);
  });

  test('is posted as usual when the earlier one was below the least score', async () => {
    const { publish, send, pass, calls } = await openPosts({ ...ONE, minScore: 60 });
    send();

    await publish(ofThread(1, { score: 59 }));
    await publish(ofThread(2, { score: 58 }));
    await publish(ofThread(3, { score: 60 }));
    await publish(ofThread(4, { score: 10 }));
    await pass(6_000);

    expect(calls).toEqual([
      { ...FIRST, view: '3: open' },
      { ...EDIT, view: '4: open, updated' },
    ]);
  });

  test('is posted as usual when the earlier one was not among the posts of the day', async () => {
    const { publish, send, pass, shown } = await openPosts(ONE, { postsPerDay: 1 });
    await publish({ id: 1, score: 70 });
    await publish({ id: 2, threadId: 2, score: 75 });
    send();
    await pass(2_000);

    await publish({ id: 3, threadId: 2, score: 90 });
    await pass(2_000);
    await publish({ id: 4, threadId: 2, score: 70 });
    await pass(2_000);

    expect(shown()).toEqual(['send 1: open', 'send 3: open', 'edit 4: open, updated']);
  });

  test.each([
    ['failed', UNKNOWN],
    ['was refused', refusal('refused')],
  ])('is posted as usual when the earlier one %s', async (_, result) => {
    const answers = [result];
    const { publish, pass, calls } = await openThread({ answer: () => answers.shift() });

    await publish(ofThread(2));
    await pass(5_000);

    expect(calls).toEqual([FIRST, { ...FIRST, view: '2: open' }]);
  });

  test('is posted as usual when the earlier one was too old to be posted', async () => {
    let isPaused = true;
    const { publish, send, pass, calls, clock } = await openPosts(ONE);
    await publish(ofThread(1));
    send({ isPaused: () => isPaused });
    await pass(HOUR_MS + MINUTE_MS, MINUTE_MS);
    await publish(ofThread(2, { createdAt: clock.now(), tradedAt: clock.now() }));
    isPaused = false;
    await pass(3_000);

    expect(calls).toEqual([{ ...FIRST, view: '2: open' }]);
  });
});

describe('what the operator took back', () => {
  test('is neither posted again nor edited, whatever follows in its thread', async () => {
    const { publish, resolve, pass, calls, ...fixture } = await openThread({}, { ...ONE, minScore: 60 });
    await fixture.withdraw(1);

    await publish(ofThread(2));
    await publish(ofThread(3, { score: 1 }));
    await resolve(1);
    await pass(5_000);

    expect(calls.map(({ how }) => how)).toEqual(['send', 'remove']);
    expect(await fixture.store.byId('alert:2@telegram')).toMatchObject({ state: 'dropped' });
  });

  test('by the number of the alert that its post was changed for is that post', async () => {
    const { publish, pass, calls, ...fixture } = await openThread();
    await publish(ofThread(2));
    await pass(2_000);

    expect(await fixture.withdraw(2)).toMatchObject([{ id: 'alert:1@telegram', result: 'withdrawn' }]);
    await publish(ofThread(3));
    await pass(2_000);

    expect(calls.map(({ how, where }) => [how, where])).toEqual([
      ['send', 'channel'],
      ['edit', 'm1'],
      ['remove', 'm1'],
    ]);
  });

  test('before it was shown is never shown', async () => {
    const { publish, send, pass, resolve, calls, ...fixture } = await openPosts(DELAYED);
    await publish(ofThread(1, { createdAt: START }));
    await publish(ofThread(2, { createdAt: START + MINUTE_MS }));
    send();
    await pass(DELAYED.delayMs + 1_000);
    await fixture.withdraw(2);
    await pass(2 * MINUTE_MS);
    await resolve(1);
    await pass(2_000);
    await settle();

    expect(calls).toEqual([FIRST, { ...EDIT, view: '1: 1' }]);
  });
});

test('each channel has its own post: what one refused and another took is posted in the one, edited in the other', async () => {
  const { publish, store, engine, pass } = await openPosts({
    ...ONE,
    channels: ['telegram', 'discord'],
  });
  const taken: string[] = [];
  const messenger = (name: string, answers: ReturnType<typeof refusal>[]) => {
    const take = async (how: string) => {
      taken.push(`${name} ${how}`);
      return answers.shift() ?? ({ ok: true, place: name } as const);
    };
    return {
      send: () => take('send'),
      edit: () => take('edit'),
      reply: () => take('reply'),
      remove: () => take('remove'),
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
