import { type Client, Events, type REST } from 'discord.js';
import { withTimeout } from '../../src/core/async/with-timeout.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { AdminConsole } from '../shared/admin-console.ts';
import type { ChatBot } from '../shared/chat-bot.ts';
import type { Conversation } from '../shared/conversation.ts';
import type { LeakGuard } from '../shared/leak-guard.ts';
import type { Screen } from '../shared/screen.ts';
import { createExpiringMessages } from './expiring-messages.ts';
import { createGateway } from './gateway.ts';
import { createInteractionHandler } from './interaction-handler.ts';
import { createMessageHandler } from './message-handler.ts';
import { createMoveHandler } from './move-handler.ts';
import { keepRegistering } from './registration.ts';

const IN_HAND_MS = 5_000;

export interface DiscordBotDeps {
  readonly token: string;
  readonly apiRoot: string;
  readonly guildId: string | null;
  readonly rest: REST;
  readonly messenger: Messenger<Screen>;
  readonly conversation: Conversation;
  /** Null: there is no operator on Discord. */
  readonly console: AdminConsole | null;
  readonly leakGuard: LeakGuard;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The conversation on Discord: slash commands, buttons, menus and forms, answered where nobody else sees it. */
export function createDiscordBot(deps: DiscordBotDeps): ChatBot {
  const { rest, messenger, conversation, console, clock, logger } = deps;
  /** Nothing new is taken. */
  const closing = new AbortController();
  /** What is in hand ends. */
  const stop = new AbortController();
  const expiring = createExpiringMessages(clock);
  const moveHandler = createMoveHandler(deps);
  const interactions = createInteractionHandler({ moveHandler, expiring, logger });
  const messages = createMessageHandler({ ...deps, moveHandler, signal: stop.signal });
  const inHand = new Set<Promise<void>>();
  let isRegistering = false;
  let closed: Promise<void> | null = null;

  function take<Event>(handle: (event: Event) => Promise<void>): (event: Event) => void {
    return (event) => {
      if (closing.signal.aborted) return;
      const work = handle(event).finally(() => inHand.delete(work));
      inHand.add(work);
    };
  }

  function register(): void {
    if (isRegistering) return;
    isRegistering = true;
    const { commands } = conversation;
    void keepRegistering({ ...deps, commands, hasAdmin: console !== null, signal: closing.signal });
  }

  function attach(client: Client): void {
    client.on(Events.InteractionCreate, take(interactions));
    client.on(Events.MessageCreate, take(messages.created));
    client.on(Events.MessageUpdate, (_, message) => take(messages.updated)(message));
    client.on(Events.ClientReady, register);
  }

  const gateway = createGateway({ ...deps, readsMessages: deps.guildId !== null, attach });

  async function close(): Promise<void> {
    closing.abort();
    const done = Promise.allSettled(inHand);
    await withTimeout({ clock, timeoutMs: IN_HAND_MS }, done).catch(() => {});
    stop.abort();
    expiring.close();
    await gateway.close();
    rest.clearHandlerSweeper();
    rest.clearHashSweeper();
  }

  return {
    messenger,
    async start() {
      gateway.start();
    },
    status: gateway.status,
    close() {
      closed ??= close();
      return closed;
    },
  };
}
