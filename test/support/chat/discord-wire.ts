import type { ServerResponse } from 'node:http';
import type { StandInContent } from './discord-rules.ts';

export const GUILD = '900000000000000001';
export const CHANNEL = '900000000000000002';
export const BOT_ID = '900000000000000003';
export const EPHEMERAL = 64;
/** "Do not include any embeds when serializing this message" (…/docs/resources/message#message-object-message-flags). */
const SUPPRESS_EMBEDS = 4;

export interface StandInMessage extends StandInContent {
  readonly id: string;
  readonly channelId: string;
  readonly flags: number;
  readonly nonce: string | null;
  readonly repliesTo: string | null;
}

export const dmOf = (userId: string) => `8${userId.slice(1)}`;

export const ok = (body: unknown) => ({ status: 200, body });
export const unknownMessage = () => ({ status: 404, body: { code: 10_008, message: 'Unknown Message' } });
export const invalid = (problem: string) => ({
  status: 400,
  body: {
    code: 50_035,
    message: 'Invalid Form Body',
    errors: { _errors: [{ code: 'INVALID', message: problem }] },
  },
});

export function send(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) return void response.writeHead(status).end();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function contentOf(body: Record<string, unknown>, before?: StandInContent): StandInContent {
  return {
    content: String(body['content'] ?? before?.content ?? ''),
    components: (body['components'] ?? before?.components ?? []) as StandInContent['components'],
    pictures: picturesOf(body) ?? before?.pictures ?? [],
  };
}

/** Null: the body changes none. */
function picturesOf({ flags = 0, embeds }: Record<string, unknown>): readonly string[] | null {
  if ((Number(flags) & SUPPRESS_EMBEDS) !== 0) return [];
  const given = embeds as readonly { readonly image?: { readonly url: string } }[] | undefined;
  return given?.flatMap(({ image }) => (image === undefined ? [] : [image.url])) ?? null;
}

export function wire({ id, channelId, content, components, pictures, flags }: StandInMessage): object {
  return {
    ...{ id, content, components, flags, channel_id: channelId, type: 0, author: botUser() },
    ...{ timestamp: '2026-01-01T00:00:00Z', edited_timestamp: null, tts: false, pinned: false },
    ...{ mention_everyone: false, mentions: [], mention_roles: [], attachments: [] },
    embeds: pictures.map((url) => ({ type: 'rich', image: { url } })),
  };
}

export function userOf({ id, name }: { id: string; name: string }) {
  return { id, username: name, discriminator: '0', avatar: null, global_name: name };
}

export function botUser() {
  return { id: BOT_ID, username: 'tipoff', discriminator: '0', avatar: null, bot: true, global_name: null };
}

export function guild(): object {
  return {
    ...{ id: GUILD, name: 'Tipoff', owner_id: '900000000000000009', member_count: 1 },
    roles: [{ id: OPERATOR_ROLE, name: 'operator', permissions: '0', colors: { primary_color: 0 } }],
    channels: [{ id: CHANNEL, type: 0, name: 'alerts', position: 0, permission_overwrites: [] }],
    joined_at: '2026-01-01T00:00:00Z',
    ...{ emojis: [], stickers: [], features: [], members: [], threads: [] },
  };
}

export const BOT_ROLE = '900000000000000008';
export const OPERATOR_ROLE = '900000000000000007';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** Instead of the answer. `hang` never answers; `after` does what was asked first, so that only the answer is lost. */
export interface Fault {
  readonly status?: number;
  readonly code?: number;
  readonly retryAfter?: number;
  readonly hang?: true;
  readonly after?: true;
}

export type Outcome =
  | { readonly kind: 'message'; readonly message: StandInMessage }
  | { readonly kind: 'form'; readonly form: { custom_id: string; components: unknown[] } };

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly on: StandInMessage | null;
  readonly outcome: Promise<Outcome>;
}

export interface Open {
  on: StandInMessage | null;
  deferred: number | null;
  flags: number;
  originalId: string | null;
  settle(outcome: Outcome): void;
}

export type Member = 'member' | 'not_member' | 'error';

/** What a bot sees of its server (discord.com/developers/docs/topics/permissions). */
export interface StandInServer {
  role: bigint;
  overwrites: readonly { id: string; type: 0 | 1; allow: string; deny: string }[];
  /** Error code of Discord for the channel; null: it answers. */
  channelError: number | null;
  channelType: number;
  channelGuild: string;
  /** Flags of the application (discord.com/developers/docs/resources/application#application-flags). */
  flags: number;
  /** Of the application, on the profile of its bot. */
  description: string;
}

export interface InteractOptions {
  readonly type: number;
  readonly data: object;
  readonly on?: StandInMessage | null;
  readonly place?: 'guild' | 'dm';
}

interface InteractionFacts extends Required<Omit<InteractOptions, 'on'>> {
  readonly id: string;
  readonly token: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly roles: readonly string[];
  readonly on: StandInMessage | null;
}

/** An interaction as the gateway brings it (discord.com/developers/docs/interactions/receiving-and-responding). */
export function interactionEvent({ person, roles, on, place, ...fields }: InteractionFacts): object {
  const user = userOf(person);
  const guildFacts = {
    guild_id: GUILD,
    channel_id: CHANNEL,
    channel: { id: CHANNEL, type: 0, guild_id: GUILD },
    member: { user, roles, joined_at: '2026-01-01T00:00:00Z', permissions: '0', flags: 0 },
  };
  const dmFacts = { channel_id: dmOf(person.id), channel: { id: dmOf(person.id), type: 1 }, user };
  return {
    ...fields,
    application_id: BOT_ID,
    version: 1,
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: {},
    app_permissions: '0',
    ...(place === 'dm' ? dmFacts : guildFacts),
    ...(on === null ? {} : { message: wire(on) }),
  };
}
