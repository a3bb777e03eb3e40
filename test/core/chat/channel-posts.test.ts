import { describe, expect, test } from 'vitest';
import type { PostRules } from '../../../src/core/chat/channel-posts.ts';
import { withdraw } from '../../../src/core/chat/withdraw.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/duration.ts';
import { settle } from '../../support/chat/chat-engine-fixture.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { type Answer, refusal, UNKNOWN } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const RULES: PostRules = { channels: ['telegram', 'discord'], minScore: 60, delayMs: 15 * MINUTE_MS };
describe('which alerts are posted', () => {
  test('those of the least score and above, in every channel, after the delay (channel posts)', async () => {
    const { make, publish, store } = await openPosts(RULES);
    await make().start(0);

    await publish({ id: 1, score: 59 });
    await publish({ id: 2, score: 60 });

    const dueAt = START + 2_000 + 15 * MINUTE_MS;
    expect(await store.postsOf(1)).toEqual([]);
    expect(await store.postsOf(2)).toMatchObject([
      { id: 'alert:2@discord', dueAt, createdAt: dueAt },
      { id: 'alert:2@telegram', dueAt, facts: { alertId: 2, marketId: '0xm1', threadId: 2 } },
    ]);
  });

  test('no history, and no trade found more than an hour late (history)', async () => {
    const { make, publish, store } = await openPosts(ONE);
    await make().start(0);

    await publish({ id: 1, isHistory: true });
    await publish({ id: 2, tradedAt: START + 2_000 - HOUR_MS - 1 });
    await publish({ id: 3, tradedAt: START + 3_000 - HOUR_MS });

    const posts = await Promise.all([1, 2, 3].map((id) => store.postsOf(id)));
    expect(posts.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  test('what was missed is made up for behind the cursor, as long as it is worth posting', async () => {
    const { make, publish, stored, store, clock } = await openPosts(ONE);
    const first = make();
    await first.start(0);
    await publish({ id: 1 });
    await first.close();
    await stored({ id: 2 });
    await stored({ id: 3, createdAt: START + HOUR_MS, tradedAt: START + HOUR_MS });
    await clock.advance(HOUR_MS + MINUTE_MS);

    await make().start(3);
    await settle();

    const posts = await Promise.all([1, 2, 3].map((id) => store.postsOf(id)));
    expect(posts.map(({ length }) => length)).toEqual([1, 0, 1]);
    expect(await store.cursor('channel_posts')).toBe(3);
  });

  test('the first start posts nothing of what is in the ledger, and the next continues from there', async () => {
    const { make, stored, store } = await openPosts(ONE);
    await stored({ id: 1 });
    const first = make();

    await first.start(1);
    await settle();
    await first.close();
    await stored({ id: 2 });
    await make().start(2);
    await settle();

    expect(await store.postsOf(1)).toEqual([]);
    expect(await store.postsOf(2)).toHaveLength(1);
  });
});

describe('more than a channel is to get in an hour', () => {
  test('is folded into one list at the hour’s end; the next hour starts from zero', async () => {
    const { make, publish, send, pass, calls, store, clock } = await openPosts(ONE, { postsPerHour: 2 });
    await clock.advance(HOUR_MS - (START % HOUR_MS));
    const at = clock.now();
    await make().start(0);
    for (const id of [1, 2, 3, 4]) await publish({ id, createdAt: at, tradedAt: at });
    send();

    await pass(HOUR_MS - 1_000, MINUTE_MS);
    expect(calls.map(({ view }) => view)).toEqual(['1: open', '2: open']);
    expect(await store.byId('alert:3@telegram')).toMatchObject({ state: 'folded' });
    await publish({ id: 5, createdAt: clock.now() + 2_000, tradedAt: clock.now() });
    await pass(4_000);

    expect(calls.slice(2).map(({ view }) => view)).toEqual(['more 3 4', '5: open']);
    expect(await store.byId(`more:${at}@telegram`)).toMatchObject({ state: 'sent', dueAt: at + HOUR_MS });
  });
});

describe('when the market resolves', () => {
  test('the post is edited with the outcome, and again when that is corrected', async () => {
    const { make, publish, send, pass, resolve, calls } = await openPosts(ONE);
    await make().start(0);
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
    const { make, publish, send, pass, resolve, calls } = await openPosts({ ...ONE, delayMs: 5_000 });
    await make().start(0);
    await publish({ id: 1 });
    send();
    await resolve(1);

    await pass(10_000);

    expect(calls).toEqual([{ how: 'send', where: 'channel', view: '1: 1' }]);
  });

  test('an edit that may have arrived is made again: repeating it shows nothing twice', async () => {
    const left = [undefined, UNKNOWN];
    const { make, publish, send, pass, resolve, calls } = await openPosts(ONE, {
      answer: () => left.shift(),
    });
    await make().start(0);
    await publish({ id: 1 });
    send();
    await pass(2_000);
    await resolve(1);

    await pass(20_000);

    expect(calls.map(({ how }) => how)).toEqual(['send', 'edit', 'edit']);
  });

  test('a post that cannot be edited is answered, once', async () => {
    const answer: Answer = ({ how }) => (how === 'edit' ? refusal('refused') : undefined);
    const { make, publish, send, pass, resolve, calls } = await openPosts(ONE, { answer });
    await make().start(0);
    await publish({ id: 1 });
    send();
    await pass(2_000);
    await resolve(1);

    await pass(20_000);

    expect(calls.slice(1)).toEqual([
      { how: 'edit', where: 'm1', view: '1: 1' },
      { how: 'reply', where: 'm1', view: '1: 1' },
    ]);
  });

  test('a post that is gone is left alone', async () => {
    const answer: Answer = ({ how }) => (how === 'edit' ? refusal('gone') : undefined);
    const { make, publish, send, pass, resolve, calls, store } = await openPosts(ONE, { answer });
    await make().start(0);
    await publish({ id: 1 });
    send();
    await pass(2_000);
    await resolve(1);

    await pass(20_000);

    expect(calls.map(({ how }) => how)).toEqual(['send', 'edit']);
    expect(await store.byId('result:1:1@telegram')).toMatchObject({ state: 'dropped' });
  });

  test('an outcome that was not announced is found by the sweep, once', async () => {
    const { make, publish, send, pass, resolve, calls } = await openPosts(ONE);
    const posts = make();
    await posts.start(0);
    await publish({ id: 1 });
    send();
    await pass(2_000);
    await resolve(1, { isAnnounced: false });
    await resolve(0, { isAnnounced: false, marketId: '0xm9' });

    expect(await posts.sweepResults()).toBe(1);
    expect(await posts.sweepResults()).toBe(0);

    await pass(2_000);
    expect(calls.at(-1)).toEqual({ how: 'edit', where: 'm1', view: '1: 1' });
  });
});

describe('taking back', () => {
  const { signal } = new AbortController();

  test('a post that was sent is removed and not edited any more; one that waits is never sent', async () => {
    const { make, publish, send, pass, resolve, ...fixture } = await openPosts(ONE);
    const deps = { store: fixture.store, messengers: { telegram: fixture.messenger }, clock: fixture.clock };
    await make().start(0);
    await publish({ id: 1 });
    await publish({ id: 2, createdAt: START + MINUTE_MS, tradedAt: START });
    send();
    await pass(2_000);

    expect(await withdraw(deps, 1, signal)).toEqual([
      { id: 'alert:1@telegram', result: 'withdrawn', detail: null },
    ]);
    expect(await withdraw(deps, 2, signal)).toMatchObject([{ result: 'withdrawn' }]);
    expect(await withdraw(deps, 1, signal)).toMatchObject([{ result: 'not_there' }]);
    expect(await withdraw(deps, 9, signal)).toEqual([]);

    await resolve(1);
    await pass(2 * MINUTE_MS);
    expect(fixture.calls.map(({ how, where }) => [how, where])).toEqual([
      ['send', 'channel'],
      ['remove', 'm1'],
    ]);
  });

  test('a post that the platform refuses to delete stays, and the operator gets the reason', async () => {
    const { deps, stateOf } = await openPosted(({ how }) =>
      how === 'remove' ? refusal('refused') : undefined,
    );

    expect(await withdraw(deps, 1, signal)).toMatchObject([{ result: 'failed', detail: 'no' }]);
    expect(await stateOf('alert:1@telegram')).toBe('sent');
  });

  test('a post that another user removed counts as taken back', async () => {
    const { deps, stateOf } = await openPosted(({ how }) => (how === 'remove' ? refusal('gone') : undefined));

    expect(await withdraw(deps, 1, signal)).toMatchObject([{ result: 'withdrawn' }]);
    expect(await stateOf('alert:1@telegram')).toBe('withdrawn');
  });
});

/** A post that is out, with what takes it back. */
async function openPosted(answer: Answer) {
  const { make, publish, send, pass, ...fixture } = await openPosts(ONE, { answer });
  const deps = { store: fixture.store, messengers: { telegram: fixture.messenger }, clock: fixture.clock };
  await make().start(0);
  await publish({ id: 1 });
  send();
  await pass(2_000);
  return { deps, stateOf: fixture.stateOf };
}
