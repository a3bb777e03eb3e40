import { setImmediate } from 'node:timers/promises';
import type { ChatBot, Community } from '../../bots/shared/chat-bot.ts';
import { createLeakGuard } from '../../bots/shared/create-leak-guard.ts';
import type { Screen } from '../../bots/shared/screen.ts';
import type { Visitor } from '../core/accounts/customers/customer.ts';
import { ledgerEnd } from '../core/alerts/ledger/feed.ts';
import { createChannelPosts } from '../core/chat/channel-posts.ts';
import { ChatEngine } from '../core/chat/chat-engine.ts';
import type { BotName, Channel } from '../core/chat/chat-message.ts';
import { ChatStore } from '../core/chat/chat-store.ts';
import type { Messenger } from '../core/chat/messenger.ts';
import type { Messengers } from '../core/chat/send-step.ts';
import { PersonalAlerts } from '../core/follow/personal-alerts.ts';
import { PersonalLists } from '../core/follow/personal-lists.ts';
import { processOwner } from '../infra/process/process-owner.ts';
import type { AppContext } from './app-context.ts';
import { serveConsole, wireConsole } from './console.ts';
import { wireConversation } from './conversation.ts';
import { wirePersonalChoice, wirePresenter } from './outbox.ts';
import type { OpenedPlatform } from './platform.ts';
import { hasBots, openPlatforms, postRulesOf } from './platforms.ts';

type Bots = Record<string, ChatBot>;

/** Opens bots, posts and outbox, not started; `address`: where this process listens, if it does. */
export async function openChat(
  context: AppContext,
  { signal, address }: { readonly signal: AbortSignal; readonly address: string },
) {
  const { database, customers, clock, logger, config } = context;
  const platforms = await openPlatforms(config, (driver) => driver.open(context));
  // Filled below: the bots need the conversation, which removes messages with keys.
  const bots: Bots = {};
  // Filled when the bots are made: they need the console, which needs the messengers to withdraw posts.
  const messengers: { -readonly [Name in keyof Messengers<Screen>]: Messenger<Screen> } = {};
  const removeFromChats = async (person: Visitor) => {
    // The names of a platform's bots begin with its own.
    const own = Object.entries(bots).filter(([name]) => name.startsWith(person.platform));
    await Promise.all(own.map(([, bot]) => bot.removeKeyMessages(person)));
  };
  const console = wireConsole(context, { messengers, removeFromChats, signal });
  const communities = communitiesOf(platforms);
  const handlers = {
    conversation: wireConversation(context, { communities, address, removeFromChats }),
    console,
    leakGuard: createLeakGuard({ customers, outbox: database.chat, clock, logger }),
  };
  for (const platform of Object.values(platforms))
    for (const [name, bot] of Object.entries(platform.open(handlers))) {
      bots[name] = bot;
      messengers[name as BotName] = bot.messenger;
    }
  const engine = wireEngine(context, messengers, (channel) => bots[channel]?.status().url ?? null);
  const readers = readersOf(context, engine.wake);
  return {
    bots,
    async start() {
      const { id } = await ledgerEnd(database);
      await Promise.all(readers.map((reader) => reader.start(id)));
      engine.start();
      await Promise.all(Object.values(bots).map((bot) => bot.start()));
      // Not awaited: a command that does not end must not delay the shutdown.
      void serveConsole(context, console, signal);
    },
    async close() {
      // At the same time: a database that does not answer keeps each of them for seconds.
      await Promise.all([...readers, engine, ...Object.values(bots)].map((part) => part.close()));
    },
  };
}

/** What fills the outbox. People follow alerts in the terminal, too, where there is no bot. */
function readersOf({ database, config, feed, clock, logger }: AppContext, wake: () => void) {
  const { chat, alerts, settlements, exits, followers, keys, customers, hiddenWallets } = database;
  const { freeDelayMs } = config;
  const ledger = { store: chat, alerts, settlements, exits, feed, clock, logger, wake };
  const personal = new PersonalAlerts({ ...ledger, followers, keys, customers, hiddenWallets, freeDelayMs });
  const lists = new PersonalLists({ chat, followers, clock, logger, wake, yieldToLoop: setImmediate });
  if (!hasBots(config.chat)) return [personal, lists];
  return [createChannelPosts({ ...ledger, rules: postRulesOf(config) }), personal, lists];
}

function communitiesOf(platforms: Partial<Record<Channel, OpenedPlatform>>) {
  const all = Object.entries(platforms).map(([channel, { community }]) => [channel, community] as const);
  return Object.fromEntries(all.filter((entry): entry is [string, Community] => entry[1] !== null));
}

function wireEngine(
  context: AppContext,
  messengers: Messengers<Screen>,
  profileUrlOf: (channel: Channel) => string | null,
) {
  const { database, clock, config, customers, logger, pauseFlags, metrics } = context;
  return new ChatEngine<Screen>({
    store: new ChatStore(database.documents, metrics.metrics.chatMessageEnded),
    customers,
    keys: database.keys,
    messengers,
    choice: wirePersonalChoice(context),
    present: wirePresenter(context, profileUrlOf),
    isPaused: pauseFlags.isPaused,
    postsPerDay: postRulesOf(config).postsPerDay,
    // Not that of the process: what an earlier engine of it has claimed may have been sent.
    owner: processOwner(),
    clock,
    logger,
    yieldToLoop: setImmediate,
    random: Math.random,
  });
}
