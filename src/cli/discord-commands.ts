import { parseArgs } from 'node:util';
import { createDiscordRest } from '../../bots/discord/discord-rest.ts';
import { describeFailure, discordStatus } from '../../bots/discord/failures.ts';
import { registerCommands } from '../../bots/discord/slash-commands.ts';
import type { ChatCommand } from '../../bots/shared/conversation.ts';
import { ArchiveScheduler } from '../core/alerts/archive/archive-scheduler.ts';
import { UserError } from '../core/base/user-error.ts';
import { CoverageReport } from '../core/trades/coverage/coverage-report.ts';
import { PROGRAM } from '../infra/process/program.ts';
import { systemClock } from '../infra/process/system-clock.ts';
import { argon2Hasher } from '../infra/secrets/argon2-hasher.ts';
import { createLogger } from '../infra/telemetry/logger.ts';
import { wireConversation } from '../wiring/conversation.ts';
import { wireCustomers } from '../wiring/customers.ts';
import { readConfig } from './read-config.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal } from './terminal.ts';
import { withDatabase } from './with-database.ts';

const HELP = `Registers the bot's slash commands with Discord, where they differ from those it has.

Usage: ${PROGRAM} discord-commands

  --help   this text

  The service does the same whenever it connects. Reads DISCORD_TOKEN, DISCORD_GUILD_ID (without it the
  commands are everywhere, which Discord may take an hour to show), DISCORD_API_ROOT and ADMIN_IDS.`;

const terminal = createTerminal(process.stdout);

async function main(args: string[]): Promise<void> {
  parseArgs({ args, options: {} });
  const { discord, adminIds } = readConfig(process.env).chat;
  const { token, apiRoot, guildId } = discord;
  if (token === null) throw new UserError('DISCORD_TOKEN: set it to the token of the Discord bot');
  const commands = await chatCommands();
  const hasAdmin = adminIds.some(({ platform }) => platform !== 'telegram');
  try {
    const rest = createDiscordRest({ token, apiRoot });
    const result = await registerCommands({ rest, guildId, commands, hasAdmin });
    const where = guildId === null ? 'everywhere' : `in the server ${guildId} and in private chats`;
    if (result.written === 0) terminal.line(`Discord has the ${result.commands} commands as they are.`);
    else terminal.line(`Registered ${result.commands} commands ${where}.`);
  } catch (error) {
    throw new UserError(problemOf(error, apiRoot));
  }
}

function problemOf(error: unknown, apiRoot: string): string {
  const detail = describeFailure(error);
  const status = discordStatus(error);
  if (status === 401) return `DISCORD_TOKEN: Discord does not take it (${detail})`;
  if (status === 403 || status === 404) {
    return `DISCORD_GUILD_ID: invite the bot to this server with the scopes bot and applications.commands (${detail})`;
  }
  return `DISCORD_API_ROOT: no good answer from ${apiRoot} (${detail})`;
}

/** The conversation needs a database; its list of commands does not, so an empty one is enough. */
function chatCommands(): Promise<readonly ChatCommand[]> {
  return withDatabase('sqlite::memory:', async (database) => {
    const { commands } = wireConversation({
      database,
      clock: systemClock,
      archive: new ArchiveScheduler(database, systemClock),
      customers: wireCustomers(database, systemClock, argon2Hasher),
      communities: {},
      logger: createLogger('error', process.stderr),
      publicUrl: '',
      siteUrl: null,
      freeDelayMs: 0,
      feed: {
        isLive: false,
        report: new CoverageReport({ store: database.feedHealth, clock: systemClock }),
      },
    });
    return commands;
  });
}

await runCommand(HELP, main);
