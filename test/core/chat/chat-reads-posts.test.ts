import { expect, test } from 'vitest';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, fold, ids, OWNER, SENT } from './chat-store-fixture.ts';

const idsOf = (alertIds: readonly number[]) => alertIds.map((id) => `alert:${id}@telegram`);

onSqlite('posts in the outbox', (fixture) => {
  test('those that were decided are found by when they were due', async () => {
    const { chat } = fixture.database;
    await chat.add([
      postOf(1),
      ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map((id) => postOf(id, { dueAt: START + 1 })),
    ]);
    await chat.add([postOf(11, { channel: 'discord', dueAt: START + 1 })]);
    for (const id of idsOf([1, 2, 3, 4])) await end(chat, id, SENT);
    await chat.withdraw('alert:3@telegram', START + 2);
    await chat.endGone('alert:4@telegram', { error: 'gone', at: START + 2 });
    await end(chat, 'alert:5@telegram', { state: 'pending', dueAt: START + 9, error: '429' });
    await end(chat, 'alert:6@telegram', {
      state: 'unknown',
      error: 'timeout',
      at: START,
      unsureSince: START,
    });
    await end(chat, 'alert:7@telegram', { state: 'failed', error: 'refused: no', at: START });
    await chat.claim('alert:8@telegram', { owner: OWNER, at: START });
    await fold(chat, 'alert:9@telegram', START);
    await chat.giveUp('alert:12@telegram', { state: 'dropped', error: 'too old', at: START });

    const found = ids(await chat.decided('telegram', START));
    expect(found.toSorted()).toEqual(idsOf([2, 3, 4, 5, 6, 7, 8, 9]));
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

    expect(ids(await chat.undecided('telegram', START))).toEqual(idsOf([11, 9, 10]));
  });

  test('the threads of what was folded in a channel within a time are found, the best first, each once', async () => {
    const { chat } = fixture.database;
    const scores = [70, 90, 99, 70, 99, 80];
    await chat.add(
      scores.map((score, index) => postOf(index + 1, { score, threadId: index === 5 ? 2 : index + 1 })),
    );
    await chat.add([postOf(7, { channel: 'discord', score: 99 }), postOf(8)]);
    for (const id of [6, 4, 2, 8]) await fold(chat, `alert:${id}@telegram`, START);
    await fold(chat, 'alert:1@telegram', START + 9);
    await fold(chat, 'alert:3@telegram', START - 1);
    await fold(chat, 'alert:5@telegram', START + 10);
    await fold(chat, 'alert:7@discord', START);

    expect(await chat.foldedThreads('telegram', START, START + 10)).toEqual([2, 1, 4, 8]);
  });

  test('they are found by alert, and by market while they are sent or will be', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(1, { channel: 'discord' }), postOf(2), postOf(3)]);
    await chat.add([postOf(4, { marketId: '0xm2' }), noteFor('customer:cus_a'), personalOf(5, 'cus_a')]);
    await end(chat, 'alert:1@telegram', SENT);
    await chat.giveUp('alert:2@telegram', { state: 'dropped', error: null, at: START });

    const both = ['alert:1@discord', 'alert:1@telegram'];
    expect(ids(await chat.postsOf(1))).toEqual(both);
    expect(ids(await chat.postsOf(2))).toEqual(['alert:2@telegram']);
    expect(await chat.postsOf(9)).toEqual([]);
    expect(ids(await chat.postsOfMarket('0xm1')).toSorted()).toEqual([...both, 'alert:3@telegram']);
  });

  test('those of a thread in a channel are found with their edits, or without, the oldest alert first', async () => {
    const { chat } = fixture.database;
    const edit = (id: string, threadId: number, alertId = 9): NewChatMessage => ({
      id,
      recipient: 'channel:telegram',
      kind: 'alert_result',
      facts: { alertId, threadId },
      createdAt: START,
      dueAt: START,
    });
    await chat.add([postOf(10, { threadId: 9 }), edit('exit:10:4@telegram', 9, 10), postOf(9)]);
    await chat.add([edit('result:9:2@telegram', 9), edit('result:8:1@telegram', 8)]);
    await chat.add([postOf(9, { channel: 'discord' }), personalOf(9, 'cus_a')]);
    await end(chat, 'alert:9@telegram', SENT);

    const thread = { channel: 'telegram', threadId: 9 } as const;
    const found = await chat.messagesOfThread(thread);
    expect(found.map(({ facts }) => facts.alertId)).toEqual([9, 9, 10, 10]);
    const edits = found.filter(({ kind }) => kind === 'alert_result');
    expect(ids(edits)).toEqual(['result:9:2@telegram', 'exit:10:4@telegram']);
    expect(ids(await chat.postsOfThread(thread))).toEqual(idsOf([9, 10]));
  });
});
