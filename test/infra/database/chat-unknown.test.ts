import { describe, expect, test } from 'vitest';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { noteFor, personalOf, postOf } from '../../support/chat/messages.ts';
import { START } from '../../support/rows.ts';
import { end, ids, SENT } from './chat-store-fixture.ts';
import { onEachDatabase } from './each-database.ts';

const POST = 'alert:1@telegram';
const UNKNOWN = { state: 'unknown', error: 'timeout', at: START + 5, unsureSince: START } as const;
const UNSURE = { state: 'pending', dueAt: START + 9, error: 'timeout', unsureSince: START } as const;

onEachDatabase('chat store: messages that may have been sent', (fixture) => {
  test('are listed, the newest first, with the time of the attempt, without alerts to people', async () => {
    const { chat } = fixture.database;
    await chat.add([postOf(1), postOf(2), noteFor('customer:cus_a'), personalOf(1, 'cus_a')]);
    await end(chat, 'personal:1@cus_a', UNKNOWN);
    await end(chat, POST, UNKNOWN);
    await end(chat, 'note:customer:cus_a', { ...UNKNOWN, at: START + 6 });
    await end(chat, 'alert:2@telegram', SENT);

    const found = await chat.unknown({ since: START, limit: 10 });
    expect(ids(found)).toEqual(['note:customer:cus_a', POST]);
    expect(found[1]).toMatchObject({ state: 'unknown', error: 'timeout', unsureSince: START, attempts: 1 });
    expect(ids(await chat.unknown({ since: START, limit: 1 }))).toEqual(['note:customer:cus_a']);
    expect(ids(await chat.unknown({ since: START + 6, limit: 10 }))).toEqual(['note:customer:cus_a']);
    expect(await chat.counts(0)).toMatchObject({ unknown: 3, sent: 1 });
  });

  describe('and are retried', () => {
    test('keep the time of the first such attempt until they are sent', async () => {
      const { chat } = fixture.database;
      await chat.add([postOf(1)]);
      await end(chat, POST, UNSURE);
      await end(chat, POST, { state: 'pending', dueAt: START + 9, error: '429' });
      expect(await chat.byId(POST)).toMatchObject({ state: 'pending', error: '429', unsureSince: START });

      await end(chat, POST, SENT);
      expect(await chat.byId(POST)).toMatchObject({ state: 'sent', unsureSince: null });
    });
  });

  test('the edits of an alert’s post are found in every channel, and those of no other alert', async () => {
    const { chat } = fixture.database;
    const edit = (id: string, alertId: number): NewChatMessage => ({
      id,
      recipient: 'channel:telegram',
      kind: 'alert_result',
      facts: { alertId, threadId: alertId },
      createdAt: START,
      dueAt: START,
    });
    const own = ['exit:1:4@telegram', 'redraw:1:7@telegram', 'result:1:2@discord', 'result:1:2@telegram'];
    await chat.add([...own.map((id) => edit(id, 1)), edit('result:12:1@telegram', 12), postOf(1)]);

    expect(ids(await chat.editsOf(1))).toEqual(own);
    expect(await chat.editsOf(2)).toEqual([]);
  });
});
