import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiscordCommunity } from '../../../bots/discord/discord-community.ts';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, type Fault, GUILD } from '../../support/chat/discord-wire.ts';
import { createFakeClock } from '../../support/clock.ts';
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

function open(guildId: string | null = GUILD) {
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api });
  return new DiscordCommunity({ rest, guildId, channelId: CHANNEL, clock, logger: silentLogger });
}

describe('the community on Discord', () => {
  test('without a server there is nothing to join', async () => {
    expect(await open(null).membershipOf(ann)).toBe('none');
    expect(await open(null).joinAddress()).toBeNull();
  });

  test.each<[string, Fault]>([
    ['a server the bot is not in', { status: 404, code: 10_004 }],
    ['a person Discord does not know', { status: 404, code: 10_013 }],
  ])('%s leaves it unknown', async (_, fault) => {
    standIn.fault(MEMBER, fault);
    expect(await open().membershipOf(ann)).toBe('unknown');
  });
});
