import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStandInGateway, SESSION_ID, type StandInGateway } from './discord-gateway.ts';
import { problemOf, type StandInContent } from './discord-rules.ts';

export const GUILD = '900000000000000001';
export const CHANNEL = '900000000000000002';
export const BOT_ID = '900000000000000003';
export const TOKEN = 'MTA0.token-for-tests.aaaabbbb';
export const EPHEMERAL = 64;

/** A request the bot made. */
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

export interface StandInMessage extends StandInContent {
  readonly id: string;
  readonly channelId: string;
  readonly flags: number;
  readonly nonce: string | null;
  readonly repliesTo: string | null;
}

/** What came back for an interaction. */
export type Outcome =
  | { readonly kind: 'message'; readonly message: StandInMessage }
  | { readonly kind: 'form'; readonly form: { custom_id: string; components: unknown[] } };

export interface Interaction {
  readonly id: string;
  readonly token: string;
  /** The message its component is on. */
  readonly on: StandInMessage | null;
  readonly outcome: Promise<Outcome>;
}

interface Open {
  on: StandInMessage | null;
  deferred: number | null;
  flags: number;
  originalId: string | null;
  settle(outcome: Outcome): void;
}

type Member = 'member' | 'not_member' | 'error';

export interface DiscordStandIn {
  readonly api: string;
  readonly gateway: StandInGateway;
  readonly calls: Call[];
  readonly messages: Map<string, StandInMessage>;
  readonly members: Map<string, Member>;
  /** Roles that come with a person's interactions in the server. */
  readonly roles: Map<string, string[]>;
  /** Commands by route: `guild` and `global`. */
  readonly commands: { guild: unknown[]; global: unknown[] };
  /** The next so many calls that match `METHOD /path` get the fault. */
  fault(route: RegExp, fault: Fault, times?: number): void;
  /** Gives the bot an interaction. `data` is Discord's. */
  interact(person: { id: string; name: string }, options: InteractOptions): Interaction;
  /** Delivers an interaction once more. */
  repeat(id: string): void;
  /** A message of the person, in the server's channel or to the bot. */
  write(person: { id: string; name: string }, text: string, place?: 'guild' | 'dm', event?: string): string;
  /** Resolves with the next message in a channel. */
  nextMessage(channelId: string): Promise<StandInMessage>;
  snowflake(): string;
  close(): Promise<void>;
}

export interface InteractOptions {
  readonly type: number;
  readonly data: object;
  readonly on?: StandInMessage | null;
  readonly place?: 'guild' | 'dm';
}

export const dmOf = (userId: string) => `8${userId.slice(1)}`;

