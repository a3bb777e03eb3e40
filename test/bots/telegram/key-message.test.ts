import { describe, expect, test, vi } from 'vitest';
import { eventually } from '../../support/chat/driver.ts';
import { KEY, page, secretPage } from '../../support/chat/scripted-conversation.ts';
import {
  ANNA,
  calls,
  newest,
  startTelegramFixture,
  type TelegramFixtureOptions,
} from '../../support/chat/telegram-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';

const COPY = { text: 'Copy the key', copy_text: { text: KEY } };
const KEYBOARD = [[COPY], [{ text: 'Done, hide it', callback_data: 'hide' }]];

async function askForKey(options: TelegramFixtureOptions = {}) {
  const fixture = await startTelegramFixture(options);
  const { telegram, conversation } = fixture;
  conversation.answer = (move) => (move.kind === 'tap' ? page('hidden') : secretPage());
  const ask = () => telegram.push(privateText(ANNA, '/key'));
  const withKey = () =>
    telegram.messages(ANNA.id).flatMap(({ text }) => (text.includes('sk_live_') ? [text] : []));
  const shown = () => eventually(() => conversation.shownScreens).toHaveLength(1);
  return { ...fixture, ask, withKey, shown };
}

describe('a message with a key on Telegram', () => {
  test('can be copied: it has a button for that, and Telegram is not asked to protect it', async () => {
    const { telegram, ask, shown } = await askForKey();
    ask();
    await shown();
    expect(newest(telegram)).toMatchObject({ text: KEY, keyboard: KEYBOARD });
    for (const { payload } of telegram.calls) expect(payload).not.toHaveProperty('protect_content');
  });

  test.each(['sendMessage', 'editMessageText'])(
    'counts as shown only when Telegram accepted it (%s refused)',
    async (method) => {
      const { telegram, conversation, ask, withKey, shown } = await askForKey();
      telegram.fail(method, { code: 400, description: 'Bad Request: nothing of the kind' });
      ask();
      await telegram.answered(method);
      expect(conversation.shownScreens).toEqual([]);
      ask();
      await shown();
      expect(withKey()).toEqual([KEY]);
    },
  );

  test.each(['sendMessage', 'editMessageText'])(
    'shows the key once although Telegram took the message and the answer to %s was lost',
    async (method) => {
      const { telegram, clock, ask, withKey, shown } = await askForKey();
      telegram.fail(method, 'drop');
      ask();
      // Once the row is written, its removal sleeps too.
      await clock.asleep(method === 'sendMessage' ? 1 : 2);
      await clock.advance(3_000);
      await shown();
      expect(withKey()).toEqual([KEY]);
      await clock.advance(600_000);
      await eventually(withKey).toEqual([]);
    },
  );

  test('shows no key while the row that removes it cannot be written', async () => {
    const { telegram, keyMessages, ask, withKey, shown } = await askForKey();
    const add = vi.spyOn(keyMessages, 'add').mockRejectedValueOnce(new Error('no answer'));
    ask();
    await telegram.answered('sendMessage');
    await eventually(() => add.mock.settledResults).toHaveLength(1);
    ask();
    await shown();
    expect(withKey()).toEqual([KEY]);
    expect(calls(telegram, 'editMessageText')).toHaveLength(1);
  });

  test('never replaces the message whose button was pressed', async () => {
    const { telegram, conversation, shown } = await askForKey();
    conversation.answer = () => page('hello');
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    conversation.answer = secretPage;
    const { id } = newest(telegram);
    telegram.push(privateTap(ANNA, newest(telegram), 'issue'));
    await shown();
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hello', KEY]);
    expect(calls(telegram, 'editMessageText').map(({ payload }) => payload['message_id'])).not.toContain(id);
  });

  test.each([
    ['is due', 540_000],
    ['is overdue', 3_000_000],
  ])('is removed by the next process when it %s', async (_when, downMs) => {
    const { telegram, keyMessages, clock, bot, ask, withKey, shown } = await askForKey();
    ask();
    await shown();
    await clock.advance(60_000);
    await bot.close();
    await clock.advance(downMs - 1);
    expect(withKey()).toEqual([KEY]);

    await startTelegramFixture({ telegram, keyMessages, clock });
    await clock.asleep();
    await clock.advance(1);
    await eventually(withKey).toEqual([]);
    await eventually(() => keyMessages.next('telegram', 1)).toEqual([]);
  });

  test.each([
    ['also when it could not be removed at first', { code: 500, description: 'Internal Server Error' }],
    ['immediately', null],
  ])('is removed by its button, %s, and the next screen is a new message', async (_, fault) => {
    const { telegram, keyMessages, clock, ask, withKey, shown } = await askForKey();
    ask();
    await shown();
    if (fault !== null) telegram.fail('deleteMessage', fault);
    telegram.push(privateTap(ANNA, newest(telegram), 'hide'));
    await telegram.answered('sendMessage', 2);
    expect(withKey()).toHaveLength(fault === null ? 0 : 1);
    await clock.advance(60_000);
    await eventually(withKey).toEqual([]);
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hidden']);
    await eventually(() => keyMessages.next('telegram', 1)).toEqual([]);
  });

  test('is removed by its button even by a process that did not send it', async () => {
    const { telegram } = await askForKey();
    const sent = { id: 5, text: KEY, links: [], preview: null, replyTo: null, isSilent: false, touched: 0 };
    telegram.push(privateTap(ANNA, { ...sent, keyboard: KEYBOARD, buttons: KEYBOARD.flat() }, 'hide'));
    await telegram.answered('sendMessage');
    expect(calls(telegram, 'deleteMessage')).toMatchObject([{ payload: { chat_id: 11, message_id: 5 } }]);
  });

  test('that Telegram no longer shows the bot is followed by a new message when it is tapped', async () => {
    const { telegram, ask, shown } = await askForKey();
    ask();
    await shown();
    const sent = newest(telegram);
    (telegram.messages(11) as unknown[]).splice(0);
    telegram.push(privateTap(ANNA, sent, 'hide', { isInaccessible: true }));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11).map(({ text }) => text)).toEqual(['hidden']);
  });
});
