import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/chat/driver.ts';
import { secretPage } from '../../support/chat/scripted-conversation.ts';
import {
  ANNA,
  BEN,
  calls,
  openTelegramFixture,
  startTelegramFixture,
} from '../../support/chat/telegram-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';

describe('faults of Telegram', () => {
  test.each([1, 300])(
    'an answer that is put off (429) for %s s is sent then, and others are answered meanwhile',
    async (seconds) => {
      const { telegram, conversation, clock } = await startTelegramFixture();
      telegram.fail('sendMessage', {
        code: 429,
        description: `Too Many Requests: retry after ${seconds}`,
        parameters: { retry_after: seconds },
      });
      telegram.push(privateText(ANNA, '/start'));
      telegram.push(privateText(ANNA, 'and then'));
      await clock.asleep();
      telegram.push(privateText(BEN, '/start'));
      await eventually(() => telegram.messages(BEN.id)).toHaveLength(1);
      await clock.advance(seconds * 1_000 - 1);
      expect(telegram.messages(ANNA.id)).toEqual([]);
      await clock.advance(1);
      await eventually(() => telegram.messages(ANNA.id)).toHaveLength(2);
      expect(telegram.messages(ANNA.id)[1]?.text).toContain('and then');
      expect(conversation.moves).toHaveLength(3);
    },
  );

  test('an answer that is refused again and again (429) is sent in the end', async () => {
    const { telegram, clock } = await startTelegramFixture();
    const wait = { code: 429, description: 'Too Many Requests', parameters: { retry_after: 30 } };
    telegram.fail('sendMessage', ...Array.from({ length: 10 }, () => wait));
    telegram.push(privateText(ANNA, '/start'));
    for (let refusal = 0; refusal < 10; refusal++) {
      await clock.asleep();
      await clock.advance(30_000);
    }
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
  });

  test('a tap is acknowledged on receipt, also while answers wait', async () => {
    const { telegram, clock } = await startTelegramFixture();
    telegram.push(privateText(ANNA, '/start'));
    await telegram.answered('sendMessage');
    const [message] = telegram.messages(ANNA.id);
    if (message === undefined) throw new Error('there is no message');
    telegram.fail('editMessageText', {
      code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 60 },
    });
    telegram.push(privateTap(ANNA, message, 'next'));
    await clock.asleep();
    telegram.push(privateTap(ANNA, message, 'next'));
    await telegram.answered('answerCallbackQuery', 2);
    expect(calls(telegram, 'editMessageText')).toHaveLength(1);
    await clock.advance(60_000);
    await telegram.answered('editMessageText', 3);
  });

  test('an answer is tried again after a 5xx, a timeout and a broken connection, and the conversation is asked once', async () => {
    const { telegram, conversation } = await startTelegramFixture({ times: { attemptMs: 1_000 } });
    conversation.answer = secretPage;
    telegram.fail('sendMessage', { code: 502, description: 'Bad Gateway' }, 'hang', 'drop');
    for (const person of [ANNA, BEN, { id: 13 }]) telegram.push(privateText(person, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(3);
    expect(conversation.moves).toHaveLength(3);
    // The message of the broken connection had arrived: the same key stands there twice.
    expect([11, 12, 13].map((chat) => telegram.messages(chat).length).toSorted()).toEqual([1, 1, 2]);
  });

  test('an answer that cannot be given ends, and the next update of that person is handled', async () => {
    const { telegram, conversation, log } = await startTelegramFixture({ times: { answerMs: 1_000 } });
    conversation.answer = secretPage;
    telegram.fail('sendMessage', { code: 500, description: 'Internal Server Error' });
    telegram.push(privateText(ANNA, '/key'));
    telegram.push(privateText(ANNA, '/start'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    expect(conversation.moves).toHaveLength(2);
    expect(log.filter((line) => line.includes('not answered'))).toHaveLength(1);
  });

  test('a user who blocked the bot stops nothing', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.fail('sendMessage', { code: 403, description: 'Forbidden: bot was blocked by the user' });
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    telegram.push(privateText(BEN, 'hello'));
    await telegram.answered('sendMessage', 2);
    expect(conversation.moves).toHaveLength(2);
    expect(telegram.messages(BEN.id)).toHaveLength(1);
  });
});

describe('the end of a bot on Telegram', () => {
  test('ends polling immediately and leaves neither timer nor connection', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const { telegram, bot, conversation, clock } = await openTelegramFixture();
    const before = timers();
    await bot.start();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    await telegram.answered('getUpdates', 1);
    await clock.asleep();
    await bot.close();
    // A timer of an earlier test may have ended meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
    expect(bot.status().state).toBe('stopped');
    expect(clock.sleepers).toBe(0);
    await eventually(() => telegram.connections()).toBe(0);
  });
});
