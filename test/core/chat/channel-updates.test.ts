import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../src/core/duration.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { EDIT, FIRST, ofThread } from '../../support/chat/open-thread.ts';
import { later, refusal } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

/** Alerts below it have no post of their own. */
const SCORED = { ...ONE, minScore: 60 };

describe('an alert that is worth no post of its own', () => {
  test('edits its thread’s post after that was put off and sent', async () => {
    const answers = [later(3_000), later(3_000)];
    const { make, publish, send, pass, calls } = await openPosts(SCORED, { answer: () => answers.shift() });
    await make().start(0);
    await publish(ofThread(1, { score: 90 }));
    send();
    await pass(500);
    await publish(ofThread(2, { score: 50 }));
    await pass(MINUTE_MS);

    expect(calls).toEqual([FIRST, FIRST, FIRST, { ...EDIT, where: 'm3' }]);
  });

  test('edits its thread’s post when both are due together', async () => {
    let isPaused = true;
    const { make, publish, send, pass, calls } = await openPosts(SCORED);
    await make().start(0);
    for (let id = 1; id < 9; id += 1) await publish({ id, threadId: id, score: 1 });
    await publish({ id: 9, threadId: 9, score: 90, createdAt: START });
    await publish({ id: 10, threadId: 9, score: 50, createdAt: START });
    send({ isPaused: () => isPaused });
    await pass(2_000);
    isPaused = false;
    await pass(5_000);

    expect(calls.map(({ how, view }) => `${how} ${view}`)).toEqual([
      'send 9: open',
      'edit 10: open, updated',
    ]);
  });

  test('ends when its thread’s post, put off, is given up', async () => {
    const answers = [later(3_000), refusal('refused')];
    const { make, publish, send, pass, calls, store } = await openPosts(SCORED, {
      answer: () => answers.shift(),
    });
    await make().start(0);
    await publish(ofThread(1, { score: 90 }));
    send();
    await pass(500);
    await publish(ofThread(2, { score: 50 }));
    await pass(MINUTE_MS);

    expect(calls).toEqual([FIRST, FIRST]);
    expect(await store.byId('alert:2@telegram')).toMatchObject({ state: 'dropped' });
  });
});
