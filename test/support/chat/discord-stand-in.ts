import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createStandInGateway, SESSION_ID } from './discord-gateway.ts';
import { DiscordMessages } from './discord-messages.ts';
import { bodyProblem } from './discord-rules.ts';
import { DiscordServer } from './discord-server.ts';
import {
  BOT_ID,
  botUser,
  type Call,
  CHANNEL,
  dmOf,
  type Fault,
  GUILD,
  guild,
  type Interaction,
  type InteractOptions,
  interactionEvent,
  invalid,
  type Member,
  type Open,
  type Outcome,
  ok,
  send,
  userOf,
  wire,
} from './discord-wire.ts';

type User = Parameters<typeof userOf>[0];

export const TOKEN = 'MTA0.token-for-tests.aaaabbbb';

export type DiscordStandIn = Awaited<ReturnType<typeof createDiscordStandIn>>;

export async function createDiscordStandIn() {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const calls: Call[] = [];
  const messages = new DiscordMessages();
  const community = new DiscordServer();
  const members = new Map<string, Member>();
  const roles = new Map<string, string[]>();
  const commands = { guild: [] as unknown[], global: [] as unknown[] };
  const open = new Map<string, Open>();
  const delivered = new Map<string, object>();
  const faults: { route: RegExp; fault: Fault; left: number }[] = [];
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
    const problem = bodyProblem(call.body);
    const refusal = problem === null ? community.answerTo(method, path, call.body) : invalid(problem);
    if (refusal !== null) return refusal;
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
      ([token, id], body) => messages.editOriginal(open.get(token ?? ''), id ?? '', body),
    ],
    [
      /^DELETE \/webhooks\/\d+\/(\S+)\/messages\/(\S+)$/,
      ([token, id]) => messages.deleteOriginal(open.get(token ?? ''), id ?? ''),
    ],
    [/^POST \/webhooks\/\d+\/(\S+)$/, ([token], body) => messages.followUp(open.get(token ?? ''), body)],
    [/^POST \/users\/@me\/channels$/, (_, body) => ok({ id: dmOf(String(body['recipient_id'])), type: 1 })],
    [/^POST \/channels\/(\d+)\/messages$/, ([channel], body) => messages.create(channel ?? '', body)],
    [/^PATCH \/channels\/(\d+)\/messages\/(\d+)$/, ([, id], body) => messages.edit(id ?? '', body)],
    [/^DELETE \/channels\/(\d+)\/messages\/(\d+)$/, ([, id]) => messages.delete(id ?? '')],
    [/^POST \/channels\/(\d+)\/invites$/, () => ok({ code: 'join-us', type: 0 })],
    [/^GET \/guilds\/\d+\/members\/(\d+)$/, ([id]) => member(id ?? '')],
  ];

  function store(scope: 'guild' | 'global', body: unknown) {
    const facts = { application_id: BOT_ID, version: '1', nsfw: false };
    commands[scope] = (body as object[]).map((command) => ({
      ...command,
      ...facts,
      id: messages.snowflake(),
    }));
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

  return {
    api: `http://127.0.0.1:${port}/api`,
    gateway,
    calls,
    server: community.state,
    messages: messages.all,
    ...{ members, roles, commands },
    snowflake: messages.snowflake,
    /** The next so many calls that match `METHOD /path` get the fault. */
    fault: (route: RegExp, fault: Fault, times = 1) => void faults.push({ route, fault, left: times }),
    interact(person: User, { type, data, on = null, place = 'guild' }: InteractOptions): Interaction {
      const id = messages.snowflake();
      const token = `interaction-token-${id}`;
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      open.set(token, { on, deferred: null, flags: 0, originalId: null, settle: resolve });
      const facts = { person, roles: roles.get(person.id) ?? [], type, data, on, place };
      const event = interactionEvent({ id, token, ...facts });
      delivered.set(id, event);
      gateway.dispatch('INTERACTION_CREATE', event);
      return { id, token, on, outcome: promise };
    },
    /** Delivers an interaction once more. */
    repeat: (id: string) => gateway.dispatch('INTERACTION_CREATE', delivered.get(id) ?? {}),
    /** A message of the person, in the server's channel or to the bot. `fields` are Discord's, beside the text. */
    write(
      person: User,
      text: string,
      place: 'guild' | 'dm' = 'guild',
      event = 'MESSAGE_CREATE',
      fields: object = {},
    ) {
      const id = messages.snowflake();
      const channelId = place === 'guild' ? CHANNEL : dmOf(person.id);
      const message = {
        ...{ id, channelId, content: text, components: [], pictures: [] },
        ...{ flags: 0, nonce: null, repliesTo: null },
      };
      messages.all.set(id, message);
      gateway.dispatch(event, {
        ...wire(message),
        ...fields,
        author: userOf(person),
        ...(place === 'guild' ? { guild_id: GUILD } : { channel_type: 1 }),
      });
      return id;
    },
    nextMessage: messages.next,
    async close() {
      gateway.close();
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
