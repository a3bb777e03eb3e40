import { type Client, DiscordjsError, DiscordjsErrorCodes, Events, GatewayCloseCodes } from 'discord.js';
import { backoffMs, withoutJitter } from '../../src/core/async/backoff.ts';
import { retry } from '../../src/core/async/retry.ts';
import { untilAborted } from '../../src/core/async/until-aborted.ts';
import type { Clock } from '../../src/core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { BotStatus } from '../shared/chat-bot.ts';
import { refusedWaitMs } from '../shared/refused-token.ts';
import { createDiscordClient } from './discord-client.ts';
import { describeFailure } from './failures.ts';
import { createShardEnd } from './shard-end.ts';

/** Discord accepts 1,000 logins a day; one every five minutes stays far below. */
const BACKOFF = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };
const CONTENT_REFUSED =
  'Discord does not let the bot read messages: keys pasted in the server stay there. Switch on the Message Content Intent of the bot in the Developer Portal';

export interface GatewayOptions {
  readonly token: string;
  readonly apiRoot: string;
  /** Whether the bot reads the messages of its server. */
  readonly readsMessages: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Adds listeners to a new client. */
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
  #status: BotStatus = { state: 'starting', detail: null };
  #readsMessages: boolean;
  #running: Promise<void> = Promise.resolve();
  /** Endings in a row. */
  #endings = { failed: 0, refused: 0 };

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#readsMessages = options.readsMessages;
  }

  get status(): BotStatus {
    return this.#status;
  }

  start(): void {
    const { clock } = this.#options;
    const connect = async () => {
      const ending = await this.#connect();
      if (ending.reason !== 'closed') throw ending;
    };
    const backoff = (ending: unknown) => this.#waitAfter(ending as Ending);
    // Its last error at the end is the ending of the last connection.
    this.#running = retry(connect, { clock, signal: this.#stop.signal, backoff }).catch(() => {});
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
    if (reason === 'refused') {
      this.#endings.refused += 1;
      this.#setStatus('refused', detail);
      const waitMs = refusedWaitMs(this.#endings.refused);
      logger.error({ reason: detail, waitMs }, 'Discord refused DISCORD_TOKEN; retrying');
      return waitMs;
    }
    this.#endings.failed += 1;
    this.#setStatus('failing', detail);
    const waitMs = backoffMs(BACKOFF, this.#endings.failed, withoutJitter);
    logger.warn({ reason: detail, waitMs }, 'connection to Discord lost; retrying');
    return waitMs;
  }

  #setStatus(state: BotStatus['state'], detail: string | null): void {
    if (!this.#stop.signal.aborted) this.#status = { state, detail };
  }

  readonly #onReady = (): void => {
    if (this.#endings.refused > 0) this.#options.logger.info({}, 'Discord accepts DISCORD_TOKEN again');
    this.#endings = { failed: 0, refused: 0 };
    this.#setStatus('running', null);
  };

  /** Resolves at the end of one client, which resumes and reconnects automatically. */
  async #connect(): Promise<Ending> {
    const { token, apiRoot, clock, logger, attach } = this.#options;
    const end = createShardEnd(clock);
    const ws = { buildStrategy: end.buildStrategy };
    const client = createDiscordClient({ apiRoot, readsMessages: this.#readsMessages, ws });
    const ended = Promise.withResolvers<Ending>();
    for (const event of [Events.ClientReady, Events.ShardReady, Events.ShardResume] as const)
      client.on(event, this.#onReady);
    client.on(Events.ShardReconnecting, () => this.#setStatus('failing', 'the connection was lost'));
    client.on(Events.ShardDisconnect, ({ code }) => ended.resolve(endingOf(code)));
    client.on(Events.ShardError, (error) =>
      logger.warn({ reason: describeFailure(error) }, 'connection to Discord failed'),
    );
    client.on(Events.Error, (error) =>
      logger.error({ reason: describeFailure(error) }, 'Discord client failed'),
    );
    attach(client);
    client.login(token).catch((error: unknown) => ended.resolve(endingOfLogin(error)));
    void untilAborted(this.#stop.signal).then(() => ended.resolve({ reason: 'closed', detail: 'closed' }));
    try {
      return await ended.promise;
    } finally {
      await end.prepare();
      await client.destroy().catch(() => {});
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

function endingOfLogin(error: unknown): Ending {
  const isRefused = error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
  if (isRefused) return { reason: 'refused', detail: 'Discord answers 401: the token is not valid' };
  return { reason: 'failed', detail: describeFailure(error) };
}
