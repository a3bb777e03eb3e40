import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/base/time/duration.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, fold, ids, OWNER, SENT } from './chat-store-fixture.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('chat store', (fixture) => {
  describe('posts of alerts', () => {
    test('those that were decided are found by when they were due, with whether they are or may be in the channel', async () => {
      const { chat } = fixture.database;
      const at = (dueAt: number, id: number) => postOf(id, { dueAt, score: 60 + id, threadId: 1 });
      await chat.add([at(START, 1), ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map((id) => at(START + 1, id))]);
      await chat.add([postOf(11, { channel: 'discord', dueAt: START + 1 })]);
      for (const id of [1, 2, 3, 4]) await end(chat, `alert:${id}@telegram`, SENT);
      await chat.withdraw('alert:3@telegram', START + 2);
      await chat.endGone('alert:4@telegram', { error: 'gone', at: START + 2 });
      await end(chat, 'alert:5@telegram', { state: 'pending', dueAt: START + 9, error: '429' });
      await end(chat, 'alert:6@telegram', {
        ...{ state: 'unknown', error: 'timeout' },
        ...{ at: START, unsureSince: START },
      });
      await end(chat, 'alert:7@telegram', { state: 'failed', error: 'refused: no', at: START });
      await chat.claim('alert:8@telegram', { owner: OWNER, at: START });
      await fold(chat, 'alert:9@telegram', START);
      await chat.giveUp('alert:12@telegram', { state: 'dropped', error: 'too old', at: START });

      const found = await chat.decided('telegram', START);
      const scores = (isPosted: boolean) =>
        found.flatMap((post) => (post.isPosted === isPosted ? [post.score] : [])).toSorted();
      expect(scores(true)).toEqual([62, 63, 64, 65, 66, 68]);
      expect(scores(false)).toEqual([67, 69]);
      expect(found).toContainEqual({ createdAt: START + 1, score: 69, threadId: 1, isPosted: false });
      expect(await chat.decided('telegram', START - 1)).toHaveLength(9);
      expect(await chat.decided('discord', START - 1)).toEqual([]);
    });

    test('those that were never attempted come by their time, then by alert', async () => {
      const { chat } = fixture.database;
      await chat.add([10, 9, 7, 6, 5, 4].map((id) => postOf(id)));
      await chat.add([postOf(11, { dueAt: START - 1 }), postOf(12, { dueAt: START + 1 })]);
      await chat.add([postOf(8, { channel: 'discord' }), noteFor('customer:cus_a')]);
      await end(chat, 'alert:4@telegram', { state: 'pending', dueAt: START, error: '429' });
      await chat.makeUpdate('alert:5@telegram');
      await chat.claim('alert:6@telegram', { owner: OWNER, at: START });
      await fold(chat, 'alert:7@telegram', START);

      const query = { channel: 'telegram', until: START } as const;
      const all = ['alert:11@telegram', 'alert:9@telegram', 'alert:10@telegram'];
      expect(ids(await chat.undecided({ ...query, limit: 9 }))).toEqual(all);
      expect(ids(await chat.undecided({ ...query, limit: 2 }))).toEqual(all.slice(0, 2));
    });

    test('what was folded in a channel within a time is found, the best first', async () => {
      const { chat } = fixture.database;
      const scores = [70, 90, 99, 70, 99];
      await chat.add(scores.map((score, index) => postOf(index + 1, { score, threadId: 1 })));
      await chat.add([postOf(6, { channel: 'discord', score: 99 }), postOf(7)]);
      await fold(chat, 'alert:4@telegram', START);
      await fold(chat, 'alert:1@telegram', START + 9);
      await fold(chat, 'alert:2@telegram', START);
      await fold(chat, 'alert:3@telegram', START - 1);
      await fold(chat, 'alert:5@telegram', START + 10);
      await fold(chat, 'alert:6@discord', START);
      await fold(chat, 'alert:7@telegram', START);

      const day = { channel: 'telegram', from: START, until: START + 10 } as const;
      const found = await chat.folded({ ...day, limit: 10 });
      expect(found.map(({ alertId }) => alertId)).toEqual([2, 1, 4, 7]);
      expect(await chat.folded({ ...day, limit: 1 })).toEqual([{ alertId: 2, threadId: 1 }]);
    });

    test('they are found by alert, and by market while they are sent or will be', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1), postOf(1, { channel: 'discord' }), postOf(2), postOf(3)]);
      await chat.add([postOf(4, { marketId: '0xm2' }), noteFor('customer:cus_a')]);
      await end(chat, 'alert:1@telegram', SENT);
      await chat.giveUp('alert:2@telegram', { state: 'dropped', error: null, at: START });

      expect(ids(await chat.postsOf(1))).toEqual(['alert:1@discord', 'alert:1@telegram']);
      expect(ids(await chat.postsOf(2))).toEqual(['alert:2@telegram']);
      expect(await chat.postsOf(9)).toEqual([]);
      const market = { marketId: '0xm1', limit: 2 };
      expect(ids(await chat.postsOfMarket(market))).toEqual(['alert:1@discord', 'alert:1@telegram']);
      const rest = { ...market, after: 'alert:1@telegram' };
      expect(ids(await chat.postsOfMarket(rest))).toEqual(['alert:3@telegram']);
    });
  });

  test('what ended before a moment is pruned; posts, their edits and what was taken back stay longer', async () => {
    const { chat } = fixture.database;
    await chat.add([1, 2, 3, 4, 5, 6].map((id) => postOf(id, { threadId: 1 })));
    await chat.add([noteFor('customer:cus_a')]);
    await end(chat, 'alert:1@telegram', { ...SENT, at: START - 90 * DAY_MS });
    await end(chat, 'alert:2@telegram', SENT);
    await chat.giveUp('alert:3@telegram', { state: 'dropped', error: null, at: START });
    await chat.makeUpdate('alert:5@telegram');
    await end(chat, 'alert:5@telegram', SENT);
    await chat.withdraw('alert:6@telegram', START);
    await end(chat, 'note:customer:cus_a', { ...SENT, at: START });
    const query = { endedBefore: START + 10, postsBefore: START - DAY_MS };

    expect(await chat.prune({ ...query, limit: 2 })).toBe(2);
    expect(await chat.prune({ ...query, limit: 10 })).toBe(1);
    expect(await chat.prune({ ...query, limit: 10 })).toBe(0);
    expect(await chat.prune({ ...query, postsBefore: START + 10, limit: 10 })).toBe(3);

    expect(await chat.byId('alert:4@telegram')).not.toBeNull();
  });
});
