import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { digestOf } from '../../support/chat/messages.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { EDIT, FIRST, ofThread, openThread } from '../../support/chat/open-thread.ts';
import { type Answer, later, refusal } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

/** Alerts below it have no post of their own. */
const SCORED = { ...ONE, minScore: 60 };

describe('an alert that is worth no post of its own', () => {
  test('edits its thread’s post after that was put off and sent', async () => {
    const answers = [later(3_000), later(3_000)];
    const { publish, send, pass, calls } = await openPosts(SCORED, { answer: () => answers.shift() });
    await publish(ofThread(1, { score: 90 }));
    send();
    await pass(500);
    await publish(ofThread(2, { score: 50 }));
    await pass(MINUTE_MS);

    expect(calls).toEqual([FIRST, FIRST, FIRST, { ...EDIT, where: 'm3' }]);
  });

  test('edits its thread’s post when both are due together', async () => {
    let isPaused = true;
    const { publish, send, pass, shown } = await openPosts(SCORED);
    for (let id = 1; id < 9; id += 1) await publish({ id, threadId: id, score: 1 });
    await publish({ id: 9, threadId: 9, score: 90, createdAt: START });
    await publish({ id: 10, threadId: 9, score: 50, createdAt: START });
    send({ isPaused: () => isPaused });
    await pass(2_000);
    isPaused = false;
    await pass(5_000);

    expect(shown()).toEqual(['send 9: open', 'edit 10: open, updated']);
  });

  test('ends when its thread’s post, put off, is given up', async () => {
    const answers = [later(3_000), refusal('refused')];
    const { publish, send, pass, calls, store } = await openPosts(SCORED, {
      answer: () => answers.shift(),
    });
    await publish(ofThread(1, { score: 90 }));
    send();
    await pass(500);
    await publish(ofThread(2, { score: 50 }));
    await pass(MINUTE_MS);

    expect(calls).toEqual([FIRST, FIRST]);
    expect(await store.byId('alert:2@telegram')).toMatchObject({ state: 'dropped' });
  });
});

describe('several newer alerts of a thread that are due together', () => {
  test.each([
    ['worth a post of their own', 90],
    ['worth none', 1],
  ])('and are %s make one edit, which shows the newest', async (_, score) => {
    let isPaused = false;
    const { publish, send, pass, calls, store } = await openPosts(SCORED);
    send({ isPaused: () => isPaused });
    await publish(ofThread(1, { score: 90 }));
    await pass(2_000);
    isPaused = true;
    for (let id = 2; id < 12; id += 1) await publish(ofThread(id, { score, createdAt: START }));
    await pass(2_000);
    isPaused = false;
    await pass(30_000);

    expect(calls).toEqual([FIRST, { ...EDIT, view: '11: open, updated' }]);
    expect(await store.counts()).toMatchObject({ sent: 2, dropped: 9, pending: 0 });
  });

  test('make it again with the newest when that is put off, and are not shown in between', async () => {
    const answers = [undefined, later(3_000)];
    const { publish, pass, calls, store } = await openThread({ answer: () => answers.shift() }, SCORED);

    await publish(ofThread(2, { score: 1, createdAt: START }));
    await publish(ofThread(3, { score: 1, createdAt: START }));
    await pass(20_000);

    const edit = { ...EDIT, view: '3: open, updated' };
    expect(calls).toEqual([FIRST, edit, edit]);
    expect(await store.byId('alert:3@telegram')).toMatchObject({ state: 'sent' });
  });
});

test('the list of a day names a thread by its newest alert that may be shown, whatever its score', async () => {
  const { publish, send, pass, shown, store, clock } = await openPosts(SCORED, { postsPerDay: 0 });
  const dayStart = START - (START % DAY_MS);
  await clock.advance(dayStart + DAY_MS - START - 10_000);
  send();
  const now = () => ({ createdAt: clock.now(), tradedAt: clock.now() });
  await publish(ofThread(1, { score: 90, ...now() }));
  await publish({ id: 2, threadId: 2, score: 90, ...now() });
  await pass(2_000);
  await publish(ofThread(3, { score: 10, ...now() }));
  await publish(ofThread(4, { score: 70, ...now() }));
  await pass(2_000);
  await publish(ofThread(5, { score: 10, ...now() }));
  await store.add([digestOf(dayStart)]);
  await pass(10_000);

  expect(shown()).toEqual(['send digest 5 2, 0 more']);
});

describe('a post that was deleted on its platform', () => {
  /** It is gone when it is edited, or answered, the first time. */
  const goneAt = (gone: 'edit' | 'reply'): Answer => {
    let isThere = true;
    return ({ how }) => {
      if (how === gone && isThere) {
        isThere = false;
        return refusal('gone');
      }
      return how === 'edit' && gone === 'reply' && isThere ? refusal('refused') : undefined;
    };
  };

  test.each(['edit', 'reply'] as const)(
    'ends with the %s that finds out; the next alert of its thread that is worth a post is posted',
    async (how) => {
      const { publish, pass, calls, store } = await openThread({ answer: goneAt(how) }, SCORED);

      await publish(ofThread(2, { score: 70 }));
      await pass(5_000);
      const tried = calls.length;
      await publish(ofThread(3, { score: 10 }));
      await pass(5_000);
      expect(calls).toHaveLength(tried);
      expect(await store.byId('alert:1@telegram')).toMatchObject({ state: 'dropped' });
      expect(await store.byId('alert:2@telegram')).toMatchObject({ state: 'dropped' });
      await publish(ofThread(4, { score: 70 }));
      await pass(5_000);
      await publish(ofThread(5, { score: 10 }));
      await pass(5_000);

      expect(calls.slice(tried)).toEqual([
        { ...FIRST, view: '4: open' },
        { ...EDIT, where: `m${tried + 1}`, view: '5: open, updated' },
      ]);
    },
  );

  test('ends with the result too, and was one of the posts of its day', async () => {
    const { resolve, publish, pass, shown } = await openThread({ answer: goneAt('edit'), postsPerDay: 1 });

    await resolve(1);
    await pass(5_000);
    await publish(ofThread(2));
    await pass(5_000);

    expect(shown()).toEqual(['send 1: open', 'edit 1: 1']);
  });
});

test('what the operator takes back goes with the answers to it, and leaves other threads alone', async () => {
  const { publish, pass, calls, withdraw } = await openThread({
    answer: ({ how }) => (how === 'edit' ? refusal('refused') : undefined),
  });
  await publish(ofThread(2));
  await publish({ id: 3, threadId: 3 });
  await pass(5_000);
  const before = calls.length;

  const done = await withdraw(1);
  await publish(ofThread(4));
  await pass(5_000);

  expect(done).toMatchObject([
    { id: 'alert:1@telegram', result: 'withdrawn' },
    { id: 'alert:2@telegram', result: 'withdrawn' },
  ]);
  const answer = calls.findIndex(({ how }) => how === 'reply') + 1;
  expect(calls.slice(before).map(({ how, where }) => `${how} ${where}`)).toEqual([
    'remove m1',
    `remove m${answer}`,
  ]);
});
