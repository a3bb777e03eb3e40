import { type Client, DiscordjsError, DiscordjsErrorCodes, Events, GatewayCloseCodes } from 'discord.js';
import { backoffMs, withoutJitter } from '../../src/core/async/backoff.ts';
import { untilAborted } from '../../src/core/async/until-aborted.ts';
import type { Clock } from '../../src/core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { BotStatus } from '../shared/chat-bot.ts';
import { refusedWaitMs } from '../shared/refused-token.ts';
import { createDiscordClient } from './discord-client.ts';
import { describeFailure } from './failures.ts';
import { createShardEnd } from './shard-end.ts';

/** Discord takes 1,000 logins a day: one every five minutes leaves most of them. */
const BACKOFF = { firstMs: SECOND_MS, mostMs: 5 * MINUTE_MS };

export interface GatewayDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly readsMessages: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Puts listeners on a new client. */
  attach(client: Client): void;
}

/** Why a connection ended that discord.js does not mend. */
interface Ending {
  readonly reason: 'refused' | 'content_refused' | 'failed' | 'closed';
  readonly detail: string;
}

/** The connection to Discord's gateway: a client, and a new one when it cannot go on. */
export interface Gateway {
  start(): void;
  status(): BotStatus;
  close(): Promise<void>;
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { clock, logger } = deps;
  const stop = new AbortController();
  let status: BotStatus = { state: 'starting', detail: null };
  let running: Promise<void> = Promise.resolve();
  let tries = { failed: 0, refused: 0 };

  const stand = (state: BotStatus['state'], detail: string | null) => {
    if (!stop.signal.aborted) status = { state, detail };
  };
  const isRunning = () => {
    if (tries.refused > 0) logger.info({}, 'Discord takes DISCORD_TOKEN again');
    tries = { failed: 0, refused: 0 };
    stand('running', null);
  };
  const isFailing = (detail: string) => stand('failing', detail);

  async function run(): Promise<void> {
    let { readsMessages } = deps;
    while (!stop.signal.aborted) {
      const ending = await connection({ ...deps, readsMessages, isRunning, isFailing, signal: stop.signal });
      if (ending.reason === 'closed') return;
      if (ending.reason === 'content_refused' && readsMessages) {
        readsMessages = false;
        logger.warn({}, CONTENT_REFUSED);
        continue;
      }
      const kind = ending.reason === 'refused' ? 'refused' : 'failed';
      tries[kind] += 1;
      stand(kind === 'refused' ? 'refused' : 'failing', ending.detail);
      const { level, words, waitAfter } = RETRIES[kind];
      const waitMs = waitAfter(tries[kind]);
      logger[level]({ reason: ending.detail, waitMs }, words);
      await clock.sleep(waitMs, stop.signal);
    }
  }

  return {
    start() {
      running = run();
    },
    status: () => status,
    async close() {
      status = { state: 'stopped', detail: null };
      stop.abort();
      await running;
    },
  };
}

/** By why a connection ended: what is logged, and how long to wait after so many such ends in a row. */
const RETRIES = {
  refused: {
    level: 'error',
    words: 'Discord does not take DISCORD_TOKEN; it is tried again',
    waitAfter: refusedWaitMs,
  },
  failed: {
    level: 'warn',
    words: 'no connection to Discord; tried again',
    waitAfter: (tries: number) => backoffMs(BACKOFF, tries, withoutJitter),
  },
} as const;

const CONTENT_REFUSED =
  'Discord does not let the bot read messages: keys pasted in the server stay there. Switch on the Message Content Intent of the bot in the Developer Portal';

interface Connection extends GatewayDeps {
  readonly signal: AbortSignal;
  isRunning(): void;
  isFailing(detail: string): void;
}

/** Lives as long as one client, which resumes and reconnects by itself. */
async function connection(deps: Connection): Promise<Ending> {
  const { logger, signal } = deps;
  const end = createShardEnd(deps.clock);
  const client = createDiscordClient({ ...deps, ws: { buildStrategy: end.buildStrategy } });
  const ended = Promise.withResolvers<Ending>();
  client.on(Events.ClientReady, deps.isRunning);
  client.on(Events.ShardReady, deps.isRunning);
  client.on(Events.ShardResume, deps.isRunning);
  client.on(Events.ShardReconnecting, () => deps.isFailing('the connection was lost'));
  client.on(Events.ShardDisconnect, ({ code }) => ended.resolve(endingOf(code)));
  client.on(Events.ShardError, (error) =>
    logger.warn({ reason: describeFailure(error) }, 'connection to Discord'),
  );
  client.on(Events.Error, (error) => logger.error({ reason: describeFailure(error) }, 'Discord client'));
  deps.attach(client);
  client.login(deps.token).catch((error: unknown) => ended.resolve(endingOfLogin(error)));
  void untilAborted(signal).then(() => ended.resolve({ reason: 'closed', detail: 'closed' }));
  try {
    return await ended.promise;
  } finally {
    await end.prepare();
    await client.destroy().catch(() => {});
    client.removeAllListeners();
    client.on(Events.Error, () => {});
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
