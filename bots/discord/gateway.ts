import {
  Client,
  type ClientOptions,
  DiscordjsError,
  DiscordjsErrorCodes,
  Events,
  GatewayCloseCodes,
  GatewayIntentBits,
  type IShardingStrategy,
  Options,
  Partials,
  type REST,
  SimpleShardingStrategy,
  type WebSocketOptions,
} from 'discord.js';
import { repeat, untilAborted } from '../../src/core/base/async/repeat.ts';
import { backoffMs, withoutJitter } from '../../src/core/base/async/retry.ts';
import { endsWithin } from '../../src/core/base/async/with-timeout.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type ConnectionStatus, refusedWaitMs } from '../shared/chat-bot.ts';
import { discordFields, discordReason } from './failures.ts';

/** Discord accepts 1,000 logins a day; one every five minutes stays far below. */
const BACKOFF = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };
const CONTENT_REFUSED =
  'Discord does not let the bot read messages: keys pasted in the server stay there. Switch on the Message Content Intent of the bot in the Developer Portal, and restart the service';

interface GatewayOptions {
  readonly token: string;
  readonly apiRoot: string;
  /** The answers to interactions take the same proxy. */
  readonly rest: Pick<REST, 'agent'>;
  readonly readsMessages: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly attach: (client: Client) => void;
}

/** Why a connection ended that discord.js does not restore. */
interface Ending {
  readonly reason: 'refused' | 'content_refused' | 'failed' | 'closed';
  readonly detail: string;
}