export async function createDiscordStandIn(): Promise<DiscordStandIn> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let lastId = 1_400_000_000_000_000_000n;
  function snowflake(): string {
    lastId += 1n;
    return String(lastId);
  }

  const calls: Call[] = [];
  const messages = new Map<string, StandInMessage>();
  const members = new Map<string, Member>();
  const roles = new Map<string, string[]>();
  const commands = { guild: [] as unknown[], global: [] as unknown[] };
  const open = new Map<string, Open>();
  const delivered = new Map<string, object>();
  const faults: { route: RegExp; fault: Fault; left: number }[] = [];
  const waiting: { channelId: string; tell: (message: StandInMessage) => void }[] = [];
  const hanging = new Set<ServerResponse>();

  const gateway = createStandInGateway({
    server,
    token: TOKEN,
    ready: () => ({
      d: {
        v: 10,
        user: botUser(),
        guilds: [{ id: GUILD, unavailable: true }],
        session_id: SESSION_ID,
        resume_gateway_url: `ws://127.0.0.1:${port}`,
        application: { id: BOT_ID, flags: 0 },
      },
      guild: guild(),
    }),
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname).replace('/api/v10', '');
    const method = request.method ?? 'GET';
    const call = { method, path, body: text === '' ? {} : JSON.parse(text) };
    calls.push(call);
    const entry = faults.find(({ route, left }) => left > 0 && route.test(`${method} ${path}`));
    if (entry !== undefined) entry.left -= 1;
    const fault = entry?.fault;
    if (fault !== undefined && fault.after !== true) return faulty(response, fault);
    const needsToken = !path.startsWith('/interactions/') && !path.startsWith('/webhooks/');
    const answer =
      needsToken && request.headers.authorization !== `Bot ${TOKEN}`
        ? { status: 401, body: { code: 0, message: '401: Unauthorized' } }
        : answerTo(call);
    if (fault !== undefined) return faulty(response, fault);
    send(response, answer.status, answer.body);
  }

  function faulty(response: ServerResponse, fault: Fault): void {
    if (fault.hang === true) return void hanging.add(response);
    const status = fault.status ?? 500;
    if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
    send(response, status, {
      code: fault.code ?? 0,
      message: `fault ${status}`,
      retry_after: fault.retryAfter,
    });
  }

  function answerTo(call: Call): { status: number; body?: unknown } {
    const { method, path } = call;
    for (const [route, act] of ROUTES) {
      const match = route.exec(`${method} ${path}`);
      if (match !== null) return act(match.slice(1), call.body);
    }
    return { status: 404, body: { code: 0, message: `404: ${method} ${path}` } };
  }

  const ROUTES: [
    RegExp,
    (ids: string[], body: Record<string, unknown>) => { status: number; body?: unknown },
  ][] = [
    [
      /^GET \/gateway\/bot$/,
      () =>
        ok({
          url: `ws://127.0.0.1:${port}`,
          shards: 1,
          session_start_limit: { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 },
        }),
    ],
    [/^GET \/users\/@me$/, () => ok(botUser())],
    [/^GET \/oauth2\/applications\/@me$/, () => ok({ id: BOT_ID, name: 'tipoff' })],
    [/^GET \/applications\/\d+\/commands$/, () => ok(commands.global)],
    [/^PUT \/applications\/\d+\/commands$/, (_, body) => store('global', body)],
    [/^GET \/applications\/\d+\/guilds\/\d+\/commands$/, () => ok(commands.guild)],
    [/^PUT \/applications\/\d+\/guilds\/\d+\/commands$/, (_, body) => store('guild', body)],
    [/^POST \/interactions\/(\d+)\/(\S+)\/callback$/, ([, token], body) => callback(token ?? '', body)],
    [
      /^PATCH \/webhooks\/\d+\/(\S+)\/messages\/(\S+)$/,
      ([token, id], body) => editOriginal(token ?? '', id ?? '', body),
    ],
    [
      /^DELETE \/webhooks\/\d+\/(\S+)\/messages\/(\S+)$/,
      ([token, id]) => deleteOriginal(token ?? '', id ?? ''),
    ],
    [/^POST \/webhooks\/\d+\/(\S+)$/, ([token], body) => followUp(token ?? '', body)],
    [/^POST \/users\/@me\/channels$/, (_, body) => ok({ id: dmOf(String(body['recipient_id'])), type: 1 })],
    [/^POST \/channels\/(\d+)\/messages$/, ([channel], body) => create(channel ?? '', body)],
    [/^PATCH \/channels\/(\d+)\/messages\/(\d+)$/, ([, id], body) => edit(id ?? '', body)],
    [
      /^DELETE \/channels\/(\d+)\/messages\/(\d+)$/,
      ([, id]) => (messages.delete(id ?? '') ? { status: 204 } : unknownMessage()),
    ],
    [/^POST \/channels\/(\d+)\/invites$/, () => ok({ code: 'join-us', type: 0 })],
    [/^GET \/guilds\/\d+\/members\/(\d+)$/, ([id]) => member(id ?? '')],
  ];

  function store(scope: 'guild' | 'global', body: unknown) {
    const facts = { application_id: BOT_ID, version: '1', nsfw: false };
    commands[scope] = (body as object[]).map((command) => ({ ...command, ...facts, id: snowflake() }));
    return ok(commands[scope]);
  }

  function member(id: string) {
    const state = members.get(id) ?? 'not_member';
    if (state === 'member') return ok({ user: { id }, roles: [] });
    if (state === 'error') return { status: 500, body: { code: 0, message: 'internal' } };
    return { status: 404, body: { code: 10_007, message: 'Unknown Member' } };
  }

  function callback(token: string, body: Record<string, unknown>) {
    const exchange = open.get(token);
    if (exchange === undefined)
      return { status: 404, body: { code: 10_062, message: 'Unknown interaction' } };
    if (exchange.deferred !== null) {
      return { status: 400, body: { code: 40_060, message: 'Interaction has already been acknowledged.' } };
    }
    const type = Number(body['type']);
    exchange.deferred = type;
    const data = (body['data'] ?? {}) as Record<string, unknown>;
    exchange.flags = Number(data['flags'] ?? 0);
    if (type === 9) exchange.settle({ kind: 'form', form: data as never });
    if (type === 6) exchange.originalId = exchange.on?.id ?? null;
    return { status: 204 };
  }

  function editOriginal(token: string, id: string, body: Record<string, unknown>) {
    const exchange = open.get(token);
    if (exchange === undefined) return { status: 404, body: { code: 10_015, message: 'Unknown Webhook' } };
    const target = id === '@original' ? exchange.originalId : id;
    const before = messages.get(target ?? '');
    const content = contentOf(body, before);
    const problem = problemOf(content);
    if (problem !== null) return invalid(problem);
    const message = {
      id: target ?? snowflake(),
      channelId: before?.channelId ?? CHANNEL,
      flags: before?.flags ?? exchange.flags,
      nonce: null,
      repliesTo: null,
      ...content,
    };
    exchange.originalId = message.id;
    messages.set(message.id, message);
    exchange.settle({ kind: 'message', message });
    return ok(wire(message));
  }

  /** A message of its own, after the acknowledgement. */
  function followUp(token: string, body: Record<string, unknown>) {
    const exchange = open.get(token);
    if (exchange === undefined || exchange.deferred === null)
      return { status: 404, body: { code: 10_015, message: 'Unknown Webhook' } };
    const content = contentOf(body);
    const problem = problemOf(content);
    if (problem !== null) return invalid(problem);
    const message = {
      id: snowflake(),
      channelId: exchange.on?.channelId ?? CHANNEL,
      flags: Number(body['flags'] ?? 0),
      nonce: null,
      repliesTo: null,
      ...content,
    };
    messages.set(message.id, message);
    exchange.settle({ kind: 'message', message });
    return ok(wire(message));
  }

  function deleteOriginal(token: string, id: string) {
    const target = id === '@original' ? (open.get(token)?.originalId ?? '') : id;
    return messages.delete(target) ? { status: 204 } : unknownMessage();
  }

  function create(channelId: string, body: Record<string, unknown>) {
    const content = contentOf(body);
    const problem = problemOf(content);
    if (problem !== null) return invalid(problem);
    const nonce = body['nonce'] === undefined ? null : String(body['nonce']);
    const same = [...messages.values()].find((known) => nonce !== null && known.nonce === nonce);
    if (same !== undefined && body['enforce_nonce'] === true) return ok(wire(same));
    const reference = body['message_reference'] as { message_id: string } | undefined;
    const message = {
      id: snowflake(),
      channelId,
      flags: 0,
      nonce,
      repliesTo: reference?.message_id ?? null,
      ...content,
    };
    messages.set(message.id, message);
    for (const entry of waiting.splice(0)) {
      if (entry.channelId === channelId) entry.tell(message);
      else waiting.push(entry);
    }
    return ok(wire(message));
  }

  function edit(id: string, body: Record<string, unknown>) {
    const before = messages.get(id);
    if (before === undefined) return unknownMessage();
    const content = contentOf(body, before);
    const problem = problemOf(content);
    if (problem !== null) return invalid(problem);
    const message = { ...before, ...content };
    messages.set(id, message);
    return ok(wire(message));
  }

  return {
    api: `http://127.0.0.1:${port}/api`,
    gateway,
    calls,
    messages,
    members,
    roles,
    commands,
    snowflake,
    fault: (route, fault, times = 1) => void faults.push({ route, fault, left: times }),
    interact(person, { type, data, on = null, place = 'guild' }) {
      const id = snowflake();
      const token = `interaction-token-${id}`;
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      open.set(token, { on, deferred: null, flags: 0, originalId: null, settle: resolve });
      const user = userOf(person);
      const guildFacts = {
        guild_id: GUILD,
        channel_id: CHANNEL,
        channel: { id: CHANNEL, type: 0, guild_id: GUILD },
        member: {
          user,
          roles: roles.get(person.id) ?? [],
          joined_at: '2026-01-01T00:00:00Z',
          permissions: '0',
          flags: 0,
        },
      };
      const dmFacts = { channel_id: dmOf(person.id), channel: { id: dmOf(person.id), type: 1 }, user };
      const event = {
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
        ...(place === 'guild' ? guildFacts : dmFacts),
        ...(on === null ? {} : { message: wire(on) }),
      };
      delivered.set(id, event);
      gateway.dispatch('INTERACTION_CREATE', event);
      return { id, token, on, outcome: promise };
    },
    repeat: (id) => gateway.dispatch('INTERACTION_CREATE', delivered.get(id) ?? {}),
    write(person, text, place = 'guild', event = 'MESSAGE_CREATE') {
      const id = snowflake();
      const channelId = place === 'guild' ? CHANNEL : dmOf(person.id);
      const message = {
        id,
        channelId,
        content: text,
        components: [],
        flags: 0,
        nonce: null,
        repliesTo: null,
      };
      messages.set(id, message);
      gateway.dispatch(event, {
        ...wire(message),
        author: userOf(person),
        ...(place === 'guild' ? { guild_id: GUILD } : { channel_type: 1 }),
      });
      return id;
    },
    nextMessage: (channelId) => new Promise((tell) => waiting.push({ channelId, tell })),
    async close() {
      gateway.close();
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ok = (body: unknown) => ({ status: 200, body });
const unknownMessage = () => ({ status: 404, body: { code: 10_008, message: 'Unknown Message' } });
const invalid = (problem: string) => ({
  status: 400,
  body: {
    code: 50_035,
    message: 'Invalid Form Body',
    errors: { _errors: [{ code: 'INVALID', message: problem }] },
  },
});

function send(response: ServerResponse, status: number, body: unknown): void {
  if (body === undefined) return void response.writeHead(status).end();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function contentOf(body: Record<string, unknown>, before?: StandInContent): StandInContent {
  return {
    content: String(body['content'] ?? before?.content ?? ''),
    components: (body['components'] ?? before?.components ?? []) as StandInContent['components'],
  };
}

function wire({ id, channelId, content, components, flags }: StandInMessage): object {
  return {
    id,
    channel_id: channelId,
    content,
    components,
    flags,
    type: 0,
    author: botUser(),
    timestamp: '2026-01-01T00:00:00Z',
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
  };
}

function userOf({ id, name }: { id: string; name: string }) {
  return { id, username: name, discriminator: '0', avatar: null, global_name: name };
}

function botUser() {
  return { id: BOT_ID, username: 'tipoff', discriminator: '0', avatar: null, bot: true, global_name: null };
}

function guild(): object {
  const arrays = [
    'emojis',
    'stickers',
    'features',
    'members',
    'threads',
    'presences',
    'voice_states',
    'stage_instances',
    'guild_scheduled_events',
    'soundboard_sounds',
  ];
  return {
    id: GUILD,
    name: 'Tipoff',
    owner_id: '900000000000000009',
    roles: ['900000000000000007'].map((id) => ({
      id,
      name: 'operator',
      color: 0,
      colors: { primary_color: 0 },
      permissions: '0',
      position: 1,
      hoist: false,
      managed: false,
      mentionable: false,
      flags: 0,
    })),
    channels: [{ id: CHANNEL, type: 0, name: 'alerts', position: 0, permission_overwrites: [] }],
    member_count: 1,
    joined_at: '2026-01-01T00:00:00Z',
    large: false,
    ...Object.fromEntries(arrays.map((name) => [name, []])),
  };
}

export const OPERATOR_ROLE = '900000000000000007';
