import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordRest } from '../../../bots/discord/discord-rest.ts';
import { describeApplication, registerCommands } from '../../../bots/discord/slash-commands.ts';
import { BOT_DESCRIPTION } from '../../../bots/shared/bot-description.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../../support/chat/discord-stand-in.ts';
import { GUILD } from '../../support/chat/discord-wire.ts';
import { SCRIPTED_COMMANDS } from '../../support/chat/scripted-conversation.ts';

let standIn: DiscordStandIn;
beforeEach(async () => {
  standIn = await createDiscordStandIn();
});
afterEach(() => standIn.close());

function register(options: Partial<Parameters<typeof registerCommands>[0]> = {}) {
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api });
  return registerCommands({ rest, guildId: GUILD, commands: SCRIPTED_COMMANDS, hasAdmin: true, ...options });
}

const puts = () => standIn.calls.filter(({ method }) => method === 'PUT').length;
const named = (commands: unknown[]) => (commands as { name: string }[]).map(({ name }) => name);

describe('slash commands', () => {
  test('go to the server, and without the operator’s to private chats', async () => {
    expect(await register()).toEqual({ commands: 4, written: 2 });
    expect(named(standIn.commands.guild)).toEqual(['start', 'key', 'link', 'admin']);
    expect(named(standIn.commands.global)).toEqual(['start', 'key', 'link']);
    expect(standIn.commands.global).toMatchObject(SCRIPTED_COMMANDS.map(() => ({ contexts: [1] })));
  });

  test('the operator’s is hidden until the server’s owner allows it', async () => {
    await register();
    expect(standIn.commands.guild.at(-1)).toMatchObject({
      name: 'admin',
      default_member_permissions: '0',
      options: [{ type: 3, name: 'command' }],
    });
  });

  test('without a server are everywhere', async () => {
    expect(await register({ guildId: null })).toEqual({ commands: 4, written: 1 });
    expect(standIn.commands.guild).toEqual([]);
    expect(standIn.commands.global).toMatchObject([
      { contexts: [0, 1] },
      { contexts: [0, 1] },
      { contexts: [0, 1] },
      { name: 'admin', contexts: [0] },
    ]);
  });

  test('are written only when they changed', async () => {
    await register();
    expect(await register()).toEqual({ commands: 4, written: 0 });
    expect(puts()).toBe(2);
    const [first, ...rest] = SCRIPTED_COMMANDS;
    const changed = [{ ...(first ?? rest[0]), description: 'Another' }, ...rest] as typeof SCRIPTED_COMMANDS;
    expect(await register({ commands: changed })).toEqual({ commands: 4, written: 2 });
    expect(await register({ commands: changed, hasAdmin: false })).toEqual({ commands: 3, written: 1 });
  });
});

test('the description of the profile is written when it changed, and one of the operator stays', async () => {
  const rest = createDiscordRest({ token: TOKEN, apiRoot: standIn.api });
  const patches = () => standIn.calls.filter(({ method }) => method === 'PATCH').length;
  standIn.server.description = 'Tipoff, as it was described before';
  await describeApplication(rest);
  await describeApplication(rest);
  expect([standIn.server.description, patches()]).toEqual([BOT_DESCRIPTION, 1]);

  standIn.server.description = 'My own words';
  await describeApplication(rest);
  expect([standIn.server.description, patches()]).toEqual(['My own words', 1]);
});
