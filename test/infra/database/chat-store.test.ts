import { describe, expect, test } from 'vitest';
import type { ChatState } from '../../../src/core/chat/chat-message.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, FRESH, ids, OWNER, SENT } from './chat-store-fixture.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('chat store', (fixture) => {
  const due = (lane: 'channel:telegram' | 'channel:discord' | 'private', now = START) =>
    fixture.database.chat.due({ lane, now, limit: 10 });

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

  describe('turns', () => {
    test('what is due comes the longest due first, for each queue alone, page by page', async () => {
      const { chat } = fixture.database;
      await chat.add([
        postOf(3, { dueAt: START - 5 }),
        postOf(2),
        postOf(1),
        postOf(4, { dueAt: START + 1 }),
        postOf(5, { channel: 'discord' }),
        noteFor('key:key_a'),
        noteFor('customer:cus_a'),
      ]);

      const posts = await due('channel:telegram');
      expect(ids(posts)).toEqual(['alert:3@telegram', 'alert:1@telegram', 'alert:2@telegram']);
      expect(ids(await due('channel:discord'))).toEqual(['alert:5@discord']);
      expect(ids(await due('private'))).toEqual(['note:customer:cus_a', 'note:key:key_a']);
      const first = await chat.due({ lane: 'channel:telegram', now: START, limit: 2 });
      expect(ids(first)).toEqual(ids(posts.slice(0, 2)));
      const rest = { lane: 'channel:telegram', now: START, limit: 2, after: posts[1] ?? postOf(0) } as const;
      expect(ids(await chat.due(rest))).toEqual(['alert:2@telegram']);
    });

    test('one is claimed once, put off until it is due again, and sent with its place, moment and attempts', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1)]);
      expect(await chat.claim('alert:1@telegram', { owner: OWNER, at: START })).toBe(true);
      expect(await chat.claim('alert:1@telegram', { owner: 'host/2/b', at: START + 1 })).toBe(false);
      expect(await due('channel:telegram')).toEqual([]);
      const claim = { owner: OWNER, claimedAt: START, message: { state: 'sending' } };
      expect(await chat.claims(10)).toMatchObject([claim]);

      const later = { state: 'pending', dueAt: START + 60, error: '429' } as const;
      expect(await chat.finish('alert:1@telegram', OWNER, later)).toBe(true);
      expect(await due('channel:telegram', START + 59)).toEqual([]);
      const putOff = { ...postOf(1), ...FRESH, dueAt: START + 60, error: '429', attempts: 1 };
      expect(await due('channel:telegram', START + 60)).toStrictEqual([putOff]);

      await end(chat, 'alert:1@telegram', SENT);
      const sent = { state: 'sent', attempts: 2, place: '77', sentAt: START + 5, error: null };
      expect(await chat.byId('alert:1@telegram')).toStrictEqual({ ...putOff, ...sent });
      expect(await chat.claims(10)).toEqual([]);
    });

    test('only the owner of a claim ends it; a pending one can be given up without, once', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1), postOf(2)]);
      await chat.claim('alert:1@telegram', { owner: OWNER, at: START });
      const dropped = { state: 'dropped', error: 'too old', at: START } as const;

      expect(await chat.finish('alert:1@telegram', 'host/2/b', SENT)).toBe(false);
      expect(await chat.giveUp('alert:1@telegram', dropped)).toBe(false);
      expect(await chat.finish('alert:1@telegram', OWNER, SENT)).toBe(true);
      expect(await chat.finish('alert:1@telegram', OWNER, { ...SENT, place: '78' })).toBe(false);
      expect(await chat.giveUp('alert:2@telegram', dropped)).toBe(true);
      expect(await chat.giveUp('alert:2@telegram', dropped)).toBe(false);

      expect(await chat.byId('alert:1@telegram')).toMatchObject({ state: 'sent', place: '77' });
      expect(await chat.byId('alert:2@telegram')).toMatchObject({ state: 'dropped', error: 'too old' });
      expect(await due('channel:telegram')).toEqual([]);
    });

    test('what was sent or waits can be withdrawn, what is being sent cannot', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1), postOf(2), postOf(3)]);
      await end(chat, 'alert:1@telegram', SENT);
      await chat.claim('alert:3@telegram', { owner: OWNER, at: START });

      expect(await chat.withdraw('alert:1@telegram', START)).toBe(true);
      expect(await chat.withdraw('alert:1@telegram', START)).toBe(false);
      expect(await chat.withdraw('alert:2@telegram', START)).toBe(true);
      expect(await chat.withdraw('alert:3@telegram', START)).toBe(false);

      expect(await chat.byId('alert:1@telegram')).toMatchObject({ state: 'withdrawn', place: '77' });
      expect(await due('channel:telegram')).toEqual([]);
    });
  });

  test('the results of a thread that a person was sent before a change are counted', async () => {
    const { chat } = fixture.database;
    const result = (threadId: number, seq: number, customerId = 'cus_a') =>
      ({
        ...personalOf(threadId, customerId),
        id: `presult:${threadId}:${seq}@${customerId}`,
        kind: 'personal_result',
        facts: {
          ...{ alertId: threadId, threadId, marketId: '0xm1', alertMessageId: null, seq },
          ...{ wallet: '0xaa', followIds: [] },
          platform: 'telegram',
          isRealtime: true,
        },
      }) as const;
    const sent = [result(1, 1), result(1, 2), result(2, 1), result(1, 1, 'cus_b')];
    await chat.add([...sent, result(1, 3)]);
    for (const { id } of sent) {
      await chat.claim(id, { owner: OWNER, at: START });
      await chat.finish(id, OWNER, SENT);
    }

    const before = (seq: number) =>
      chat.countResultsBefore({ recipient: 'customer:cus_a', threadId: 1, seq });
    expect([await before(1), await before(2), await before(4)]).toEqual([0, 1, 2]);
  });

  test('messages are counted by state, every state named, the ended ones since a time; those for some recipients can be removed', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), postOf(3)]);
    await end(chat, 'alert:1@telegram', SENT);
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
});
