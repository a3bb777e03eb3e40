import { describe, expect, test } from 'vitest';
import { missingOf } from '../../../bots/shared/bot-setup.ts';
import { TelegramChannel } from '../../../bots/telegram/telegram-community.ts';
import { TelegramSetup } from '../../../bots/telegram/telegram-setup.ts';
import { ALL_RIGHTS } from '../../support/chat/telegram-chats.ts';
import { openTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import type { BotMembership, StandInChat } from '../../support/chat/telegram-wire.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const ID = '-1001234567890';

async function openSetup(
  channelId: string | null,
  { chat = {}, bot = ALL_RIGHTS }: { readonly chat?: StandInChat; readonly bot?: BotMembership } = {},
) {
  const { telegram, link } = await openTelegramFixture();
  telegram.meet(99, 42);
  Object.assign(telegram, { chat: { type: 'channel', ...chat }, bot });
  const channel = channelId === null ? null : new TelegramChannel(channelId, recordingLogger());
  return { telegram, channel, setup: new TelegramSetup({ api: link.api, channel, operatorIds: ['99'] }) };
}

async function missingWith(...parts: Parameters<typeof openSetup>) {
  const { setup } = await openSetup(...parts);
  return missingOf(await setup.inspect());
}

describe('the setup of a Telegram bot', () => {
  test('an administrator with all rights misses nothing', async () => {
    const { setup } = await openSetup(ID);
    expect(await setup.inspect()).toEqual(
      ['channel', 'administrator', 'post_messages', 'delete_messages', 'invite_users', 'operators'].map(
        (name) => ({ name: `telegram_${name}`, remedy: null }),
      ),
    );
  });

  test('a channel id with a typing error is named, with its setting', async () => {
    const { telegram, setup } = await openSetup('@typo_channel');
    telegram.unknownChats.add('@typo_channel');
    expect(missingOf(await setup.inspect())).toEqual([
      {
        name: 'telegram_channel',
        remedy: expect.stringMatching(/^TELEGRAM_CHANNEL_ID: .*@typo_channel: correct the id/),
      },
    ]);
  });

  test('the id of a person is no channel', async () => {
    expect(await missingWith('42')).toEqual([
      { name: 'telegram_channel', remedy: expect.stringContaining('42 is a person') },
    ]);
  });

  test.each([
    ['a bot that is a member only', { bot: { status: 'member' } }],
    ['a bot outside a public channel', { bot: { status: 'left' }, chat: { username: 'tipoff' } }],
  ] as const)('%s has to become an administrator, with the rights that it needs', async (_title, state) => {
    expect(await missingWith(ID, state)).toEqual([
      {
        name: 'telegram_administrator',
        remedy: expect.stringMatching(
          `^make the bot an administrator of ${ID}, with the rights to post messages, delete messages`,
        ),
      },
    ]);
  });

  test.each(['left', 'kicked'] as const)(
    'a private channel that the bot has %s is not found',
    async (status) => {
      const [missing] = await missingWith(ID, { bot: { status } });
      expect(missing).toMatchObject({ name: 'telegram_channel' });
    },
  );

  test.each([
    ['can_post_messages', 'post messages'],
    ['can_delete_messages', 'delete messages'],
    ['can_invite_users', 'invite users'],
  ] as const)('an administrator of a private channel without %s', async (right, words) => {
    expect(await missingWith(ID, { bot: { ...ALL_RIGHTS, [right]: false } })).toEqual([
      {
        name: right.replace('can_', 'telegram_'),
        remedy: `the bot is an administrator: give it the right to ${words} in ${ID}`,
      },
    ]);
  });

  test('a public channel needs no right to invite, and a group none to post', async () => {
    const withoutInvite = { ...ALL_RIGHTS, can_invite_users: false };
    const inGroup = { status: 'administrator', can_delete_messages: true, can_invite_users: true } as const;
    expect(await missingWith('@tipoff', { bot: withoutInvite, chat: { username: 'tipoff' } })).toEqual([]);
    expect(await missingWith(ID, { bot: inGroup, chat: { type: 'supergroup' } })).toEqual([]);
  });

  test('privacy mode is named where the bot is only a member of a group', async () => {
    const state = { bot: { status: 'member' }, chat: { type: 'supergroup' } } as const;
    const [missing] = await missingWith(ID, state);
    expect(missing?.remedy).toContain('privacy mode');
    const { telegram, setup } = await openSetup(ID, state);
    telegram.readsGroups = true;
    expect(missingOf(await setup.inspect())[0]?.remedy).not.toContain('privacy mode');
  });

  test('an operator who never wrote to the bot is named', async () => {
    const { telegram, setup } = await openSetup(null);
    telegram.unknownChats.add('99');
    expect(missingOf(await setup.inspect())).toEqual([
      { name: 'telegram_operators', remedy: expect.stringContaining('from the account 99') },
    ]);
  });
});

test('the proof of the setup on Telegram is a silent post', async () => {
  const { telegram, setup } = await openSetup(ID);
  await setup.prove();
  expect(telegram.calls[0]?.payload).toMatchObject({ chat_id: ID, disable_notification: true });
});
