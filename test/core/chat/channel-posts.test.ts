import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { PostRules } from '../../../src/core/chat/channel-posts.ts';
import { alertOf } from '../../support/alerts.ts';
import { settle } from '../../support/chat/chat-engine-fixture.ts';
import { digestOf } from '../../support/chat/messages.ts';
import { ONE, openPosts } from '../../support/chat/open-posts.ts';
import { type Answer, refusal } from '../../support/chat/scripted-messenger.ts';
import { START } from '../../support/rows.ts';

const RULES: PostRules = {
  channels: ['telegram', 'discord'],
  minScore: 60,
  minUsdc: 0,
  delayMs: 15 * MINUTE_MS,
};
describe('which alerts are posted', () => {
  test('those at or above the least score, in every channel, after the delay (channel posts)', async () => {
    const { publish, store } = await openPosts(RULES);

    await publish({ id: 1, score: 59 });
    await publish({ id: 2, score: 60 });

    const dueAt = START + 2_000 + 15 * MINUTE_MS;
    expect(await store.postsOf(1)).toEqual([]);
    expect(await store.postsOf(2)).toMatchObject([
      { id: 'alert:2@discord', dueAt, createdAt: dueAt },
      { id: 'alert:2@telegram', dueAt, facts: { alertId: 2, marketId: '0xm1', threadId: 2 } },
    ]);
  });

  test('those whose whole position is worth enough, not the last order alone (no post about 3 dollars)', async () => {
    const { publish, store } = await openPosts({ ...ONE, minUsdc: 1_000 });
    const { details } = alertOf({ id: 1 });
    const position = (marketTotalBought: number, marketBuyCount = 1) => ({
      details: { ...details, marketTotalBought, marketBuyCount },
    });
    const cluster = (clusterTotal: number) => ({
      ...({ type: 'cluster', usdc: 3 } as const),
      details: { ...details, marketTotalBought: 3, clusterTotal },
    });

    await publish({ id: 1, usdc: 3, ...position(3) });
    await publish({ id: 2, usdc: 3, type: 'fresh_accumulator', ...position(1_000, 3) });
    await publish({ id: 3, usdc: 999.99, ...position(0) });
    await publish({ id: 4, usdc: 1_000, ...position(0) });
    await publish({ id: 5, ...cluster(999) });
    await publish({ id: 6, ...cluster(1_000) });
    await publish({ id: 7, usdc: 3, side: 'SELL', ...position(5_000) });

    const posts = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((id) => store.postsOf(id)));
    expect(posts.map(({ length }) => length)).toEqual([0, 1, 0, 1, 0, 1, 0]);
  });

  test('no history, and no trade found more than an hour late (history)', async () => {
    const { publish, store } = await openPosts(ONE);

    await publish({ id: 1, isHistory: true });
    await publish({ id: 2, tradedAt: START + 2_000 - HOUR_MS - 1 });
    await publish({ id: 3, tradedAt: START + 3_000 - HOUR_MS });

    const posts = await Promise.all([1, 2, 3].map((id) => store.postsOf(id)));
    expect(posts.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  test('what was missed is made up for after the cursor, as long as it is worth posting', async () => {
    const { make, publish, stored, store, clock } = await openPosts(ONE, { isStarted: false });
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
    expect(await store.cursor('channel_alerts')).toBe(3);
  });

  test('the first start posts nothing of what is in the ledger, and the next continues from there', async () => {
    const { make, stored, store } = await openPosts(ONE, { isStarted: false });
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

describe('what is not among the posts of the day', () => {
  test('is listed in its digest, the best first', async () => {
    const { publish, send, pass, calls, store, clock } = await openPosts(ONE, { postsPerDay: 2 });
    const dayStart = START - (START % DAY_MS);
    await clock.advance(dayStart + DAY_MS - START - 10_000);
    const at = clock.now();
    for (const [index, score] of [70, 60, 65, 69].entries())
      await publish({ id: index + 1, score, createdAt: at, tradedAt: at });
    send();

    await pass(9_000);
    expect(calls.map(({ view }) => view)).toEqual(['1: open', '4: open']);
    expect(await store.byId('alert:3@telegram')).toMatchObject({ state: 'folded' });
    await store.add([digestOf(dayStart)]);
    await pass(4_000);

    expect(calls.slice(2).map(({ view }) => view)).toEqual(['digest 3 2, 0 more']);
  });
});

describe('taking back', () => {
  test('a post that another user removed counts as taken back', async () => {
    const { withdraw, stateOf } = await openPosted(({ how }) =>
      how === 'remove' ? refusal('gone') : undefined,
    );

    expect(await withdraw(1)).toMatchObject([{ result: 'withdrawn' }]);
    expect(await stateOf('alert:1@telegram')).toBe('withdrawn');
  });
});

async function openPosted(answer: Answer) {
  const { publish, send, pass, ...fixture } = await openPosts(ONE, { answer });
  await publish({ id: 1 });
  send();
  await pass(2_000);
  return fixture;
}

test('an outcome edits the posts of its market, once', async () => {
  const { publish, send, pass, resolve, calls } = await openPosts(ONE);
  await publish({ id: 1 });
  send();
  await pass(2_000);
  await resolve(1);
  await resolve(0, '0xm9');
  await pass(MINUTE_MS);

  expect(calls.slice(1)).toEqual([{ how: 'edit', where: 'm1', view: '1: 1' }]);
});
