import { setImmediate } from 'node:timers/promises';
import type { ChatBot } from '../../bots/shared/chat-bot.ts';
import type { Conversation } from '../../bots/shared/conversation.ts';
import { createLeakGuard } from '../../bots/shared/create-leak-guard.ts';
import { createPresenter } from '../../bots/shared/posts/create-presenter.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Handle } from '../core/accounts/customers/customer.ts';
import { ledgerEnd } from '../core/alerts/ledger/feed.ts';
import { ChannelPosts } from '../core/chat/channel-posts.ts';
import { ChatEngine } from '../core/chat/chat-engine.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { withMessageMetrics } from '../core/chat/chat-store.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import { PersonalAlerts } from '../core/follow/personal-alerts.ts';
import { PersonalLists } from '../core/follow/personal-lists.ts';
import { isOwnerGone } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { serveConsole, wireConsole } from './console.ts';
import { type RemoveFromChats, wireConversation } from './conversation.ts';
import { liveFeedOf } from './coverage.ts';
import { wireDestinations } from './destinations.ts';
import { wirePersonalChoice } from './personal-choice.ts';
import type { OpenedPlatform } from './platform.ts';
import { channelSiteUrl, hasBots, openPlatforms, postRulesOf } from './platforms.ts';
import { siteUrlOf, urlInChat } from './public-url.ts';

type Messengers = Partial<Record<Channel, Messenger<Screen>>>;
interface Senders {
  readonly messengers: Messengers;
  readonly operatorMessengers: Messengers;
}
type Platforms = Partial<Record<Channel, OpenedPlatform>>;
type Bots = Record<string, ChatBot>;
type Destinations = ReturnType<typeof wireDestinations>;

/** Opens bots, posts and outbox, not started; `address`: where this process listens, if it does. */
export async function openChat(
  context: AppContext,
  jobs: JobRunner | null,
  { signal, address }: { readonly signal: AbortSignal; readonly address: string | null },
) {
  const { database, customers, clock, logger, config } = context;
  const platforms = await openPlatforms(config.chat, (driver) => driver.open(context));
  // Filled below: the bots need the conversation, which removes messages with keys.
  const bots: Bots = {};
  const connected = wireDestinations(context);
  // Filled when the bots are made: they need the console, which needs the messengers to withdraw posts.
  const senders: Senders = { messengers: {}, operatorMessengers: {} };
  const removeFromChats = async (handle: Handle) => {
    // The names of a platform's bots begin with its own.
    const own = Object.entries(bots).filter(([name]) => name.startsWith(handle.platform));
    await Promise.all(own.map(([, bot]) => bot.removeKeyMessages(handle)));
  };
  const console = wireConsole(context, { jobs, messengers: senders.messengers, removeFromChats, signal });
  const handlers = {
    conversation: conversationOf(context, platforms, {
      ...{ removeFromChats, address },
      destinations: connected.destinations,
    }),
    console,
    leakGuard: createLeakGuard({ customers, outbox: database.chat, clock, logger }),
  };
  openBots(platforms, handlers, { senders, bots });
  const profileUrlOf = (channel: Channel) => bots[channel]?.profileUrl() ?? null;
  const engine = wireEngine(context, senders, { connect: connected.messenger, profileUrlOf });
  const readers = readersOf(context, engine.wake);
  return {
    bots,
    async start() {
      const { id } = await ledgerEnd(database);
      await Promise.all(readers.map((reader) => reader.start(id)));
      engine.start();
      await Promise.all(Object.values(bots).map((bot) => bot.start()));
      // Not awaited: a command that does not end must not delay the shutdown.
      if (hasBots(config.chat)) void serveConsole(context, { console, needs: 'bots', signal });
    },
    async close() {
      await Promise.all(readers.map((reader) => reader.close()));
      await Promise.all([engine.close(), ...Object.values(bots).map((bot) => bot.close())]);
      await connected.close();
    },
  };
}

/** What fills the outbox. People follow alerts where there is no bot, too: in the terminal, and at addresses of their own. */
function readersOf({ database, config, feed, clock, logger }: AppContext, wake: () => void) {
  const { chat, alerts, settlements, exits, followers, keys, customers, statements } = database;
  const { freeDelayMs } = config;
  const ledger = { store: chat, alerts, settlements, exits, feed, clock, logger, wake };
  const personal = new PersonalAlerts({ ...ledger, followers, keys, customers, statements, freeDelayMs });
  const lists = new PersonalLists({ chat, followers, clock, logger, wake, yieldToLoop: setImmediate });
  if (!hasBots(config.chat)) return [personal, lists];
  return [new ChannelPosts({ ...ledger, rules: postRulesOf(config) }), personal, lists];
}

function openBots(
  platforms: Platforms,
  handlers: Parameters<OpenedPlatform['open']>[0],
  { senders: { messengers, operatorMessengers }, bots }: { senders: Senders; bots: Bots },
): void {
  for (const platform of CHANNELS) {
    for (const [name, bot] of Object.entries(platforms[platform]?.open(handlers) ?? {})) {
      bots[name] = bot;
      const senders = name === platform ? messengers : operatorMessengers;
      senders[platform] = bot.messenger;
    }
  }
}

function conversationOf(
  context: AppContext,
  platforms: Platforms,
  {
    removeFromChats,
    address,
    destinations,
  }: { readonly removeFromChats: RemoveFromChats; readonly address: string | null } & Pick<
    Destinations,
    'destinations'
  >,
): Conversation {
  const { database, clock, logger, archive, customers, config } = context;
  const communities = Object.fromEntries(
    CHANNELS.flatMap((channel) => {
      const community = platforms[channel]?.community ?? null;
      return community === null ? [] : [[channel, community] as const];
    }),
  );
  return wireConversation({
    database,
    clock,
    archive,
    customers,
    communities,
    destinations,
    logger,
    publicUrl: urlInChat(config.server, address),
    siteUrl: siteUrlOf(config.server),
    contact: config.server.contact,
    freeDelayMs: config.freeDelayMs,
    removeFromChats,
    feed: liveFeedOf(context),
  });
}

function wireEngine(
  context: AppContext,
  senders: Senders,
  {
    connect,
    profileUrlOf,
  }: {
    readonly connect: Messenger<Screen>;
    readonly profileUrlOf: (channel: Channel) => string | null;
  },
) {
  const { database, clock, config, customers, logger, owner, pauseFlags, metrics, exits } = context;
  const { alerts, statements, log } = database;
  const { delayMs, postsPerDay } = postRulesOf(config);
  return new ChatEngine<Screen>({
    store: withMessageMetrics(database.chat, metrics.metrics),
    customers,
    keys: database.keys,
    messengers: senders.messengers,
    operatorMessengers: senders.operatorMessengers,
    personal: { choice: wirePersonalChoice(context), messengers: { ...senders.messengers, connect } },
    present: createPresenter({
      ...{ alerts, exits, statements, log, profileUrlOf, clock },
      messages: database.chat,
      channelDelayMs: delayMs,
      freeDelayMs: config.freeDelayMs,
      siteUrl: channelSiteUrl(config),
      pagesUrl: siteUrlOf(config.server),
      contact: config.server.contact,
    }),
    isPaused: pauseFlags.isPaused,
    postsPerDay,
    owner,
    isGone: isOwnerGone,
    clock,
    logger,
    yieldToLoop: setImmediate,
    random: Math.random,
  });
}
