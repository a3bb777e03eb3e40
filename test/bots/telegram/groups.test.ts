import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import { TELEGRAM_LIMITS } from '../../../bots/telegram/pacer.ts';
import { eventually } from '../../support/chat/driver.ts';
import { scriptedConversation } from '../../support/chat/scripted-conversation.ts';
import { ANNA, CHANNEL, startTelegramFixture, UNLIMITED } from '../../support/chat/telegram-fixture.ts';
import { privateText, publicText } from '../../support/chat/telegram-person.ts';

const COMMUNITY = { id: CHANNEL, type: 'channel' } as const;
const GROUP = { id: -500, type: 'supergroup' } as const;

function answeringCommands(...names: string[]): Conversation {
  const conversation = scriptedConversation();
  const more = names.map((name) => ({ name, description: name, argument: null }));
  return { ...conversation, commands: [...conversation.commands, ...more] };
}

describe('groups and channels on Telegram', () => {
  test('a command gets one short answer that leads to the private chat, and the conversation is not asked', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(publicText(GROUP, '/key').update);
    await telegram.answered('sendMessage');
    expect(telegram.messages(GROUP.id)).toMatchObject([
      {
        buttons: [{ url: 'https://t.me/tipoff_test_bot?start=key' }],
        text: expect.stringContaining('private'),
      },
    ]);
    expect(conversation.moves).toEqual([]);
  });

  test.each([
    ['/upgrade', 'upgrade'],
    ['/alert 12', 'alert_12'],
    ['/alert last', 'menu'],
    ['/follow 0xab', 'follow'],
    ['/start', 'menu'],
  ])('the link under %s carries the payload %s', async (line, payload) => {
    const { telegram } = await startTelegramFixture({
      conversation: answeringCommands('upgrade', 'alert', 'follow'),
    });
    telegram.push(publicText(GROUP, line).update);
    await telegram.answered('sendMessage');
    const url = `https://t.me/tipoff_test_bot?start=${payload}`;
    expect(telegram.messages(GROUP.id)).toMatchObject([{ buttons: [{ url }] }]);
  });

  test('a group that floods with commands delays no private chat', async () => {
    const limits = { ...UNLIMITED, chat: TELEGRAM_LIMITS.chat };
    const { telegram } = await startTelegramFixture({ limits });
    for (let count = 0; count < 300; count += 1) telegram.push(publicText(GROUP, '/key').update);
    telegram.push(privateText(ANNA, '/start'));
    await eventually(() => telegram.messages(ANNA.id)).toHaveLength(1);
    expect(telegram.messages(GROUP.id)).toHaveLength(1);
  });

  test.each([
    ['words', 'hello'],
    ['an unknown command', '/weather'],
    ['a command for another bot', '/start@other_bot'],
  ])('%s are left alone', async (_, words) => {
    const { telegram, conversation } = await startTelegramFixture();
    telegram.push(publicText(GROUP, words).update);
    telegram.push(publicText(GROUP, '/start@Tipoff_Test_Bot').update);
    await telegram.answered('sendMessage');
    expect(telegram.messages(GROUP.id)).toHaveLength(1);
    expect(conversation.moves).toEqual([]);
  });

  test('a tap on a button in a group gives nothing', async () => {
    const { telegram, conversation } = await startTelegramFixture();
    const { update } = publicText(GROUP, 'x');
    const message = (update as { readonly message: object }).message;
    const from = { id: 77, is_bot: false, first_name: 'P' };
    telegram.push({ callback_query: { id: '1', from, chat_instance: '1', data: 'issue', message } });
    telegram.push(publicText(GROUP, '/start').update);
    await telegram.answered('sendMessage');
    expect(conversation.moves).toEqual([]);
  });

  test('a group that says that it has a new id is followed', async () => {
    const { telegram, channel } = await startTelegramFixture();
    telegram.push({ message: { message_id: 1, date: 1, chat: COMMUNITY, migrate_to_chat_id: -1009 } });
    await eventually(() => channel.id).toBe('-1009');
  });
});
