import { describe, expect, test } from 'vitest';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import { COPY, calls, newest } from './telegram-calls.ts';
import { ANNA, eventually, KEY, page, secretPage, startTelegramFixture } from './telegram-fixture.ts';

describe('a message with a key on Telegram', () => {
  test('can be copied: it has a button for that, and Telegram is not asked to protect it', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    expect(newest(telegram)).toMatchObject({
      text: KEY,
      isProtected: false,
      keyboard: [[COPY], [{ text: 'Done, hide it', callback_data: 'hide' }]],
    });
    expect(calls(telegram, 'sendMessage')[0]?.payload).not.toHaveProperty('protect_content');
  });

  test('is a new message, and counts as shown only when Telegram accepted it', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.fail('sendMessage', { code: 400, description: 'Bad Request: nothing of the kind' });
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage');
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('sendMessage', 2);
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    expect(telegram.messages(11)).toMatchObject([{ text: KEY }]);
  });

  test('never replaces the message that was tapped', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    conversation.answer = secretPage;
    telegram.push(privateTap(ANNA, newest(telegram), 'issue'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11).map(({ text }) => text === KEY)).toEqual([false, true]);
    expect(calls(telegram, 'editMessageText')).toEqual([]);
  });

  test('removes itself after 10 minutes', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    await clock.advance(599_999);
    expect(telegram.messages(11)).toHaveLength(1);
    await clock.advance(1);
    await telegram.answered('deleteMessage');
    expect(telegram.messages(11)).toEqual([]);
    expect(clock.sleepers).toBe(0);
  });

  test('is tried again a minute later when it could not be removed', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    telegram.fail('deleteMessage', { code: 403, description: 'Forbidden: nothing for now' });
    await clock.advance(600_000);
    await clock.asleep();
    await clock.advance(60_000);
    await telegram.answered('deleteMessage', 2);
    expect(telegram.messages(11)).toEqual([]);
  });

  test('is removed by its button, and the next screen is a new message', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    conversation.answer = (move) => (move.kind === 'tap' ? page('hidden') : secretPage());
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    telegram.push(privateTap(ANNA, newest(telegram), 'hide'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hidden']);
    expect(clock.sleepers).toBe(0);
  });

  test('is removed by its button also by a process that did not send it', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = () => page('hidden');
    const keyboard = [[COPY], [{ text: 'Done, hide it', callback_data: 'hide' }]];
    const sent = {
      ...{ id: 5, text: KEY, links: [], isProtected: false, replyTo: null, touched: 0 },
      ...{ keyboard, buttons: keyboard.flat() },
    };
    telegram.push(privateTap(ANNA, sent, 'hide'));
    await telegram.answered('sendMessage');
    expect(calls(telegram, 'deleteMessage').map(({ payload }) => payload)).toEqual([
      { chat_id: 11, message_id: 5 },
    ]);
  });

  test('that Telegram no longer shows the bot is followed by a new message when it is tapped', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = (move) => (move.kind === 'tap' ? page('hidden') : secretPage());
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    const sent = newest(telegram);
    (telegram.messages(11) as unknown[]).splice(0);
    telegram.push(privateTap(ANNA, sent, 'hide', { isInaccessible: true }));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hidden']);
  });
});
