import { expect, test } from 'vitest';
import type { KeyMessage } from '../../../src/core/chat/conversation-stores.ts';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

const ANN = { platform: 'telegram', userId: '7' } as const;
const ALSO_SEVEN = { platform: 'discord', userId: '7' } as const;
const QUESTION = { ...ANN, action: 'link_with', expiresAt: START + 10 };

onEachDatabase('store of questions asked in chat', (fixture) => {
  test('a question is that of one person on one platform, and goes when it is answered or expired', async () => {
    const { questions } = fixture.database;
    for (const person of [ANN, ALSO_SEVEN]) await questions.put({ ...QUESTION, ...person });
    await questions.remove(ALSO_SEVEN);
    await questions.put({ ...QUESTION, userId: '8', expiresAt: START + 11 });

    expect(await questions.get(ALSO_SEVEN)).toBeNull();
    expect(await questions.get(ANN)).toStrictEqual(QUESTION);
    expect(await questions.prune(START + 10)).toBe(1);
    expect([await questions.get(ANN), await questions.get({ ...ANN, userId: '8' })]).toMatchObject([
      null,
      {},
    ]);
  });
});

function messageOf(messageRef: string, change: Partial<KeyMessage> = {}): KeyMessage {
  const times = { createdAt: START, dueAt: START + 10 };
  return { bot: 'telegram', messageRef, request: `of ${messageRef}`, ...times, attempts: 0, ...change };
}

onEachDatabase('store of messages that show a key', (fixture) => {
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
    expect(await keyMessages.next('telegram', 10)).toStrictEqual([others]);
  });

  test('gives the newest message of a request, to the bot that sent it', async () => {
    const { keyMessages } = fixture.database;
    const newest = messageOf('7:2', { request: 'r', createdAt: START + 1 });
    for (const message of [messageOf('7:1', { request: 'r' }), newest, messageOf('7:3', { request: 'r' })])
      await keyMessages.add(message);

    expect(await keyMessages.ofRequest('telegram', 'r')).toStrictEqual(newest);
    expect(await keyMessages.ofRequest('telegram_admin', 'r')).toBeNull();
    expect(await keyMessages.ofRequest('telegram', 's')).toBeNull();
  });
});
