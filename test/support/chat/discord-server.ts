import { PermissionFlagsBits as Bits } from 'discord.js';
import { BOT_ID, BOT_ROLE, botUser, CHANNEL, GUILD, guild, ok, type StandInServer } from './discord-wire.ts';

/** What the invitation of docs/bots.md gives the role of the bot. */
export const INVITED =
  Bits.ViewChannel |
  Bits.SendMessages |
  Bits.ReadMessageHistory |
  Bits.ManageMessages |
  Bits.CreateInstantInvite;
const MESSAGE_CONTENT_LIMITED = 1 << 19;

/** discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const ERRORS: Readonly<Record<number, readonly [number, string]>> = {
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  50001: [403, 'Missing Access'],
  50013: [403, 'Missing Permissions'],
};

/** The server, its channel and the rights of the bot there. Permissions are those that a test gives, without their rules. */
export class DiscordServer {
  readonly state: StandInServer = {
    role: INVITED,
    overwrites: [],
    channelError: null,
    channelType: 0,
    channelGuild: GUILD,
    flags: MESSAGE_CONTENT_LIMITED,
    description: '',
  };

  /** The answer to a call about the server, or the refusal of another one; null when this is not decided here. */
  answerTo(
    method: string,
    path: string,
    given: Readonly<Record<string, unknown>>,
  ): { readonly status: number; readonly body?: unknown } | null {
    const { flags, channelError } = this.state;
    const call = `${method} ${path}`;
    // "Max 400 characters" (discord.com/developers/docs/resources/application#edit-current-application).
    if (call === 'PATCH /applications/@me')
      this.state.description = String(given['description']).slice(0, 400);
    if (/^(GET|PATCH) \/applications\/@me$/.test(call))
      return ok({ id: BOT_ID, name: 'tipoff', flags, description: this.state.description });
    if (/^GET \/guilds\/\d+$/.test(call)) return path.endsWith(GUILD) ? ok(this.#guild()) : refusal(10_004);
    if (call === `GET /guilds/${GUILD}/members/${BOT_ID}`) return ok({ user: botUser(), roles: [BOT_ROLE] });
    const [, channel, rest] = /^\/channels\/(9\d+)(\/.*)?$/.exec(path) ?? [];
    if (channel === undefined) return null;
    if (channel !== CHANNEL) return refusal(10_003);
    if (channelError !== null) return refusal(channelError);
    if (rest === undefined && method === 'GET') return ok(this.#channel());
    return null;
  }

  #guild(): object {
    const { role } = this.state;
    const roles = [
      { id: GUILD, name: '@everyone', permissions: '0' },
      { id: BOT_ROLE, name: 'Tipoff', permissions: String(role) },
    ];
    return { ...guild(), roles };
  }

  #channel(): object {
    const { channelType: type, channelGuild, overwrites } = this.state;
    return { id: CHANNEL, type, guild_id: channelGuild, name: 'alerts', permission_overwrites: overwrites };
  }
}

function refusal(code: number) {
  const [status, message] = ERRORS[code] ?? [403, 'Missing Access'];
  return { status, body: { code, message } };
}
