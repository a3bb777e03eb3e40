import {
  type APIApplication,
  type APIGuild,
  type APIGuildChannel,
  type APIGuildMember,
  type APIOverwrite,
  ApplicationFlags,
  ChannelType,
  type GuildChannelType,
  MessageFlags,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
  type REST,
  Routes,
} from 'discord.js';
import { type BotSetup, type MissingItem, provePost, type SetupItem } from '../shared/bot-setup.ts';
import { DISCORD_CODES, discordCode, discordReason } from './failures.ts';

const CONTENT = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
/** Without the intent keys that are pasted in the server stay there. */
export const WITHOUT_CONTENT: MissingItem = {
  name: 'discord_message_content',
  remedy:
    'switch on the Message Content Intent of the bot in the Developer Portal and restart the service: until then keys pasted in the server stay there',
};
/** They hold channels or threads, and no messages. */
const WITHOUT_MESSAGES: readonly ChannelType[] = [
  ChannelType.GuildCategory,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
  ChannelType.GuildDirectory,
];

/** Permissions of the bot in the channel of posts. A reply to a post needs Read Message History. */
const FOR_POSTS = [
  ['view_channel', PermissionFlagsBits.ViewChannel, 'View Channel'],
  ['send_messages', PermissionFlagsBits.SendMessages, 'Send Messages'],
  ['read_message_history', PermissionFlagsBits.ReadMessageHistory, 'Read Message History'],
] as const;
/** For the community: the invitation leads to that channel, and keys that are pasted there are deleted. */
const FOR_COMMUNITY = [
  ['create_invite', PermissionFlagsBits.CreateInstantInvite, 'Create Invite'],
  ['manage_messages', PermissionFlagsBits.ManageMessages, 'Manage Messages'],
] as const;

interface DiscordSetupOptions {
  readonly rest: REST;
  readonly guildId: string | null;
  readonly channelId: string | null;
}

type Channel = APIGuildChannel<GuildChannelType>;

/** What the Discord bot needs: its server, its channel, its permissions there, and the intent to read messages. */
export class DiscordSetup implements BotSetup {
  readonly #options: DiscordSetupOptions;

  constructor(options: DiscordSetupOptions) {
    this.#options = options;
  }

