import { PermissionFlagsBits } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiscordCommunity } from '../../../bots/discord/discord-community.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import type { Logger } from '../../../src/core/base/logger.ts';
import { INVITED } from '../../support/chat/discord-server.ts';
import { createDiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, type DiscordStandIn, type Fault, GUILD } from '../../support/chat/discord-wire.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ann = {
  platform: 'discord',
  userId: '900000000000000100',
  name: 'ann',
  chat: '900000000000000100',
} as const;
const MEMBER = /^GET \/guilds/;

let standIn: DiscordStandIn;
const clock = createFakeClock(0);
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

function open(
  guildId: string | null = GUILD,
  channelId: string | null = CHANNEL,
  logger: Logger = silentLogger,
) {
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api });
  return new DiscordCommunity({ rest, guildId, channelId, clock, logger });
}

describe('the community on Discord', () => {
  test('a member of the server is a member, and an unknown user is not', async () => {
    expect(await open().membershipOf(ann)).toBe('not_member');
    standIn.members.set(ann.userId, 'member');
    expect(await open().membershipOf(ann)).toBe('member');
  });

  test('without a server there is nothing to join', async () => {
    expect(await open(null).membershipOf(ann)).toBe('none');
    expect(await open(null).joinAddress()).toBeNull();
  });

  // Contract, issue: an unknown membership never refuses a user.
  test.each<[string, Fault]>([
    ['a fault of Discord’s', { status: 500 }],
    ['a rate limit', { status: 429, retryAfter: 30 }],
    ['a server the bot is not in', { status: 404, code: 10_004 }],
    ['a person Discord does not know', { status: 404, code: 10_013 }],
    ['a missing right', { status: 403, code: 50_001 }],
    ['a wrong token', { status: 401, code: 0 }],
  ])('%s leaves it unknown', async (_, fault) => {
    standIn.fault(MEMBER, fault);
    expect(await open().membershipOf(ann)).toBe('unknown');
  });

  test('no answer within 5 seconds leaves it unknown', async () => {
    standIn.fault(MEMBER, { hang: true });
    const answer = open().membershipOf(ann);
    await clock.asleep();
    await clock.advance(5_000);
    expect(await answer).toBe('unknown');
  });

  test('a membership that stays unknown is logged once', async () => {
    const logger = createRecordingLogger();
    const community = open(GUILD, CHANNEL, logger);
    standIn.fault(MEMBER, { status: 403, code: 50_001 }, 3);
    for (const _ of [1, 2, 3]) expect(await community.membershipOf(ann)).toBe('unknown');
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'Discord membership unavailable; all visitors pass',
    ]);
  });

  test('a bot that may not invite has no address', async () => {
    standIn.server.role = INVITED & ~PermissionFlagsBits.CreateInstantInvite;
    expect(await open().joinAddress()).toBeNull();
  });

  test('one invitation is made, and used again', async () => {
    const community = open();
    expect(await Promise.all([community.joinAddress(), community.joinAddress()])).toEqual([
      'https://discord.gg/join-us',
      'https://discord.gg/join-us',
    ]);
    const invites = standIn.calls.filter(({ path }) => path.endsWith('/invites'));
    expect(invites.map(({ body }) => body)).toEqual([{ max_age: 0, max_uses: 0, unique: false }]);
  });

  test('an invitation that failed is asked for again', async () => {
    standIn.fault(/invites$/, { status: 403, code: 50_013 });
    const community = open();
    expect(await community.joinAddress()).toBeNull();
    expect(await community.joinAddress()).toBe('https://discord.gg/join-us');
  });
});
