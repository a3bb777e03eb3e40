import { describe, expect, test } from 'vitest';
import { sweepResults } from '../../../src/core/chat/channel-posts.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';

describe('when the market resolves', () => {
  test('the post is edited with the outcome, and again when that is corrected', async () => {
    const { publish, send, pass, resolve, calls } = await openPosts(ONE);
    await publish({ id: 1 });
    send();
    await pass(2_000);

    for (const payout of [1, 0, 1]) {
      await resolve(payout);
      await pass(2_000);
    }

    expect(calls).toEqual([
      { how: 'send', where: 'channel', view: '1: open' },
      { how: 'edit', where: 'm1', view: '1: 1' },
      { how: 'edit', where: 'm1', view: '1: 0' },
      { how: 'edit', where: 'm1', view: '1: 1' },
    ]);
  });

  test('a post that is not sent yet shows the outcome when it is sent', async () => {
    const { publish, send, pass, resolve, calls } = await openPosts({ ...ONE, delayMs: 5_000 });
    await publish({ id: 1 });
    send();
    await resolve(1);

    await pass(10_000);

    expect(calls).toEqual([{ how: 'send', where: 'channel', view: '1: 1' }]);
  });

  test('an outcome that was not announced is found by the sweep, once', async () => {
    const { publish, send, pass, resolve, calls, store, database, clock } = await openPosts(ONE);
    const { signal } = new AbortController();
    const sweep = () => sweepResults({ store, settlements: database.settlements, clock }, signal);
    await publish({ id: 1 });
    send();
    await pass(2_000);
    await resolve(1, { isAnnounced: false });
    await resolve(0, { isAnnounced: false, marketId: '0xm9' });

    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);

    await pass(2_000);
    expect(calls.at(-1)).toEqual({ how: 'edit', where: 'm1', view: '1: 1' });
  });
});
