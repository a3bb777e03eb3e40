import { type Client, Events, type REST } from 'discord.js';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { retry } from '../../src/core/base/async/retry.ts';
import { endsWithin } from '../../src/core/base/async/with-timeout.ts';
import { HOUR_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import { type MissingItem, SetupWatch } from '../shared/bot-setup.ts';
import type { BotOptions, BotStatus, ChatBot } from '../shared/chat-bot.ts';
import type { LeakGuard } from '../shared/create-leak-guard.ts';
import { ContentNotice, Inbox } from '../shared/inbox.ts';
import { MoveHandler } from '../shared/move-handler.ts';
import type { Screen } from '../shared/screen.ts';
import { closeDiscordRest } from './discord-rest.ts';
import { WITHOUT_CONTENT } from './discord-setup.ts';
import { ExpiringMessages } from './expiring-messages.ts';
import { discordFields } from './failures.ts';
import { Gateway } from './gateway.ts';
import { InteractionHandler } from './interaction-handler.ts';
import { MessageHandler } from './message-handler.ts';
import { describeApplication, registerCommands } from './slash-commands.ts';

const CLOSE_MS = 5 * SECOND_MS;
const EXPIRING_MAX = 2_000;
const REGISTRATION_BACKOFF = { firstMs: 30 * SECOND_MS, mostMs: HOUR_MS };

export interface DiscordBotOptions extends BotOptions {
  readonly token: string;
  readonly apiRoot: string;
  readonly guildId: string | null;
  readonly rest: REST;
  readonly messenger: Messenger<Screen>;
  readonly leakGuard: LeakGuard;
}

/** The bot on Discord: slash commands, buttons, menus and forms, with answers that only their person sees. */
export class DiscordBot implements ChatBot {
  readonly messenger: Messenger<Screen>;
  readonly #options: DiscordBotOptions;
  readonly #expiring: ExpiringMessages;
  readonly #interactions: InteractionHandler;
  readonly #messages: MessageHandler;
  readonly #gateway: Gateway;
  readonly #setupWatch: SetupWatch | null;
  /** Aborted first: registers no more commands. */
  readonly #closing = new AbortController();
  /** Aborted last: ends the running events. */
  readonly #stop = new AbortController();
  readonly #inbox = new Inbox();
  #userId: string | null = null;
  #closed: Promise<void> | null = null;

  constructor(options: DiscordBotOptions) {
    this.#options = options;
    const { guildId, messenger, setup, clock, logger } = options;
    const moveHandler = new MoveHandler(options.conversation, options.console);
    this.messenger = messenger;
    this.#setupWatch = setup === undefined ? null : new SetupWatch({ setup, clock, logger });
    this.#expiring = new ExpiringMessages(clock, EXPIRING_MAX);
    this.#interactions = new InteractionHandler(moveHandler, this.#expiring, logger);
    const notice = new ContentNotice(clock);
    this.#messages = new MessageHandler({ ...options, moveHandler, notice, signal: this.#stop.signal });
    this.#gateway = new Gateway({ ...options, readsMessages: guildId !== null, attach: this.#attach });
  }

  async start(): Promise<void> {
    this.#gateway.start();
  }

  readonly status = (): BotStatus => ({
    ...this.#gateway.status,
    missing: this.#missing(),
    url: this.#userId === null ? null : `https://discord.com/users/${this.#userId}`,
  });

  removeKeyMessages({ userId }: Pick<Visitor, 'userId'>): Promise<void> {
    return this.#expiring.removeOf(userId);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  readonly #attach = (client: Client): void => {
    const { take } = this.#inbox;
    client.on(Events.InteractionCreate, (event) => take(event.id, () => this.#interactions.handle(event)));
    client.on(Events.MessageCreate, (message) =>
      take(message.id, () => this.#messages.handle(message, true)),
    );
    client.on(Events.MessageUpdate, (_, message) => take(null, () => this.#messages.handle(message, false)));
    client.on(Events.ClientReady, ({ user }) => {
      const isFirst = this.#userId === null;
      this.#userId = user.id;
      if (!isFirst) return;
      void this.#setupWatch?.run(this.#closing.signal);
      void this.#keepRegistering();
    });
  };

  /** A connection that was opened without the intent stays so, also when the intent is switched on later. */
  #missing(): readonly MissingItem[] {
    const missing = this.#setupWatch?.missing ?? [];
    const isNamed = missing.some(({ name }) => name === WITHOUT_CONTENT.name);
    return this.#gateway.isContentRefused && !isNamed ? [...missing, WITHOUT_CONTENT] : missing;
  }

  /** Registers the commands, with retries until it has succeeded once; until then the former ones stay. Never throws. */
  async #keepRegistering(): Promise<void> {
    const { rest, guildId, conversation, console, clock, logger } = this.#options;
    const commands = { rest, guildId, commands: conversation.commands, hasAdmin: console !== null };
    const register = async () => {
      const registered = await registerCommands(commands);
      await describeApplication(rest);
      if (registered.written > 0)
        logger.info({ commands: registered.commands }, 'commands registered with Discord');
    };
    const message = 'registration of the Discord commands failed; retrying';
    await retry(register, {
      clock,
      signal: this.#closing.signal,
      backoff: REGISTRATION_BACKOFF,
      failures: new FailureLog(logger, message, discordFields),
      // It fails only when the bot is closed.
    }).catch(() => {});
  }

  async #close(): Promise<void> {
    const { rest, clock, logger } = this.#options;
    this.#closing.abort();
    if (!(await endsWithin({ clock, timeoutMs: CLOSE_MS }, this.#inbox.drain())))
      logger.warn({}, 'Discord events are not answered at the end');
    this.#stop.abort();
    this.#expiring.close();
    await this.#gateway.close();
    closeDiscordRest(rest);
  }
}
