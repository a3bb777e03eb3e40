import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  type REST,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
} from 'discord.js';
import { BOT_DESCRIPTION, descriptionToSet } from '../shared/bot-description.ts';
import { ADMIN_COMMAND, type ChatCommand } from '../shared/conversation.ts';

type Command = RESTPostAPIChatInputApplicationCommandsJSONBody;

interface CommandSet {
  readonly rest: REST;
  readonly guildId: string | null;
  readonly commands: readonly ChatCommand[];
  readonly hasAdmin: boolean;
}

/** `written`: number of scopes that were updated; 0 when Discord had the same commands. */
interface Registration {
  readonly commands: number;
  readonly written: number;
}

/** Registers commands that differ: for the server, where they show immediately, and private chats. */
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

/** Sets the description on the bot's profile, where it has changed. */
export async function describeApplication(rest: REST): Promise<void> {
  const application = (await rest.get(Routes.currentApplication())) as { readonly description?: string };
  const description = descriptionToSet(application.description, BOT_DESCRIPTION);
  if (description !== null) await rest.patch(Routes.currentApplication(), { body: { description } });
}

function toSlashCommand({ name, description, argument }: ChatCommand): Command {
  const options =
    argument === null
      ? []
      : [{ type: ApplicationCommandOptionType.String as const, ...argument, required: false }];
  return { type: ApplicationCommandType.ChatInput, name, description, options };
}

/** Hidden until the owner of the server allows it, and answered only for operators. */
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

/** The fields of commands that are set here, in a fixed order, as text. */
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
