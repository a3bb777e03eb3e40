import { PermissionFlagsBits as Bits } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { DiscordSetup } from '../../../bots/discord/discord-setup.ts';
import { missingOf } from '../../../bots/shared/bot-setup.ts';
import { INVITED } from '../../support/chat/discord-server.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { CHANNEL, GUILD } from '../../support/chat/discord-wire.ts';

let standIn: DiscordStandIn;
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

function setupOf(guildId: string | null = GUILD, channelId: string | null = CHANNEL): DiscordSetup {
  return new DiscordSetup({
    rest: createDiscordRest({ token: TOKEN, apiRoot: standIn.api }),
    guildId,
    channelId,
  });
}

const missing = async (setup = setupOf()) => missingOf(await setup.inspect());

describe('the setup of the Discord bot', () => {
  test('a bot that was invited as docs/bots.md says misses nothing', async () => {
    const names = ['server', 'message_content', 'channel', 'view_channel', 'send_messages'];
    expect(await setupOf().inspect()).toEqual(
      [...names, 'read_message_history', 'create_invite', 'manage_messages'].map((name) => ({
        name: `discord_${name}`,
        remedy: null,
      })),
    );
  });

  test('without a server and a channel there is nothing to check', async () => {
    expect(await setupOf(null, null).inspect()).toEqual([]);
    expect(standIn.calls).toEqual([]);
  });

  test('a server with a typing error is named, with its setting', async () => {
    expect(await missing(setupOf('900000000000000055', null))).toEqual([
      { name: 'discord_server', remedy: expect.stringMatching(/^DISCORD_GUILD_ID: .* 900000000000000055/) },
      { name: 'discord_channel', remedy: expect.stringContaining('set DISCORD_CHANNEL_ID') },
    ]);
  });

  test.each([
    ['an unknown channel', '900000000000000056', null],
    ['a channel that is hidden from the bot', CHANNEL, 50_001],
  ])('%s is named, with its setting', async (_title, channelId, error) => {
    standIn.server.channelError = error;
    expect(await missing(setupOf(GUILD, channelId))).toEqual([
      { name: 'discord_channel', remedy: expect.stringContaining(`cannot see the channel ${channelId}`) },
    ]);
  });

  test('a channel of another server, and one that takes no messages, are named', async () => {
    standIn.server.channelGuild = '900000000000000055';
    expect((await missing())[0]?.remedy).toContain('not in the server of DISCORD_GUILD_ID');
    Object.assign(standIn.server, { channelGuild: GUILD, channelType: 4 });
    expect((await missing())[0]?.remedy).toContain('does not take messages');
  });

  test.each([
    ['send_messages', Bits.SendMessages, 'Send Messages'],
    ['read_message_history', Bits.ReadMessageHistory, 'Read Message History'],
    ['create_invite', Bits.CreateInstantInvite, 'Create Invite'],
    ['manage_messages', Bits.ManageMessages, 'Manage Messages'],
  ])('without %s the remedy names the permission and the channel', async (name, bit, words) => {
    standIn.server.role = INVITED & ~bit;
    const remedy = `give the role of the bot the permission ${words} in the channel #alerts (${CHANNEL})`;
    expect(await missing()).toEqual([{ name: `discord_${name}`, remedy }]);
  });

  test('without the Message Content intent keys stay in the server, and that is named', async () => {
    standIn.server.flags = 0;
    expect(await missing()).toEqual([
      { name: 'discord_message_content', remedy: expect.stringContaining('Message Content Intent') },
    ]);
  });
});

test('the proof of the setup on Discord is a silent post', async () => {
  await setupOf().prove();
  expect(standIn.calls[0]?.body).toMatchObject({ flags: 4096 });
});
