import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { DELAYED, EDIT, FIRST, ofThread, openThread } from '../../support/chat/open-thread.ts';
import { type Answer, later, refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

describe('a newer alert of a thread whose post is in the channel', () => {
  test('edits that post instead of making another; results are those of the newest', async () => {
    const { publish, resolve, pass, calls, store } = await openThread();

    await publish(ofThread(2));
    await pass(2_000);
    await resolve(1);
    await pass(2_000);
    await publish(ofThread(3));
    await pass(2_000);

    expect(calls).toEqual([
      FIRST,
      EDIT,
      { ...EDIT, view: '2: 1, updated' },
      { ...EDIT, view: '3: open, updated' },
    ]);
    expect(await store.byId('alert:2@telegram')).toMatchObject({ kind: 'alert_update', state: 'sent' });
  });

  test('leaves the posts of other threads alone', async () => {
    const { publish, pass, calls } = await openThread();

    await publish({ id: 2, threadId: 2 });
    await publish({ id: 3 });
    await pass(2_000);

    expect(calls.map(({ how, view }) => [how, view])).toEqual([
      ['send', '1: open'],
      ['send', '2: open'],
      ['send', '3: open'],
    ]);
  });

  test('is shown as late as a post of it would be (free delay)', async () => {
    const { publish, send, pass, calls } = await openPosts(DELAYED);
    await publish(ofThread(1, { createdAt: START }));
    await publish(ofThread(2, { createdAt: START + MINUTE_MS }));
    send();

    await pass(DELAYED.delayMs + 1_000);
    expect(calls).toEqual([FIRST]);
    await pass(MINUTE_MS - 2_000);
    expect(calls).toEqual([FIRST]);
    await pass(2_000);

    expect(calls).toEqual([FIRST, EDIT]);
  });

  test('is not shown early by the edit with the result either', async () => {
    const { publish, send, pass, resolve, calls } = await openPosts(DELAYED);
    await publish(ofThread(1, { createdAt: START }));
    await publish(ofThread(2, { createdAt: START + MINUTE_MS }));
    send();
    await pass(DELAYED.delayMs + 1_000);
    await resolve(1);
    await pass(2_000);

    expect(calls).toEqual([FIRST, { ...EDIT, view: '1: 1' }]);
  });

  test('edits it whatever its own score, and an edit is none of the posts of an hour', async () => {
    const { publish, pass, shown } = await openThread({ postsPerDay: 2 }, { ...ONE, minScore: 60 });

    await publish(ofThread(2, { score: 10 }));
    await publish(ofThread(3, { score: 70 }));
    await pass(3_000);
    await publish({ id: 4, score: 60 });
    await pass(2_000);

    expect(shown()).toEqual(['send 1: open', 'edit 3: open, updated', 'send 4: open']);
  });

  test('edits it after an outage too long for a post', async () => {
    const { publish, stored, make, channel, pass, calls, clock } = await openThread();
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

    expect(calls).toEqual([FIRST, EDIT]);
  });

  test('that was paused for hours edits it then', async () => {
    let isPaused = false;
    const { publish, send, pass, calls } = await openPosts(ONE);
    await publish(ofThread(1));
    send({ isPaused: () => isPaused });
    await pass(2_000);
    isPaused = true;
    await publish(ofThread(2));
    await pass(2 * HOUR_MS, MINUTE_MS);
    isPaused = false;
    await pass(2_000);

    expect(calls).toEqual([FIRST, EDIT]);
  });
});

describe('an edit that fails', () => {
  const answering = (result: Awaited<ReturnType<Answer>>): Answer => {
    let isFirst = true;
    return ({ how }) => {
      if (how !== 'edit' || !isFirst) return undefined;
      isFirst = false;
      return result;
    };
  };

  test.each([
    ['may have arrived', UNKNOWN],
    ['must be retried later', later(3_000)],
  ])('and %s is made again', async (_, result) => {
    const { publish, pass, calls } = await openThread({ answer: answering(result) });

    await publish(ofThread(2));
    await pass(20_000);

    expect(calls).toEqual([FIRST, EDIT, EDIT]);
  });

  test('as the post cannot be edited becomes an answer to it, once', async () => {
    const { publish, pass, calls } = await openThread({ answer: answering(refusal('refused')) });

    await publish(ofThread(2));
    await pass(20_000);

    expect(calls).toEqual([FIRST, EDIT, { ...EDIT, how: 'reply' }]);
  });

  test('by the death of its process is made by the next one', async () => {
    const { publish, send, pass, calls } = await openPosts(ONE, {
      answer: ({ how }) => (how === 'edit' && calls.length === 2 ? new Promise<never>(() => {}) : undefined),
    });
    await publish(ofThread(1));
    send({ closes: false, owner: 'dead' });
    await pass(2_000);
    await publish(ofThread(2));
    await pass(2_000);
    expect(calls).toEqual([FIRST, EDIT]);

    send({ isGone: (owner) => owner === 'dead' });
    await pass(12_000);

    expect(calls).toEqual([FIRST, EDIT, EDIT]);
  });
});

describe('an order that begins a cluster', () => {
  const cluster = { type: 'cluster', createdAt: START, tradedAt: START + 900 } as const;
  const order = { threadId: 1, createdAt: START, tradedAt: START } as const;

  async function posted(wallet: Partial<Alert>, second: Partial<Alert>) {
    const { publish, send, pass, shown } = await openPosts(DELAYED);
    await publish({ id: 1, ...order, ...wallet });
    await publish({ id: 2, threadId: 2, ...cluster, ...second });
    send();
    await pass(DELAYED.delayMs + 3_000);
    return shown();
  }

  test('is shown once, by the post of the cluster', async () => {
    expect(await posted({}, {})).toEqual(['send 2: open']);
  });

  test.each<[string, Partial<Alert>, Partial<Alert>]>([
    ['another wallet’s', { wallet: '0xb' }, {}],
    ['of another second', {}, { tradedAt: START + 1_000 }],
    ['of another outcome', { outcome: 'No' }, {}],
    ['of a cluster of which no post is made', {}, { isHistory: true }],
  ])('has its own post besides when it is %s', async (_, wallet, second) => {
    expect(await posted(wallet, second)).toContain('send 1: open');
  });

  test.each([
    ['shown once, though alerts of other orders lie in between', 49, []],
    ['not looked for further back than 50 alerts', 50, ['send 1: open']],
  ])('is %s', async (_, others, expected) => {
    const { publish, send, pass, shown } = await openPosts({ ...DELAYED, minScore: 60 });
    await publish({ id: 1, ...order, score: 90 });
    for (let id = 2; id < 2 + others; id += 1)
      await publish({ id, threadId: id, score: 1, wallet: `0xb${id}`, createdAt: START });
    await publish({ id: 2 + others, threadId: 2 + others, ...cluster, score: 90 });
    send();
    await pass(DELAYED.delayMs + 4_000);

    expect(shown()).toEqual([...expected, `send ${2 + others}: open`]);
  });

  test('still edits the post of its wallet’s thread', async () => {
    const { publish, pass, shown } = await openThread();

    await publish(ofThread(2, { ...order, tradedAt: START + 900 }));
    await publish({ id: 3, threadId: 3, ...cluster });
    await pass(2_000);

    expect(shown()).toEqual(['send 1: open', 'send 3: open', 'edit 2: open, updated']);
  });
});