  async inspect(): Promise<readonly SetupItem[]> {
    try {
      return [...(await this.#inspectServer()), ...(await this.#inspectChannel())];
    } catch (error) {
      throw new Error(discordReason(error));
    }
  }

  async prove(): Promise<readonly SetupItem[]> {
    const { rest, channelId } = this.#options;
    if (channelId === null) return [];
    const routeOf = (post: unknown) => Routes.channelMessage(channelId, (post as { readonly id: string }).id);
    return provePost<unknown>({
      prefix: 'discord',
      post: (content) =>
        rest.post(Routes.channelMessages(channelId), {
          body: { content, flags: MessageFlags.SuppressNotifications },
        }),
      edit: (post, content) => rest.patch(routeOf(post), { body: { content } }),
      remove: (post) => rest.delete(routeOf(post)),
      remedyOf: (error) => `refused in the channel ${channelId}: ${discordReason(error)}`,
    });
  }

  async #inspectServer(): Promise<readonly SetupItem[]> {
    const { rest, guildId } = this.#options;
    if (guildId === null) return [];
    const { flags = 0 } = (await rest.get(Routes.currentApplication())) as APIApplication;
    const guild = await orRefusal(rest.get(Routes.guild(guildId)));
    const server =
      guild === null
        ? `DISCORD_GUILD_ID: the bot is not in the server ${guildId}: correct the id, or invite the bot with the scopes bot and applications.commands`
        : null;
    return [
      { name: 'discord_server', remedy: server },
      (flags & CONTENT) === 0 ? WITHOUT_CONTENT : { ...WITHOUT_CONTENT, remedy: null },
    ];
  }

  async #inspectChannel(): Promise<readonly SetupItem[]> {
    const { rest, guildId, channelId } = this.#options;
    const name = 'discord_channel';
    if (channelId === null) {
      const remedy =
        'set DISCORD_CHANNEL_ID: without it no invitation can be made, and users get keys without joining';
      return guildId === null ? [] : [{ name, remedy }];
    }
    const channel = (await orRefusal(rest.get(Routes.channel(channelId)))) as Channel | null;
    const remedy = channelRemedy(channel, this.#options);
    if (channel === null || remedy !== null) return [{ name, remedy }];
    return [{ name, remedy }, ...(await this.#permissionItems(channel))];
  }

  async #permissionItems(channel: Channel): Promise<readonly SetupItem[]> {
    const { rest, guildId } = this.#options;
    const serverId = channel.guild_id ?? guildId ?? '';
    const { id: botId } = (await rest.get(Routes.user())) as { readonly id: string };
    const guild = (await orRefusal(rest.get(Routes.guild(serverId)))) as APIGuild | null;
    const member = await orRefusal(rest.get(Routes.guildMember(serverId, botId)));
    if (guild === null || member === null) return [];
    const permissions = permissionsOf({ botId, guild, member: member as APIGuildMember, channel });
    return [...FOR_POSTS, ...(guildId === null ? [] : FOR_COMMUNITY)].map(([name, bit, words]) => {
      const remedy = `give the role of the bot the permission ${words} in the channel ${nameOf(channel)}`;
      return { name: `discord_${name}`, remedy: permissions.has(bit) ? null : remedy };
    });
  }
}

function channelRemedy(channel: Channel | null, { guildId, channelId }: DiscordSetupOptions): string | null {
  if (channel === null)
    return `DISCORD_CHANNEL_ID: the bot cannot see the channel ${channelId}: correct the id, or give the role of the bot the permission View Channel there`;
  if (guildId !== null && channel.guild_id !== guildId)
    return `DISCORD_CHANNEL_ID: the channel ${nameOf(channel)} is not in the server of DISCORD_GUILD_ID`;
  if (WITHOUT_MESSAGES.includes(channel.type))
    return `DISCORD_CHANNEL_ID: ${nameOf(channel)} does not take messages: set the id of a text channel`;
  return null;
}

function nameOf({ name, id }: Channel): string {
  return `#${name} (${id})`;
}

const NOT_SHOWN: readonly number[] = [
  DISCORD_CODES.unknownChannel,
  DISCORD_CODES.unknownGuild,
  DISCORD_CODES.unknownMember,
  DISCORD_CODES.missingAccess,
];

/** Null when Discord says that there is no such thing, or does not show it to this bot. */
async function orRefusal(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (NOT_SHOWN.includes(discordCode(error) ?? 0)) return null;
    throw error;
  });
}

interface Membership {
  readonly botId: string;
  readonly guild: Pick<APIGuild, 'id' | 'owner_id' | 'roles'>;
  readonly member: Pick<APIGuildMember, 'roles'>;
  readonly channel: { readonly permission_overwrites?: readonly APIOverwrite[] | undefined };
}

/** The permissions of a bot in a channel, by the rules of discord.com/developers/docs/topics/permissions#permission-hierarchy. */
export function permissionsOf({ botId, guild, member, channel }: Membership): Readonly<PermissionsBitField> {
  const all = new PermissionsBitField(PermissionsBitField.All);
  if (guild.owner_id === botId) return all;
  // The role @everyone has the id of the server.
  const roles = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id));
  const permissions = new PermissionsBitField(roles.map((role) => BigInt(role.permissions)));
  if (permissions.has('Administrator')) return all;
  const overwrites = channel.permission_overwrites ?? [];
  const ofRoles = overwrites.filter(({ type }) => type === OverwriteType.Role);
  const steps = [
    ofRoles.filter(({ id }) => id === guild.id),
    ofRoles.filter(({ id }) => id !== guild.id && member.roles.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === botId),
  ];
  // What any overwrite of a step allows is allowed, also where another one denies it.
  for (const step of steps) {
    permissions.remove(step.map(({ deny }) => BigInt(deny)));
    permissions.add(step.map(({ allow }) => BigInt(allow)));
  }
  // A channel that is not shown allows nothing else.
  return permissions.has('ViewChannel') ? permissions : new PermissionsBitField();
}
