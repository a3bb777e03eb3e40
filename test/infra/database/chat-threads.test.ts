import { expect, test } from 'vitest';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, FRESH, ids, SENT } from './chat-store-fixture.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('threads in the chat store', (fixture) => {
  const due = (lane: 'channel:telegram') => fixture.database.chat.due({ lane, now: START, limit: 10 });

  const thread = { channel: 'telegram', threadId: 1 } as const;

  test('the alerts of a thread to people come by person, page by page, but those that were not sent', async () => {
    const { chat } = fixture.database;
    const told = [personalOf(2, 'cus_a', { threadId: 1 }), personalOf(1, 'cus_b'), personalOf(1, 'cus_c')];
    await chat.add([...told, postOf(1), personalOf(1, 'cus_d'), personalOf(3, 'cus_a')]);
    await end(chat, 'personal:1@cus_b', SENT);
    await chat.giveUp('personal:1@cus_d', { state: 'folded', error: null, at: START });

    const first = await chat.personalOfThread({ threadId: 1, limit: 2 });
    const after = first.at(-1);
    const second = await chat.personalOfThread({ threadId: 1, limit: 2, after });

    expect(ids([...first, ...second])).toEqual(told.map(({ id }) => id));
    expect(first[1]).toMatchObject({ state: 'sent', place: '77', facts: { alertId: 1 } });
    expect(ids(await chat.byIds(['personal:3@cus_a', 'personal:9@cus_a']))).toEqual(['personal:3@cus_a']);
  });

  test('a pending post can be made an edit: one of its thread that is no post of the day, nor of the market', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2, { threadId: 1 }), noteFor('customer:cus_a')]);
    await end(chat, 'alert:1@telegram', SENT);

    expect(await chat.makeUpdate('alert:2@telegram')).toBe(true);
    expect(await chat.makeUpdate('alert:2@telegram')).toBe(false);
    expect(await chat.makeUpdate('alert:1@telegram')).toBe(false);
    expect(await chat.makeUpdate('note:customer:cus_a')).toBe(false);

    expect(await due('channel:telegram')).toStrictEqual([
      { ...postOf(2, { threadId: 1 }), ...FRESH, kind: 'alert_update' },
    ]);
    await end(chat, 'alert:2@telegram', SENT);
    expect(await chat.decided('telegram', START - 1)).toHaveLength(1);
    expect(ids(await chat.postsOfMarket({ marketId: '0xm1', limit: 9 }))).toEqual(['alert:1@telegram']);
    expect(await chat.postsOf(2)).toMatchObject([{ kind: 'alert_update', state: 'sent' }]);
    expect(ids(await chat.postsOfThread(thread))).toEqual(['alert:1@telegram', 'alert:2@telegram']);
  });

  test('a post that is gone from its channel is ended, still one of its day, and can be taken back', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), postOf(3)]);
    for (const id of [1, 3]) await end(chat, `alert:${id}@telegram`, SENT);
    await chat.withdraw('alert:3@telegram', START);

    expect(await chat.endGone('alert:1@telegram', { error: 'gone', at: START + 9 })).toBe(true);
    expect(await chat.endGone('alert:1@telegram', { error: 'gone', at: START + 9 })).toBe(false);
    expect(await chat.endGone('alert:2@telegram', { error: 'gone', at: START + 9 })).toBe(false);
    expect(await chat.endGone('alert:3@telegram', { error: 'gone', at: START + 9 })).toBe(false);

    expect(await chat.byId('alert:1@telegram')).toMatchObject({
      state: 'dropped',
      error: 'gone',
      attempts: 1,
    });
    expect(await chat.decided('telegram', START - 1)).toMatchObject([{ isPosted: true }, { isPosted: true }]);
    expect(await chat.postsOfMarket({ marketId: '0xm1', limit: 9 })).toMatchObject([
      { id: 'alert:2@telegram' },
    ]);
    expect(await chat.withdraw('alert:1@telegram', START)).toBe(true);
  });
});
