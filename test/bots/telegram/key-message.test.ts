import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/chat/driver.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';
import { ANNA, calls, newest, startTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';
import type { TelegramStandIn } from '../../support/chat/telegram-wire.ts';

/** The messages in which a key is seen. */
const textsWithKey = (telegram: TelegramStandIn) =>
  telegram.messages(ANNA.id).flatMap(({ text }) => (text.includes('sk_live_') ? [text] : []));

const COPY = { text: 'Copy the key', copy_text: { text: KEY } };

describe('a message with a key on Telegram', () => {
  test('can be copied: it has a button for that, and Telegram is not asked to protect it', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await telegram.answered('editMessageText');
    expect(newest(telegram)).toMatchObject({
      text: KEY,
      keyboard: [[COPY], [{ text: 'Done, hide it', callback_data: 'hide' }]],
    });
    for (const { payload } of telegram.calls) expect(payload).not.toHaveProperty('protect_content');
  });

  test.each(['sendMessage', 'editMessageText'])(
    'is a new message, and counts as shown only when Telegram accepted it (%s refused)',
    async (method) => {
      const { telegram, conversation } = await startTelegramFixture();
      conversation.answer = secretPage;
      telegram.fail(method, { code: 400, description: 'Bad Request: nothing of the kind' });
      telegram.push(privateText(ANNA, '/key'));
      await telegram.answered(method);
      expect(conversation.shownScreens).toEqual([]);
      telegram.push(privateText(ANNA, '/key'));
      await eventually(() => conversation.shownScreens).toHaveLength(1);
      expect(textsWithKey(telegram)).toEqual([KEY]);
    },
  );

  test.each(['sendMessage', 'editMessageText'])(
    'shows the key once although Telegram took the message and the answer to %s was lost',
    async (method) => {
      const { telegram, conversation, clock } = await startTelegramFixture();
      conversation.answer = secretPage;
      telegram.fail(method, 'drop');
      telegram.push(privateText(ANNA, '/key'));
      await eventually(() => conversation.shownScreens).toHaveLength(1);
      expect(textsWithKey(telegram)).toEqual([KEY]);
      await clock.advance(600_000);
      await eventually(() => textsWithKey(telegram)).toEqual([]);
    },
  );

  test('never replaces the message that was tapped', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    conversation.answer = secretPage;
    const { id } = newest(telegram);
    telegram.push(privateTap(ANNA, newest(telegram), 'issue'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    expect(telegram.messages(11).map(({ text }) => text === KEY)).toEqual([false, true]);
    expect(calls(telegram, 'editMessageText').map(({ payload }) => payload['message_id'])).not.toContain(id);
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
  });

  test.each([
    ['is due', 540_000],
    ['is overdue', 3_000_000],
  ])('is removed by the next process when it %s', async (_when, downMs) => {
    const before = await startTelegramFixture();
    const { telegram, keyMessages, clock } = before;
    before.conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => before.conversation.shownScreens).toHaveLength(1);
    await clock.advance(60_000);
    await before.bot.close();
    await clock.advance(downMs - 1);
    expect(textsWithKey(telegram)).toEqual([KEY]);

    await startTelegramFixture({ telegram, keyMessages, clock });
    await clock.asleep();
    await clock.advance(1);

    await eventually(() => textsWithKey(telegram)).toEqual([]);
    await eventually(() => keyMessages.next('telegram', 1)).toEqual([]);
  });

  test('is tried again a minute later when it could not be removed', async () => {
    const { telegram, conversation, clock, keyMessages } = await startTelegramFixture();
    conversation.answer = secretPage;
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    telegram.fail('deleteMessage', { code: 403, description: 'Forbidden: nothing for now' });
    await clock.advance(600_000);
    await eventually(async () => (await keyMessages.next('telegram', 1))[0]?.attempts).toBe(1);
    await clock.advance(60_000);
    await telegram.answered('deleteMessage', 2);
    expect(telegram.messages(11)).toEqual([]);
  });

  test('is removed by its button, and the next screen is a new message', async () => {
    const { telegram, conversation, keyMessages } = await startTelegramFixture();
    conversation.answer = (move) => (move.kind === 'tap' ? page('hidden') : secretPage());
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    telegram.push(privateTap(ANNA, newest(telegram), 'hide'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hidden']);
    expect(await keyMessages.next('telegram', 1)).toEqual([]);
  });

  test('is removed by its button also by a process that did not send it', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    conversation.answer = () => page('hidden');
    const keyboard = [[COPY], [{ text: 'Done, hide it', callback_data: 'hide' }]];
    const sent = {
      ...{ id: 5, text: KEY, links: [], preview: null, replyTo: null, touched: 0 },
      ...{ keyboard, buttons: keyboard.flat() },
    };
    telegram.push(privateTap(ANNA, sent, 'hide'));
    await telegram.answered('sendMessage');
    expect(calls(telegram, 'deleteMessage').map(({ payload }) => payload)).toEqual([
      { chat_id: 11, message_id: 5 },
    ]);
  });

  test('that could not be removed when its button was tapped is removed later', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    conversation.answer = (move) => (move.kind === 'tap' ? page('hidden') : secretPage());
    telegram.push(privateText(ANNA, '/key'));
    await eventually(() => conversation.shownScreens).toHaveLength(1);
    telegram.fail('deleteMessage', { code: 500, description: 'Internal Server Error' });
    telegram.push(privateTap(ANNA, newest(telegram), 'hide'));
    await telegram.answered('sendMessage', 2);
    expect(textsWithKey(telegram)).toEqual([KEY]);
    await clock.advance(60_000);
    await eventually(() => textsWithKey(telegram)).toEqual([]);
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
