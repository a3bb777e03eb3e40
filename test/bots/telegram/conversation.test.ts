import { describe, expect, test } from 'vitest';
import { BOT_DESCRIPTION } from '../../../bots/shared/bot-description.ts';
import { eventually } from '../../support/chat/driver.ts';
import { page } from '../../support/chat/scripted-conversation.ts';
import {
  ANNA,
  calls,
  newest,
  openTelegramFixture,
  startTelegramFixture,
} from '../../support/chat/telegram-fixture.ts';
import { privateTap, privateText } from '../../support/chat/telegram-person.ts';

const bad = (why: string) => ({ code: 400, description: `Bad Request: ${why}` });

describe('private chat on Telegram', () => {
  test('a command that names the bot goes to the conversation with its argument', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(privateText(ANNA, '/start@tipoff_test_bot key'));
    await telegram.answered('sendMessage');
    expect(conversation.moves.map(({ move }) => move)).toEqual([
      { kind: 'command', name: 'start', argument: 'key' },
    ]);
  });

  test('a screen that is there already, and a tap too old to be acknowledged, are not failures', async () => {
    const { telegram, conversation, log } = await startTelegramFixture();
    conversation.answer = () => page('same');
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    telegram.fail('answerCallbackQuery', bad('query is too old and response timeout expired'));
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    telegram.push(privateText(ANNA, 'more'));
    await telegram.answered('sendMessage', 2);
    expect(calls(telegram, 'sendMessage')).toHaveLength(2);
    expect(log.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  });

  test('a message that cannot be edited any more is followed by a new one', async () => {
    const { telegram } = await startTelegramFixture();
    telegram.push(privateText(ANNA, 'hello'));
    await telegram.answered('sendMessage');
    telegram.fail('editMessageText', bad("message can't be edited"));
    telegram.push(privateTap(ANNA, newest(telegram), 'next'));
    await telegram.answered('sendMessage', 2);
    expect(telegram.messages(11)).toHaveLength(2);
  });

  test.each([
    ['is logged, and its author deletes it', "message can't be deleted", 1, 'I cannot delete'],
    ['is not logged when it was gone', 'message to delete not found', 0, 'I have deleted'],
  ])('a message with a secret that Telegram does not delete %s', async (_, why, lines, said) => {
    const { telegram, conversation, log } = await startTelegramFixture();
    conversation.answer = () => ({ ...page('Yours.'), removesMessage: true });
    telegram.fail('deleteMessage', bad(why));
    telegram.push(privateText(ANNA, 'my secret'));
    await telegram.answered('sendMessage');
    expect(newest(telegram).text).toContain(said);
    expect(log.filter((line) => line.includes('"level":"warn"') && line.includes(why))).toHaveLength(lines);
    expect(log.join()).not.toContain('my secret');
  });

  test('what people read before Start is set when it changed, and what the operator wrote stays', async () => {
    const { telegram, bot } = await openTelegramFixture();
    telegram.described.short = 'My own words';
    await bot.start();
    await telegram.answered('getMyShortDescription');
    const again = await openTelegramFixture({ telegram });
    await again.bot.start();
    await telegram.answered('getMyShortDescription', 2);
    expect(calls(telegram, 'setMyDescription')).toHaveLength(1);
    expect(telegram.described).toEqual({ long: BOT_DESCRIPTION, short: 'My own words' });
  });

  test('an update that was taken is confirmed with the next poll', async () => {
    const { telegram } = await startTelegramFixture();
    const id = telegram.push(privateText(ANNA, 'hello'));
    const polls = () => calls(telegram, 'getUpdates').map(({ payload }) => payload['offset']);
    await eventually(polls).toEqual([0, id + 1]);
  });

  test.each([
    ['forwarded', { forward_origin: { type: 'hidden_user', sender_user_name: 'Ben', date: 1 } }],
    ['written by an inline bot', { via_bot: { id: 7, is_bot: true, first_name: 'Inline' } }],
  ])('a command that was %s is not a command', async (_, author) => {
    const { telegram, conversation } = await startTelegramFixture();
    const { message } = privateText(ANNA, '/ban ben') as { readonly message: object };
    telegram.push({ message: { ...message, ...author } });
    await telegram.answered('sendMessage');
    expect(conversation.moves.map(({ move }) => move)).toEqual([{ kind: 'text', text: '/ban ben' }]);
  });

  test('a photo, a sticker or a voice message is answered, once a minute; a pinned message is not', async () => {
    const { telegram, conversation, clock } = await startTelegramFixture();
    const { message } = privateText(ANNA, 'x') as { readonly message: Record<string, unknown> };
    const { text: _, ...rest } = message;
    const file = { file_id: 'f', file_unique_id: 'u', width: 1, height: 1, duration: 1 };
    const content = (given: object) => telegram.push({ message: { ...rest, ...given } });
    content({ pinned_message: message });
    content({ photo: [file], caption: 'look' });
    content({ sticker: { ...file, type: 'regular', is_animated: false, is_video: false } });
    await telegram.answered('sendMessage');
    await clock.advance(60_000);
    content({ voice: file });
    await telegram.answered('sendMessage', 2);
    expect(conversation.moves.map(({ move }) => move)).toEqual([{ kind: 'content' }, { kind: 'content' }]);
  });
});
