import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../bots/shared/conversation.ts';
import type { LeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import { TELEGRAM_LIMITS } from '../../../bots/telegram/pace-limits.ts';
import { UNLIMITED } from '../../support/chat/telegram-limits.ts';
import { privateText, publicText } from '../../support/chat/telegram-person.ts';
import {
  ANNA,
  answeringConversation,
  CHANNEL,
  eventually,
  KEY,
  startTelegramFixture,
} from './telegram-fixture.ts';

const COMMUNITY = { id: CHANNEL, type: 'channel' } as const;
const GROUP = { id: -500, type: 'supergroup' } as const;

function guard(): LeakGuard & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    async inspect(text, place) {
      seen.push(`${place}: ${text}`);
      return text.includes('sk_live_');
    },
  };
}

function answeringCommands(...names: string[]): Conversation {
  const conversation = answeringConversation();
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
    ['/key', 'key'],
    ['/trial', 'pro'],
    ['/alert 12', 'alert_12'],
    ['/alert last', 'menu'],
    ['/start', 'menu'],
  ])('the link under %s carries the payload %s', async (line, payload) => {
    const { telegram } = await startTelegramFixture({ conversation: answeringCommands('trial', 'alert') });
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

  test.each(['message', 'edited_message', 'channel_post', 'edited_channel_post'] as const)(
    'a key in the community (%s) is removed',
    async (kind) => {
      const leakGuard = guard();
      const { telegram } = await startTelegramFixture({ leakGuard });
      const { id, update } = publicText(COMMUNITY, `look ${KEY}`, kind);
      telegram.push(update);
      await telegram.answered('deleteMessage');
      expect(telegram.calls.at(-1)?.payload).toEqual({ chat_id: CHANNEL, message_id: id });
      expect(leakGuard.seen).toEqual([`the Telegram channel: look ${KEY}`]);
    },
  );

  test('a caption and the address of a link are looked at as well', async () => {
    const leakGuard = guard();
    const { telegram } = await startTelegramFixture({ leakGuard });
    const entities = [{ type: 'text_link', offset: 0, length: 1, url: `https://x.example/?api_key=${KEY}` }];
    telegram.push({ message: { message_id: 1, date: 1, chat: COMMUNITY, caption: KEY } });
    telegram.push({ message: { message_id: 2, date: 1, chat: COMMUNITY, text: 'a link', entities } });
    await telegram.answered('deleteMessage', 2);
  });

  test('only the community is watched', async () => {
    const leakGuard = guard();
    const { telegram } = await startTelegramFixture({ leakGuard });
    telegram.push(publicText(GROUP, KEY).update);
    telegram.push(publicText(GROUP, '/start').update);
    await telegram.answered('sendMessage');
    expect(leakGuard.seen).toEqual([]);
  });

  test('a key that may not be removed is logged without the key', async () => {
    const { telegram, log } = await startTelegramFixture({ leakGuard: guard() });
    telegram.fail('deleteMessage', { code: 400, description: "Bad Request: message can't be deleted" });
    telegram.push(publicText(COMMUNITY, KEY).update);
    await eventually(() =>
      log.filter((line) => line.includes('removal of a message with a key')),
    ).toHaveLength(1);
    expect(log.join()).not.toContain('sk_live_k');
  });

  test('a group that says that it has a new id is followed', async () => {
    const { telegram, channel } = await startTelegramFixture();
    telegram.push({ message: { message_id: 1, date: 1, chat: COMMUNITY, migrate_to_chat_id: -1009 } });
    await eventually(() => channel.id).toBe('-1009');
  });
});
