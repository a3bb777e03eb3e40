import { setImmediate } from 'node:timers/promises';
import { createConsolePosts } from '../../bots/admin/console-posts.ts';
import { OperatorConsole } from '../../bots/admin/operator-console.ts';
import type { AdminConsole } from '../../bots/shared/admin-console.ts';
import type { BotStatus, ChatBot } from '../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import { createLeakGuard } from '../../bots/shared/create-leak-guard.ts';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import { TokenWatch, type WatchedBot } from '../../bots/shared/token-watch.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { chatGaps } from '../config/chat-settings.ts';
import { scheduledAlerts } from '../core/archive/archive-scheduler.ts';
import { untilAborted } from '../core/async/until-aborted.ts';
import { ChannelPosts } from '../core/chat/channel-posts.ts';
import { ChatEngine } from '../core/chat/chat-engine.ts';
import { type BotName, CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { withMessageMetrics } from '../core/chat/message-metrics.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import { holdLease, lostInTime } from '../core/lease/lease.ts';
import { ledgerEnd } from '../core/ledger/follower.ts';
import { JOB_NAMES } from '../core/operations/job-names.ts';
import { secureRandom } from '../infra/key-crypto.ts';
import { isOwnerGone } from '../infra/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { operatorsOf, platformsOf, postRulesOf } from './channels.ts';
import { wireConversation } from './conversation.ts';
import type { BotHandlers, OpenedPlatform } from './platform.ts';

const RETRY_MS = 1_000;

type Messengers = Partial<Record<Channel, Messenger<Screen>>>;
/** What sends to people and channels, and to the operator where they have a bot of their own. */
interface Senders {
  readonly messengers: Messengers;
  readonly operatorMessengers: Messengers;
}
type Platforms = Partial<Record<Channel, OpenedPlatform>>;

/** The chat bots and what they send. A token has one poller, so that one process at a time has them. */
export interface Bots {
  /** Until the signal aborts. `address`: where this process listens; null when it does not. */
  run(signal: AbortSignal, address: string | null): Promise<void>;
  /** Whether this process does nothing else. */
  readonly isOnlyRole: boolean;
  /** By bot; empty while another process has them. */
  status(): Readonly<Record<string, BotStatus>>;
}

/** Null without the role, and without a token. */
export function wireBots(context: AppContext, jobs: JobRunner | null): Bots | null {
  const { config, clock, logger, database, owner } = context;
  if (!config.roles.includes('bots')) return null;
  for (const gap of chatGaps(config.chat)) logger.warn({}, gap);
  const { telegram, discord } = config.chat;
  if (telegram.token === null && telegram.adminToken === null && discord.token === null) {
    logger.info({}, 'the bots are off: neither TELEGRAM_BOT_TOKEN nor DISCORD_TOKEN is set');
    return null;
  }
  const tokens = new TokenWatch({ ...context, operators: operatorsOf(config.chat), outbox: database.chat });
  let bots: Readonly<Record<string, ChatBot>> = {};
  let isStandby = false;
  let isFailing = false;
  const states = () => Object.entries(bots).map(([name, bot]) => [name, bot.status()] as const);
  context.metrics.watchBots(() =>
    Object.fromEntries(states().map(([name, { state }]) => [name, state === 'running'])),
  );
  const lease = {
    store: lostInTime(database.lease('bots'), clock),
    clock,
    logger,
    owner,
    isGone: isOwnerGone,
  };

  async function work(signal: AbortSignal, address: string | null): Promise<void> {
    const open = await openChat(context, jobs, { signal, address });
    bots = open.bots;
    isStandby = false;
    logger.info({ bots: Object.keys(bots) }, 'the bots are on');
    try {
      await open.start();
      isFailing = false;
      // Not awaited: an outbox that does not answer must not hold up the end.
      void tokens.run(open.watched, signal);
      await untilAborted(signal);
    } finally {
      bots = {};
      await open.close();
    }
  }

  return {
    async run(signal, address) {
      while (!signal.aborted) {
        const outcome = await holdLease(lease, signal, (_, held) => work(held, address)).catch(
          (error: unknown) => {
            if (!isFailing) logger.error({ err: error }, 'the bots failed; trying again');
            isFailing = true;
            return 'failed' as const;
          },
        );
        if (outcome === 'refused' && !isStandby) logger.info({}, 'another process has the bots; standing by');
        isStandby = outcome === 'refused';
        await clock.sleep(RETRY_MS, signal);
      }
    },
    isOnlyRole: config.roles.every((role) => role === 'bots'),
    status: () => Object.fromEntries(states()),
  };
}

/** Their libraries take a second to load: only those that are used are. */
async function openPlatforms(context: AppContext): Promise<Platforms> {
  const { telegram, discord } = context.config.chat;
  const platforms: Platforms = {};
  if (telegram.token !== null || telegram.adminToken !== null)
    platforms.telegram = (await import('./telegram.ts')).openTelegram(context);
  if (discord.token !== null)
    platforms.discord = (await import('./discord.ts')).openDiscord(context, discord.token);
  return platforms;
}

async function openChat(
  context: AppContext,
  jobs: JobRunner | null,
  { signal, address }: { readonly signal: AbortSignal; readonly address: string | null },
) {
  const { database, customers, clock, logger, config } = context;
  const platforms = await openPlatforms(context);
  // Filled as the bots are made, who need the console, which takes posts back.
  const senders: Senders = { messengers: {}, operatorMessengers: {} };
  const handlers = {
    conversation: conversationOf(context, platforms, address),
    console: wireConsole(context, { jobs, messengers: senders.messengers, signal }),
    leakGuard: createLeakGuard({ customers, outbox: database.chat, clock, logger }),
  };
  const { bots, watched } = openBots(platforms, handlers, senders);
  const engine = wireEngine(context, senders);
  const posts = new ChannelPosts({
    clock,
    logger,
    feed: context.feed,
    store: database.chat,
    alerts: database.alerts,
    resolutions: database.resolutions,
    rules: postRulesOf(config),
    wake: engine.wake,
  });
  return {
    bots,
    watched,
    async start() {
      await posts.start((await ledgerEnd(database)).id);
      engine.start();
      await Promise.all(Object.values(bots).map((bot) => bot.start()));
    },
    async close() {
      await posts.close();
      await Promise.all([engine.close(), ...Object.values(bots).map((bot) => bot.close())]);
    },
  };
}

/** Makes the bots of all platforms, and notes what sends there. */
function openBots(platforms: Platforms, handlers: BotHandlers, { messengers, operatorMessengers }: Senders) {
  const bots: Record<string, ChatBot> = {};
  const watched: WatchedBot[] = [];
  for (const platform of CHANNELS) {
    const opened = platforms[platform]?.open(handlers);
    if (opened === undefined) continue;
    Object.assign(bots, opened.bots);
    for (const [name, { status }] of Object.entries(opened.bots))
      watched.push({ name: name as BotName, platform, status });
    if (opened.messenger !== null) messengers[platform] = opened.messenger;
    if (opened.operatorMessenger !== null) operatorMessengers[platform] = opened.operatorMessenger;
  }
  return { bots, watched };
}

function conversationOf(context: AppContext, platforms: Platforms, address: string | null): Conversation {
  const { config } = context;
  const communities = Object.fromEntries(
    CHANNELS.flatMap((channel) => {
      const community = platforms[channel]?.community ?? null;
      return community === null ? [] : [[channel, community] as const];
    }),
  );
  return wireConversation({
    ...context,
    communities,
    publicUrl: config.server.publicUrl ?? address ?? `http://localhost:${config.server.port}`,
    freeDelayMs: config.freeDelayMs,
  });
}

function wireEngine(context: AppContext, senders: Senders) {
  const { database, clock, config, customers, logger, owner, pauseFlags, metrics } = context;
  const { delayMs, postsPerHour } = postRulesOf(config);
  return new ChatEngine<Screen>({
    store: withMessageMetrics(database.chat, metrics.metrics),
    customers,
    keys: database.keys,
    messengers: senders.messengers,
    operatorMessengers: senders.operatorMessengers,
    present: createPresenter({ ...database, channelDelayMs: delayMs, clock }),
    isPaused: pauseFlags.isPaused,
    postsPerHour,
    owner,
    isGone: isOwnerGone,
    clock,
    logger,
    yieldToLoop: setImmediate,
    random: Math.random,
  });
}

function wireConsole(
  context: AppContext,
  parts: {
    readonly jobs: JobRunner | null;
    readonly messengers: Messengers;
    readonly signal: AbortSignal;
  },
): AdminConsole {
  const { config, database, archive, customers, clock } = context;
  const { jobs, messengers, signal } = parts;
  const alerts = scheduledAlerts(database.alerts, archive.own);
  return new OperatorConsole({
    ...database,
    ...context,
    alerts,
    adminIds: config.chat.adminIds,
    reads: database.operatorReads,
    posts: createConsolePosts({
      store: database.chat,
      alerts,
      customers,
      messengers,
      platforms: platformsOf(config.chat),
      clock,
      signal,
    }),
    outbox: database.chat,
    jobs: { names: JOB_NAMES, latest: database.jobRuns.latest, run: jobs?.run ?? null },
    random: secureRandom,
  });
}
