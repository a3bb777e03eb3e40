import { expect, test } from 'vitest';
import type { ChatQueue, ChatState } from '../../../src/core/chat/chat-message.ts';
import { CHAT_KEPT_MS, ChatStore } from '../../../src/core/chat/chat-store.ts';
import { onEachDatabase, onSqlite } from '../../infra/database/each-database.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, fold, ids, OWNER, SENT } from './chat-store-fixture.ts';

/** What a message has before its first attempt. */
const FRESH = {
  state: 'pending',
  attempts: 0,
  error: null,
  place: null,
  sentAt: null,
  unsureSince: null,
} as const;
const POST = 'alert:1@telegram';
const NOTE = 'note:customer:cus_a';
const OTHER_OWNER = 'host/2/b';
const UNKNOWN = { state: 'unknown', error: 'timeout', at: START + 5, unsureSince: START } as const;
const DROPPED = { state: 'dropped', error: 'too old', at: START } as const;

onEachDatabase('the outbox of two processes', (fixture) => {
  test('gives a message to one of them, however it is taken', async () => {
    const stores = [fixture.database.chat, (await fixture.another()).chat];
    const posts = Array.from({ length: 10 }, (_, index) => postOf(index));
    await Promise.all(stores.map((chat) => chat.add(posts)));

    for (const { id } of posts) {
      const taken = await Promise.all([
        ...stores.map((chat, number) => chat.claim(id, { owner: `owner ${number}`, at: START })),
        ...stores.map((chat) => chat.giveUp(id, DROPPED)),
      ]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    }
    const { sending, dropped, pending } = await fixture.database.chat.counts(0);
    expect([sending + dropped, pending]).toEqual([10, 0]);
  });
});

onSqlite('chat store', (fixture) => {
  const due = (lane: ChatQueue, now = START) => fixture.database.chat.due({ lane, now, limit: 10 });

  test('a message comes back as it was added, pending; the same occasion is there once', async () => {
    const { chat } = fixture.database;
    const [post, note] = [postOf(7), noteFor('key:key_a')];

    expect(await chat.add([post, note])).toEqual([post.id, note.id]);
    expect(await chat.add([postOf(7, { dueAt: START + 9 }), postOf(8)])).toEqual(['alert:8@telegram']);
    expect(await chat.add([])).toEqual([]);

    expect(await chat.byId(post.id)).toStrictEqual({ ...post, ...FRESH });
    expect(await chat.byId(note.id)).toStrictEqual({ ...note, ...FRESH });
    expect(await chat.byId('alert:9@telegram')).toBeNull();
  });

  test('what is due comes the longest due first, for each queue alone, page by page', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(3, { dueAt: START - 5 }), postOf(2), postOf(1), postOf(4, { dueAt: START + 1 })]);
    await chat.add([postOf(5, { channel: 'discord' }), noteFor('key:key_a'), noteFor('customer:cus_a')]);

    const posts = await due('channel:telegram');
    expect(ids(posts)).toEqual(['alert:3@telegram', POST, 'alert:2@telegram']);
    expect(ids(await due('private'))).toEqual([NOTE, 'note:key:key_a']);
    const page = { lane: 'channel:telegram', now: START, limit: 2 } as const;
    expect(ids(await chat.due(page))).toEqual(ids(posts.slice(0, 2)));
    expect(ids(await chat.due({ ...page, after: posts[1] }))).toEqual(['alert:2@telegram']);
  });

  test('one is claimed once, put off until it is due again, and sent with its place, moment and attempts', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1)]);
    expect(await chat.claim(POST, { owner: OWNER, at: START })).toBe(true);
    expect(await chat.claim(POST, { owner: OTHER_OWNER, at: START + 1 })).toBe(false);
    expect(await due('channel:telegram')).toEqual([]);
    expect(await chat.claims()).toMatchObject([{ owner: OWNER, at: START, message: { state: 'sending' } }]);

    const later = { state: 'pending', dueAt: START + 60, error: '429' } as const;
    expect(await chat.finish(POST, OWNER, later)).toBe(true);
    expect(await due('channel:telegram', START + 59)).toEqual([]);
    const putOff = { ...postOf(1), ...FRESH, dueAt: START + 60, error: '429', attempts: 1 };
    expect(await due('channel:telegram', START + 60)).toStrictEqual([putOff]);

    await end(chat, POST, SENT);
    const sent = { state: 'sent', attempts: 2, place: '77', sentAt: START + 5, error: null };
    expect(await chat.byId(POST)).toStrictEqual({ ...putOff, ...sent });
    expect(await chat.claims()).toEqual([]);
  });

  test('only the owner of a claim ends it, and a pending one is given up, once; each end is told', async () => {
    const ends: string[] = [];
    const chat = new ChatStore(fixture.database.documents, (state) => void ends.push(state));
    await chat.add([postOf(1), postOf(2), noteFor('customer:cus_a')]);
    for (const id of [POST, NOTE]) await chat.claim(id, { owner: OWNER, at: START });

    for (const id of [POST, NOTE]) {
      expect(await chat.finish(id, OTHER_OWNER, SENT)).toBe(false);
      expect(await chat.giveUp(id, DROPPED)).toBe(false);
      expect(await chat.finish(id, OWNER, SENT)).toBe(true);
      expect(await chat.finish(id, OWNER, { ...SENT, place: '78' })).toBe(false);
      expect(await chat.byId(id)).toMatchObject({ state: 'sent', place: '77', attempts: 1 });
    }
    expect(await chat.giveUp('alert:2@telegram', DROPPED)).toBe(true);
    expect(await chat.giveUp('alert:2@telegram', DROPPED)).toBe(false);
    expect(await chat.byId('alert:2@telegram')).toMatchObject({ state: 'dropped', attempts: 0 });
    expect(ends).toEqual(['sent', 'sent', 'dropped']);
  });

  test('one that may have been sent keeps the time of that attempt until it is sent, and is only given up as such', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1)]);
    await end(chat, POST, { state: 'pending', dueAt: START + 9, error: 'timeout', unsureSince: START });
    await end(chat, POST, { state: 'pending', dueAt: START + 9, error: '429' });
    expect(await chat.byId(POST)).toMatchObject({ state: 'pending', error: '429', unsureSince: START });

    expect(await chat.giveUp(POST, DROPPED)).toBe(false);
    expect(await chat.makeUpdate(POST)).toBe(false);
    expect(await chat.postpone(POST, START + 7)).toBe(false);
    expect(await chat.withdraw(POST, START)).toBe(false);
    expect(await chat.giveUp(POST, UNKNOWN)).toBe(true);
    expect(await chat.withdraw(POST, START)).toBe(true);
  });

  test('one that was surely not sent can be moved, and counts no attempt', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2)]);
    await end(chat, 'alert:2@telegram', SENT);

    expect(await chat.postpone(POST, START + 7)).toBe(true);
    expect(await chat.postpone('alert:2@telegram', START + 7)).toBe(false);
    expect(await chat.byId(POST)).toMatchObject({ dueAt: START + 7, createdAt: START, attempts: 0 });
  });

  test('what was sent or waits can be withdrawn, what is being sent or was dropped unsent cannot', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), postOf(3), postOf(4)]);
    await end(chat, POST, SENT);
    await chat.claim('alert:3@telegram', { owner: OWNER, at: START });
    await chat.giveUp('alert:4@telegram', DROPPED);

    expect(await chat.withdraw(POST, START)).toBe(true);
    expect(await chat.withdraw(POST, START)).toBe(false);
    expect(await chat.withdraw('alert:2@telegram', START)).toBe(true);
    expect(await chat.withdraw('alert:3@telegram', START)).toBe(false);
    expect(await chat.withdraw('alert:4@telegram', START)).toBe(false);

    expect(await chat.byId(POST)).toMatchObject({ state: 'withdrawn', place: '77' });
    expect(await due('channel:telegram')).toEqual([]);
  });

  test('a post that is gone from its channel is ended, still one of its day, and can be withdrawn', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2)]);
    await end(chat, POST, SENT);
    const gone = { error: 'gone', at: START + 9 };

    expect(await chat.endGone(POST, gone)).toBe(true);
    expect(await chat.endGone(POST, gone)).toBe(false);
    expect(await chat.endGone('alert:2@telegram', gone)).toBe(false);

    expect(await chat.byId(POST)).toMatchObject({ state: 'dropped', error: 'gone', attempts: 1 });
    expect(ids(await chat.decided('telegram', START - 1))).toEqual([POST]);
    expect(ids(await chat.postsOfMarket('0xm1'))).toEqual(['alert:2@telegram']);
    expect(await chat.withdraw(POST, START)).toBe(true);
  });

  test('a pending post can be made an edit: one of its thread that is no post of the day, nor of the market', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2, { threadId: 1 }), noteFor('customer:cus_a')]);
    await end(chat, POST, SENT);

    expect(await chat.makeUpdate('alert:2@telegram')).toBe(true);
    expect(await chat.makeUpdate('alert:2@telegram')).toBe(false);
    expect(await chat.makeUpdate(POST)).toBe(false);
    expect(await chat.makeUpdate(NOTE)).toBe(false);

    const update = { ...postOf(2, { threadId: 1 }), ...FRESH, kind: 'alert_update' };
    expect(await due('channel:telegram')).toStrictEqual([update]);
    await end(chat, 'alert:2@telegram', SENT);
    expect(ids(await chat.decided('telegram', START - 1))).toEqual([POST]);
    expect(ids(await chat.postsOfMarket('0xm1'))).toEqual([POST]);
    const thread = await chat.postsOfThread({ channel: 'telegram', threadId: 1 });
    expect(ids(thread)).toEqual([POST, 'alert:2@telegram']);
  });

  test('those of unknown outcome are listed for the operator, the newest first, without alerts to people', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), noteFor('customer:cus_a'), personalOf(1, 'cus_a')]);
    for (const id of ['personal:1@cus_a', POST]) await end(chat, id, UNKNOWN);
    await end(chat, NOTE, { ...UNKNOWN, at: START + 6 });
    await end(chat, 'alert:2@telegram', SENT);

    const found = await chat.unknown(START, 10);
    expect(ids(found)).toEqual([NOTE, POST]);
    expect(found[1]).toMatchObject({ error: 'timeout', unsureSince: START, attempts: 1 });
    expect(ids(await chat.unknown(START, 1))).toEqual([NOTE]);
    expect(ids(await chat.unknown(START + 6, 10))).toEqual([NOTE]);
    expect(await chat.counts(0)).toMatchObject({ unknown: 3, sent: 1 });
  });

  test('messages are counted by state, every state named, the ended ones since a time; those for some recipients can be removed', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), postOf(3)]);
    await end(chat, POST, SENT);
    await chat.withdraw('alert:2@telegram', START);

    const none = { sending: 0, failed: 0, folded: 0, dropped: 0, unknown: 0 };
    const counts: Record<ChatState, number> = { ...none, pending: 1, sent: 1, withdrawn: 1 };
    expect(await chat.counts(0)).toStrictEqual(counts);
    expect(await chat.counts(START + 1)).toStrictEqual({ ...counts, withdrawn: 0 });
    await chat.add([noteFor('key:key_a'), noteFor('customer:cus_a'), noteFor('customer:cus_b')]);
    expect(await chat.removeOf(['customer:cus_a', 'key:key_a'])).toBe(2);
    expect(await chat.removeOf([])).toBe(0);
    expect(ids(await due('private'))).toEqual(['note:customer:cus_b']);
  });

  test('what ended is kept for 30 days, and 90 if it is an alert, or an edit of its post, that was sent or taken back', async () => {
    const { chat } = fixture.database;
    await chat.add([1, 2, 3, 4, 5].map((id) => postOf(id, { threadId: 1 })));
    await chat.add([noteFor('customer:cus_a'), personalOf(1, 'cus_a')]);
    await chat.makeUpdate('alert:2@telegram');
    for (const id of [POST, 'alert:2@telegram', 'personal:1@cus_a', NOTE])
      await end(chat, id, { ...SENT, at: START });
    await chat.withdraw('alert:3@telegram', START);
    await fold(chat, 'alert:4@telegram', START);
    const removed = (afterMs: number, limit = 10) => chat.prune(START + afterMs, limit);

    expect(await removed(CHAT_KEPT_MS.ended)).toBe(0);
    expect(await removed(CHAT_KEPT_MS.ended + 1, 1)).toBe(1);
    expect(await removed(CHAT_KEPT_MS.ended + 1)).toBe(1);
    expect([await chat.byId(NOTE), await chat.byId('alert:4@telegram')]).toEqual([null, null]);
    expect(await removed(CHAT_KEPT_MS.posts)).toBe(0);
    expect(await removed(CHAT_KEPT_MS.posts + 1)).toBe(4);
    expect(await chat.byId('alert:5@telegram')).not.toBeNull();
  });
});
