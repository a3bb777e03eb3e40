import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/duration.ts';
import { noteFor, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, ids, SENT } from './chat-store-fixture.ts';
import { onEachDatabase } from './each-database.ts';

onEachDatabase('chat store', (fixture) => {
  const due = (lane: 'channel:telegram' | 'channel:discord' | 'private', now = START) =>
    fixture.database.chat.due({ lane, now, limit: 10 });

  describe('posts of alerts', () => {
    test('a channel’s posts since a moment are counted, those that were taken back as well', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1), postOf(2), postOf(3), postOf(4), postOf(5, { channel: 'discord' })]);
      await end(chat, 'alert:1@telegram', { ...SENT, at: START - 1 });
      await end(chat, 'alert:2@telegram', { ...SENT, at: START });
      await end(chat, 'alert:3@telegram', { ...SENT, at: START + 1 });
      await chat.withdraw('alert:3@telegram', START + 2);
      await end(chat, 'alert:5@discord', SENT);

      expect(await chat.countPosts('telegram', START)).toBe(2);
      expect(await chat.countPosts('discord', START)).toBe(1);
      expect(await chat.countPosts('discord', START + 6)).toBe(0);
    });

    test('what was folded in a channel within a time is found by its alerts', async () => {
      const { chat } = fixture.database;
      await chat.add([3, 1, 2, 4].map((id) => postOf(id)));
      await chat.add([postOf(5, { channel: 'discord' })]);
      const fold = (id: string, at: number) => chat.giveUp(id, { state: 'folded', error: null, at });
      await fold('alert:3@telegram', START);
      await fold('alert:1@telegram', START + 9);
      await fold('alert:2@telegram', START - 1);
      await fold('alert:4@telegram', START + 10);
      await fold('alert:5@discord', START);

      const hour = { channel: 'telegram', from: START, until: START + 10 } as const;
      expect(await chat.rolledUp({ ...hour, limit: 10 })).toEqual([1, 3]);
      expect(await chat.rolledUp({ ...hour, limit: 1 })).toEqual([1]);
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

  describe('what goes', () => {
    test('everything for some recipients can be removed', async () => {
      const { chat } = fixture.database;
      await chat.add([noteFor('key:key_a'), noteFor('customer:cus_a'), noteFor('customer:cus_b')]);

      expect(await chat.removeOf(['customer:cus_a', 'key:key_a'])).toBe(2);
      expect(await chat.removeOf([])).toBe(0);

      expect(ids(await due('private'))).toEqual(['note:customer:cus_b']);
    });

    test('what ended before a moment is pruned, but posts of alerts stay longer', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1), postOf(2), postOf(3), postOf(4), noteFor('customer:cus_a')]);
      await end(chat, 'alert:1@telegram', { ...SENT, at: START - 90 * DAY_MS });
      await end(chat, 'alert:2@telegram', SENT);
      await chat.giveUp('alert:3@telegram', { state: 'dropped', error: null, at: START });
      await end(chat, 'note:customer:cus_a', { ...SENT, at: START });
      const query = { endedBefore: START + 10, postsBefore: START - DAY_MS };

      expect(await chat.prune({ ...query, limit: 2 })).toBe(2);
      expect(await chat.prune({ ...query, limit: 10 })).toBe(1);
      expect(await chat.prune({ ...query, limit: 10 })).toBe(0);

      expect(await chat.byId('alert:2@telegram')).not.toBeNull();
      expect(await chat.byId('alert:4@telegram')).not.toBeNull();
    });
  });
});
