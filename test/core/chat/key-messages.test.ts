import { expect, test } from 'vitest';
import type { KeyMessage } from '../../../src/core/chat/key-messages.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

function messageOf(messageRef: string, change: Partial<KeyMessage> = {}): KeyMessage {
  const times = { createdAt: START, dueAt: START + 10 };
  return { bot: 'telegram', messageRef, request: `of ${messageRef}`, ...times, attempts: 0, ...change };
}

onSqlite('stored messages that show a key', (fixture) => {
  test('of a chat they are found and removed together, and those of no other chat', async () => {
    const { keyMessages } = fixture.database;
    const [others, ...own] = [
      messageOf('70:1'),
      messageOf('7:2', { bot: 'telegram_admin' }),
      messageOf('7:1'),
    ];
    for (const message of [...own, others]) await keyMessages.add(message as KeyMessage);

    expect((await keyMessages.inChats(['7', '8'])).length).toBe(2);
    await keyMessages.removeInChats(['7', '8']);

    expect(await keyMessages.inChats(['7'])).toEqual([]);
    expect(await keyMessages.next('telegram', 10)).toMatchObject([others as KeyMessage]);
  });

  test('gives the newest message of a request, to the bot that sent it', async () => {
    const { keyMessages } = fixture.database;
    const newest = messageOf('7:2', { request: 'r', createdAt: START + 1 });
    for (const message of [messageOf('7:1', { request: 'r' }), newest, messageOf('7:3', { request: 'r' })])
      await keyMessages.add(message);

    expect(await keyMessages.ofRequest('telegram', 'r')).toMatchObject(newest);
    expect(await keyMessages.ofRequest('telegram_admin', 'r')).toBeNull();
    expect(await keyMessages.ofRequest('telegram', 's')).toBeNull();
  });
});
