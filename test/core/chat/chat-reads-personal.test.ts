import { expect, test } from 'vitest';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import type { ChatChange, ChatStore } from '../../../src/core/chat/chat-store.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, fold, ids, OWNER, SENT } from './chat-store-fixture.ts';

const ANN = 'customer:cus_a';
const toAnn = (alertId: number, given?: Parameters<typeof personalOf>[2]) =>
  personalOf(alertId, 'cus_a', given);
const toBob = (alertId: number) => personalOf(alertId, 'cus_b');
const idOf = (alertId: number) => `personal:${alertId}@cus_a`;
const RETRIED: ChatChange = { state: 'pending', dueAt: START + 9, error: '429' };
const unknownAt = (at: number): ChatChange => ({
  ...{ state: 'unknown', error: 'timeout', at, unsureSince: START },
});

function listFor(occasion: string, createdAt: number): NewChatMessage {
  return {
    id: `plist:${occasion}@cus_a`,
    recipient: ANN,
    kind: 'personal_list',
    facts: { occasion: 'evening', platform: 'telegram', isRealtime: true },
    createdAt,
    dueAt: createdAt,
  };
}

onSqlite('messages about a person’s follows', (fixture) => {
  test('the due ones of a queue come best first, then oldest first, and those without a score last', async () => {
    const { chat } = fixture.database;
    await chat.add([listFor('evening:a', START - 9), toAnn(1, { score: 70 }), toAnn(2, { score: 90 })]);
    await chat.add([toAnn(3, { score: 70, dueAt: START - 1 }), toAnn(4, { dueAt: START + 1 }), toBob(5)]);
    await chat.add([toAnn(6, { isRealtime: false }), toAnn(7, { platform: 'discord' }), noteFor(ANN)]);
    await chat.add([toAnn(8)]);
    await end(chat, idOf(8), SENT);

    const query = { lane: 'personal:telegram:first', now: START } as const;
    const all = [idOf(2), idOf(3), idOf(1), 'plist:evening:a@cus_a'];
    expect(ids(await chat.dueOf(ANN, { ...query, limit: 9 }))).toEqual(all);
    expect(ids(await chat.dueOf(ANN, { ...query, limit: 2 }))).toEqual(all.slice(0, 2));
  });

  test('told are those that were sent or may have been since a moment, are being sent, or are retried', async () => {
    const { chat } = fixture.database;
    await chat.add([1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => toAnn(id)));
    await chat.add([toAnn(10), toBob(11), listFor('evening:a', START)]);
    await end(chat, idOf(1), { ...SENT, at: START + 5 });
    await end(chat, idOf(2), { ...SENT, at: START + 4 });
    await end(chat, idOf(3), unknownAt(START + 5));
    await end(chat, idOf(4), unknownAt(START + 4));
    await chat.claim(idOf(5), { owner: OWNER, at: START });
    await end(chat, idOf(6), RETRIED);
    await fold(chat, idOf(7), START + 5);
    await end(chat, idOf(8), { state: 'failed', error: 'refused', at: START + 5 });
    for (const id of ['personal:11@cus_b', 'plist:evening:a@cus_a'])
      await end(chat, id, { ...SENT, at: START + 5 });

    expect(ids(await chat.toldTo(ANN, START + 5)).toSorted()).toEqual([1, 3, 5, 6].map(idOf));
  });

  test('unlisted are what was folded and what may have been sent within a time, best first', async () => {
    const { chat } = fixture.database;
    await chat.add([toAnn(1, { score: 70 }), toAnn(2, { score: 90 }), toAnn(3, { score: 70 })]);
    await chat.add([toAnn(4), toAnn(5), toAnn(6), toAnn(7), toBob(8)]);
    await fold(chat, idOf(1), START + 1);
    await end(chat, idOf(2), unknownAt(START + 1));
    await fold(chat, idOf(3), START + 5);
    await fold(chat, idOf(4), START);
    await fold(chat, idOf(5), START + 6);
    await end(chat, idOf(6), { ...SENT, at: START + 2 });
    await fold(chat, 'personal:8@cus_b', START + 2);

    const query = { recipient: ANN, after: START, until: START + 5 } as const;
    expect(ids(await chat.unlisted(query))).toEqual([idOf(2), idOf(3), idOf(1)]);
    expect(await chat.hasUnlisted(query)).toBe(true);
    expect(await chat.hasUnlisted({ ...query, after: START + 6, until: START + 9 })).toBe(false);
  });

  test('the last list is the newest one that was sent, may have been, or will be', async () => {
    const { chat } = fixture.database;
    const lastId = async (before = START + 9) => (await chat.lastList(ANN, before))?.id;
    expect(await lastId()).toBeUndefined();
    await chat.add([
      listFor('evening:a', START),
      listFor('quiet:b', START + 1),
      listFor('evening:c', START + 2),
    ]);
    await end(chat, 'plist:evening:a@cus_a', SENT);
    await chat.giveUp('plist:evening:c@cus_a', { state: 'dropped', error: 'unreachable', at: START });

    expect(await lastId()).toBe('plist:quiet:b@cus_a');
    expect(await lastId(START + 1)).toBe('plist:evening:a@cus_a');
    await end(chat, 'plist:quiet:b@cus_a', { state: 'failed', error: 'refused', at: START });
    expect(await lastId()).toBe('plist:evening:a@cus_a');
  });

  test('whether a person was told anything since a moment: lists count, other notes do not', async () => {
    const told = async (chat: ChatStore) => [
      await chat.wasTold(ANN, START + 5),
      await chat.wasTold(ANN, START + 6),
    ];
    const { chat } = fixture.database;
    await chat.add([noteFor(ANN), toAnn(1), listFor('evening:a', START), toBob(2)]);
    for (const id of ['note:customer:cus_a', 'personal:2@cus_b']) await end(chat, id, SENT);
    await fold(chat, idOf(1), START + 5);
    expect(await told(chat)).toEqual([false, false]);

    await end(chat, 'plist:evening:a@cus_a', SENT);

    expect(await told(chat)).toEqual([true, false]);
  });

  test('the alerts of a thread to people come by person, page by page, but those that were not sent', async () => {
    const { chat } = fixture.database;
    const told = [personalOf(2, 'cus_a', { threadId: 1 }), toBob(1), personalOf(1, 'cus_c')];
    await chat.add([...told, postOf(1), personalOf(1, 'cus_d'), toAnn(3)]);
    await end(chat, 'personal:1@cus_b', SENT);
    await fold(chat, 'personal:1@cus_d', START);

    const first = await chat.personalOfThread(1, 2);
    const second = await chat.personalOfThread(1, 2, first.at(-1));

    expect(ids([...first, ...second])).toEqual(told.map(({ id }) => id));
    expect(first[1]).toMatchObject({ state: 'sent', place: '77', facts: { alertId: 1 } });
  });

  test('the results of a thread that a person was sent before a change are counted', async () => {
    const { chat } = fixture.database;
    const result = (threadId: number, seq: number, customerId = 'cus_a'): NewChatMessage => {
      const { alertId, marketId, wallet, followIds } = personalOf(threadId, customerId).facts;
      const news = { alertId, threadId, marketId, wallet, followIds, alertMessageId: null, seq };
      return {
        id: `presult:${threadId}:${seq}@${customerId}`,
        recipient: `customer:${customerId}`,
        kind: 'personal_result',
        facts: { ...news, platform: 'telegram', isRealtime: true },
        createdAt: START,
        dueAt: START,
      };
    };
    const sent = [result(1, 1), result(1, 2), result(2, 1), result(1, 1, 'cus_b')];
    await chat.add([...sent, result(1, 3)]);
    for (const { id } of sent) await end(chat, id, SENT);

    const before = (seq: number) => chat.countResultsBefore(ANN, 1, seq);
    expect([await before(1), await before(2), await before(4)]).toEqual([0, 1, 2]);
  });
});