/** The connection to Discord's gateway, with a new client when the former one ended. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #stop = new AbortController();
  #status: ConnectionStatus = { state: 'starting', detail: null };
  #readsMessages: boolean;
  #running: Promise<void> = Promise.resolve();
  #endings = { failed: 0, refused: 0 };

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#readsMessages = options.readsMessages;
  }

  /** Whether Discord refused the Message Content intent to this process. */
  get isContentRefused(): boolean {
    return this.#options.readsMessages && !this.#readsMessages;
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  start(): void {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    let waitMs = 0;
    const connect = async () => {
      const ending = await this.#connect().catch(endingOfError);
      if (!signal.aborted) waitMs = this.#waitAfter(ending);
    };
    this.#running = repeat(connect, { clock, signal, intervalMs: () => waitMs });
  }

  async close(): Promise<void> {
    this.#status = { state: 'stopped', detail: null };
    this.#stop.abort();
    await this.#running;
  }

  /** Logs an ending; returns the pause before the next connection. */
  #waitAfter({ reason, detail }: Ending): number {
    const { logger } = this.#options;
    if (reason === 'content_refused' && this.#readsMessages) {
      this.#readsMessages = false;
      logger.warn({}, CONTENT_REFUSED);
      return 0;
    }
    const isRefused = reason === 'refused';
    const count = isRefused ? ++this.#endings.refused : ++this.#endings.failed;
    const waitMs = isRefused ? refusedWaitMs(count) : backoffMs(BACKOFF, count, withoutJitter);
    this.#setStatus(isRefused ? 'refused' : 'failing', detail);
    const fields = { reason: detail, waitMs };
    if (isRefused) logger.error(fields, 'Discord refused DISCORD_TOKEN; retrying');
    else logger.warn(fields, 'connection to Discord lost; retrying');
    return waitMs;
  }

  #setStatus(state: ConnectionStatus['state'], detail: string | null): void {
    if (!this.#stop.signal.aborted) this.#status = { state, detail };
  }

  readonly #onReady = (): void => {
    if (this.#endings.refused > 0) this.#options.logger.info({}, 'Discord accepts DISCORD_TOKEN again');
    this.#endings = { failed: 0, refused: 0 };
    this.#setStatus('running', null);
  };

  /** Resolves at the end of one client, which resumes and reconnects automatically. Its later failures are dropped. */
  async #connect(): Promise<Ending> {
    const { token, clock, logger, attach } = this.#options;
    const end = new ShardEnd(clock);
    const ws = { buildStrategy: end.buildStrategy };
    const client = createDiscordClient(this.#options, this.#readsMessages, ws);
    const ended = Promise.withResolvers<Ending>();
    for (const event of [Events.ClientReady, Events.ShardReady, Events.ShardResume] as const)
      client.on(event, this.#onReady);
    client.on(Events.ShardReconnecting, () => this.#setStatus('failing', 'the connection was lost'));
    client.on(Events.ShardDisconnect, ({ code }) => ended.resolve(endingOf(code)));
    client.on(Events.ShardError, (error) =>
      logger.warn(discordFields(error), 'connection to Discord failed'),
    );
    client.on(Events.Error, (error) => logger.error(discordFields(error), 'Discord client failed'));
    attach(client);
    client.login(token).catch((error: unknown) => ended.resolve(endingOfError(error)));
    void untilAborted(this.#stop.signal).then(() => ended.resolve({ reason: 'closed', detail: 'closed' }));
    try {
      return await ended.promise;
    } finally {
      await end.prepare();
      await client.destroy().catch((error: unknown) => {
        logger.warn(discordFields(error), 'closing of a Discord connection failed');
      });
      client.removeAllListeners();
      client.on(Events.Error, () => {});
    }
  }
}

function endingOf(code: number): Ending {
  const detail = `Discord closed the connection: ${code} ${GatewayCloseCodes[code] ?? ''}`.trim();
  if (code === GatewayCloseCodes.AuthenticationFailed) return { reason: 'refused', detail };
  if (code === GatewayCloseCodes.DisallowedIntents) return { reason: 'content_refused', detail };
  return { reason: 'failed', detail };
}

function endingOfError(error: unknown): Ending {
  const isRefused = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
  if (isRefused) return { reason: 'refused', detail: 'Discord answers 401: the token is not valid' };
  return { reason: 'failed', detail: discordReason(error) };
}

const TIMEOUT_MS = 4_000;
const LONGEST_WAIT_MS = 10_000;
const GUILD_WAIT_MS = 2_000;

/** A client with small caches; its calls answer interactions, which do not count to the bot's limit. */
function createDiscordClient(
  { apiRoot: api, rest }: Pick<GatewayOptions, 'apiRoot' | 'rest'>,
  readsMessages: boolean,
  ws: NonNullable<ClientOptions['ws']>,
): Client {
  const { Guilds, DirectMessages, GuildMessages, MessageContent } = GatewayIntentBits;
  return new Client({
    intents: [Guilds, DirectMessages, ...(readsMessages ? [GuildMessages, MessageContent] : [])],
    partials: [Partials.Channel, Partials.Message],
    allowedMentions: { parse: [] },
    waitGuildTimeout: GUILD_WAIT_MS,
    makeCache: Options.cacheWithLimits({
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
      ThreadManager: 0,
      UserManager: { maxSize: 500, keepOverLimit: (user) => user.id === user.client.user.id },
      GuildMemberManager: { maxSize: 100, keepOverLimit: (member) => member.id === member.client.user.id },
    }),
    ws,
    rest: {
      api,
      agent: rest.agent,
      retries: 2,
      timeout: TIMEOUT_MS,
      globalRequestsPerSecond: 1_000,
      rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
    },
  });
}

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

const SETTLE_MS = 3_000;

/**
 * Ends the connection of a client completely. discord.js loses track of a connection that is destroyed while it opens: a
 * shard between two attempts continues, and a socket that opens later stays open. Therefore no new attempt begins (each
 * first asks for its session, and waits there), and the current one is awaited.
 */
class ShardEnd {
  readonly #clock: Pick<Clock, 'sleep'>;
  #isEnding = false;
  #opening: PromiseWithResolvers<void> | null = null;

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  readonly buildStrategy = (manager: Manager): IShardingStrategy => {
    const { retrieveSessionInfo } = manager.options;
    manager.options.retrieveSessionInfo = (shard) =>
      this.#isEnding ? new Promise<never>(() => {}) : retrieveSessionInfo(shard);
    manager.on('debug', ({ message }) => {
      if (message.startsWith('Connecting to')) this.#opening ??= Promise.withResolvers<void>();
    });
    for (const event of ['hello', 'closed'] as const) manager.on(event, () => this.#settle());
    return new SimpleShardingStrategy(manager);
  };

  async prepare(): Promise<void> {
    this.#isEnding = true;
    if (this.#opening === null) return;
    await endsWithin({ clock: this.#clock, timeoutMs: SETTLE_MS }, this.#opening.promise);
  }

  #settle(): void {
    this.#opening?.resolve();
    this.#opening = null;
  }
}
