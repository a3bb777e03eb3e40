import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  type REST,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import type { ChatCommand } from '../shared/conversation.ts';

export const ADMIN_COMMAND = 'admin';

type Command = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** What is registered, and where. */
export interface CommandSet {
  readonly rest: REST;
  readonly guildId: string | null;
  readonly commands: readonly ChatCommand[];
  /** Whether there is an operator's command. */
  readonly hasAdmin: boolean;
}

/** In how many scopes the commands were written anew; 0 when Discord had them as they are. */
export interface Registration {
  readonly commands: number;
  readonly written: number;
}

/**
 * Gives Discord the commands where they differ from what it has. With a server they belong to it, where a change is
 * seen at once, and a second set to private chats; without one they are everywhere.
 */
export async function registerCommands(deps: CommandSet): Promise<Registration> {
  const { rest, guildId, hasAdmin } = deps;
  const commands = deps.commands.map(toSlashCommand);
  const console = hasAdmin ? [adminCommand()] : [];
  const application = (await rest.get(Routes.oauth2CurrentApplication())) as { id: string };
  const { Guild, BotDM } = InteractionContextType;
  const everywhere = Routes.applicationCommands(application.id);
  const scopes: [`/${string}`, Command[]][] =
    guildId === null
      ? [[everywhere, [...placed(commands, [Guild, BotDM]), ...placed(console, [Guild])]]]
      : [
          [Routes.applicationGuildCommands(application.id, guildId), [...commands, ...console]],
          [everywhere, placed(commands, [BotDM])],
        ];
  let written = 0;
  for (const [route, wanted] of scopes) {
    const registered = (await rest.get(route)) as Partial<Command>[];
    if (fingerprint(registered) === fingerprint(wanted)) continue;
    await rest.put(route, { body: wanted });
    written += 1;
  }
  return { commands: commands.length + console.length, written };
}

function toSlashCommand({ name, description, argument }: ChatCommand): Command {
  const options =
    argument === null
      ? []
      : [{ type: ApplicationCommandOptionType.String as const, ...argument, required: false }];
  return { type: ApplicationCommandType.ChatInput, name, description, options };
}

/** Shown to nobody until the server's owner allows it, and answered to admins alone. */
function adminCommand(): Command {
  return {
    ...toSlashCommand({
      name: ADMIN_COMMAND,
      description: 'The operator’s commands',
      argument: { name: 'command', description: 'For example: find @ann' },
    }),
    default_member_permissions: '0',
  };
}

function placed(commands: readonly Command[], contexts: InteractionContextType[]): Command[] {
  return commands.map((command) => ({ ...command, contexts }));
}

/** What we set of commands, in one order, as text. Contexts count where we name them: in the set for everywhere. */
function fingerprint(commands: readonly Partial<Command>[]): string {
  const entries = commands.map((command) => [
    command.name,
    'description' in command ? command.description : null,
    command.default_member_permissions ?? null,
    [...(command.contexts ?? [])].sort(),
    (command.options ?? []).map((option) => [
      option.type,
      option.name,
      option.description,
      option.required ?? false,
    ]),
  ]);
  return JSON.stringify(entries.sort(([a], [b]) => String(a).localeCompare(String(b))));
}
