import { describe, expect, test } from 'vitest';
import { TelegramChannel, TelegramCommunity } from '../../../bots/telegram/telegram-community.ts';
import { CHANNEL, openTelegramFixture } from '../../support/chat/telegram-fixture.ts';
import { recordingLogger } from '../../support/recording-logger.ts';

const VISITOR = { platform: 'telegram', userId: '11', name: 'anna', chat: '11' } as const;

async function openCommunity(channelId: string | null = String(CHANNEL)) {
  const { telegram, link } = await openTelegramFixture();
  const { logger, log } = recordingLogger();
  const channel = channelId === null ? null : new TelegramChannel(channelId, { logger });
  return { telegram, log, channel, community: new TelegramCommunity({ api: link.api, channel, logger }) };
}

describe('the community on Telegram', () => {
  test.each([
    [{ status: 'creator' }, 'member'],
    [{ status: 'administrator' }, 'member'],
    [{ status: 'member' }, 'member'],
    [{ status: 'restricted', is_member: true }, 'member'],
    [{ status: 'restricted', is_member: false }, 'not_member'],
    [{ status: 'left' }, 'not_member'],
    [{ status: 'kicked' }, 'not_member'],
    [{ status: 'something new' }, 'unknown'],
    ['error', 'unknown'],
  ] as const)('%o is %s', async (member, membership) => {
    const { telegram, community } = await openCommunity();
    telegram.members.set(11, member);
    expect(await community.membershipOf(VISITOR)).toBe(membership);
    expect(telegram.calls.at(-1)?.payload).toEqual({ chat_id: String(CHANNEL), user_id: 11 });
  });

  test('without a channel there is nothing to join, and Telegram is not asked', async () => {
    const { telegram, community } = await openCommunity(null);
    expect(await community.membershipOf(VISITOR)).toBe('none');
    expect(await community.joinAddress()).toBeNull();
    expect(telegram.calls).toEqual([]);
  });

  test.each([
    ['@tipoff_alerts', {}, 'https://t.me/tipoff_alerts', []],
    [String(CHANNEL), { username: 'tipoff' }, 'https://t.me/tipoff', ['getChat']],
    [String(CHANNEL), { invite_link: 'https://t.me/+abc' }, 'https://t.me/+abc', ['getChat']],
    [String(CHANNEL), {}, 'https://t.me/+made', ['getChat', 'createChatInviteLink']],
  ])('%s %o is joined at %s, and Telegram is asked once', async (id, chat, address, calls) => {
    const { telegram, community } = await openCommunity(id);
    telegram.chat = chat;
    expect(await community.joinAddress()).toBe(address);
    expect(await community.joinAddress()).toBe(address);
    expect(telegram.calls.map(({ method }) => method)).toEqual(calls);
  });
});
