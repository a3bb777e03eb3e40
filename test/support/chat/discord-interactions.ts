import {
  BOT_ID,
  CHANNEL,
  dmOf,
  GUILD,
  type InteractOptions,
  type StandInMessage,
  userOf,
  wire,
} from './discord-wire.ts';

interface InteractionFacts extends Omit<InteractOptions, 'on'> {
  readonly id: string;
  readonly token: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly roles: readonly string[];
  readonly on: StandInMessage | null;
}

/** An interaction as the gateway brings it (discord.com/developers/docs/interactions/receiving-and-responding). */
export function interactionEvent({
  id,
  token,
  person,
  roles,
  type,
  data,
  on,
  place,
}: InteractionFacts): object {
  const user = userOf(person);
  const guildFacts = {
    guild_id: GUILD,
    channel_id: CHANNEL,
    channel: { id: CHANNEL, type: 0, guild_id: GUILD },
    member: { user, roles, joined_at: '2026-01-01T00:00:00Z', permissions: '0', flags: 0 },
  };
  const dmFacts = { channel_id: dmOf(person.id), channel: { id: dmOf(person.id), type: 1 }, user };
  return {
    id,
    application_id: BOT_ID,
    type,
    data,
    token,
    version: 1,
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: {},
    app_permissions: '0',
    ...(place === 'dm' ? dmFacts : guildFacts),
    ...(on === null ? {} : { message: wire(on) }),
  };
}
