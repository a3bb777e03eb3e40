import { discordReason, discordStatus } from '../../bots/discord/failures.ts';
import { registerCommands } from '../../bots/discord/slash-commands.ts';
import { UserError } from '../core/base/user-error.ts';
import { openRest } from '../wiring/discord.ts';
import { localConversation } from './chat.ts';
import { commandOf, readConfig, withDatabase } from './command.ts';
import { createTerminal } from './terminal.ts';

export const discordCommand = commandOf({
  about: "Registers the bot's slash commands with Discord, where they differ from those it has.",
  usage: 'discord-commands',
  options: {},
  notes: `The service does the same whenever it connects. Reads DISCORD_TOKEN, DISCORD_GUILD_ID (without it the
commands are everywhere, which Discord may take an hour to show), DISCORD_API_ROOT and ADMIN_IDS.`,
  run: register,
});

async function register(): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const config = readConfig(process.env);
  const { discord, adminIds } = config.chat;
  const { token, apiRoot, guildId } = discord;
  if (token === null) throw new UserError('DISCORD_TOKEN: set it to the token of the Discord bot');
  // A conversation needs a database; its list of commands does not, so an empty one is enough.
  const { commands } = await withDatabase('sqlite::memory:', async (database) =>
    localConversation(database, config),
  );
  const hasAdmin = adminIds.some(({ platform }) => platform.startsWith('discord'));
  try {
    const rest = openRest(config, token);
    const result = await registerCommands({ rest, guildId, commands, hasAdmin });
    const where = guildId === null ? 'everywhere' : `in the server ${guildId} and in private chats`;
    if (result.written === 0) terminal.line(`Discord already has these ${result.commands} commands.`);
    else terminal.line(`Registered ${result.commands} commands ${where}.`);
  } catch (error) {
    throw new UserError(problemOf(error, apiRoot));
  }
}

function problemOf(error: unknown, apiRoot: string): string {
  const detail = discordReason(error);
  const status = discordStatus(error);
  if (status === 401) return `DISCORD_TOKEN: Discord rejects it (${detail})`;
  if (status === 403 || status === 404)
    return `DISCORD_GUILD_ID: invite the bot to this server with the scopes bot and applications.commands (${detail})`;
  return `DISCORD_API_ROOT: unexpected answer from ${apiRoot} (${detail})`;
}
