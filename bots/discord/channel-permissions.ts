import {
  type APIGuild,
  type APIGuildMember,
  type APIOverwrite,
  OverwriteType,
  PermissionFlagsBits,
} from 'discord.js';

interface Membership {
  readonly botId: string;
  readonly guild: Pick<APIGuild, 'id' | 'owner_id' | 'roles'>;
  readonly member: Pick<APIGuildMember, 'roles'>;
  readonly channel: { readonly permission_overwrites?: readonly APIOverwrite[] | undefined };
}

const ALL = ~0n;

/** The permissions of a bot in a channel, by the rules of discord.com/developers/docs/topics/permissions#permission-hierarchy. */
export function permissionsOf({ botId, guild, member, channel }: Membership): bigint {
  if (guild.owner_id === botId) return ALL;
  // The role @everyone has the id of the server.
  const roles = guild.roles.filter(({ id }) => id === guild.id || member.roles.includes(id));
  const base = roles.reduce((bits, { permissions }) => bits | BigInt(permissions), 0n);
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return ALL;
  const overwrites = channel.permission_overwrites ?? [];
  const ofRoles = overwrites.filter(({ type }) => type === OverwriteType.Role);
  const steps = [
    ofRoles.filter(({ id }) => id === guild.id),
    ofRoles.filter(({ id }) => id !== guild.id && member.roles.includes(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === botId),
  ];
  const inChannel = steps.reduce((bits, step) => applied(bits, step), base);
  // A channel that is not shown allows nothing else.
  return (inChannel & PermissionFlagsBits.ViewChannel) === 0n ? 0n : inChannel;
}

/** Overwrites of one step: what any of them allows is allowed, also where another one denies it. */
function applied(bits: bigint, overwrites: readonly APIOverwrite[]): bigint {
  const union = (read: (overwrite: APIOverwrite) => string) =>
    overwrites.reduce((all, overwrite) => all | BigInt(read(overwrite)), 0n);
  return (bits & ~union(({ deny }) => deny)) | union(({ allow }) => allow);
}
