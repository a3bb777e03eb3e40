import { Bot, type BotError, type Context } from 'grammy';
import type { Update } from 'grammy/types';
import type { Visitor } from '../../src/core/accounts/customers/customer.ts';
import { endsWithin } from '../../src/core/base/async/with-timeout.ts';
import type { ChatMetrics } from '../../src/core/chat/chat-store.ts';
import type { StoredKeyMessages } from '../../src/core/chat/key-messages.ts';
import type { Messenger } from '../../src/core/chat/messenger.ts';
import { SetupWatch } from '../shared/bot-setup.ts';
import type { BotOptions, BotStatus, ChatBot } from '../shared/chat-bot.ts';
import type { LeakGuard } from '../shared/create-leak-guard.ts';
import { Inbox } from '../shared/inbox.ts';
import type { Screen } from '../shared/screen.ts';
import { CommandMenus, describeBot } from './command-menus.ts';
import { telegramFields } from './failures.ts';
import { createGroupHandler } from './group-handler.ts';
import { KeyMessages } from './key-messages.ts';
import { type PaceLimits, Pacer } from './pacer.ts';
import { createPrivateChatHandler } from './private-chat-handler.ts';
import { OutageTracker, poll, receive } from './receiving.ts';
import type { TelegramChannel } from './telegram-community.ts';
import { type ApiSignal, pacedAnswers, type TelegramLink } from './telegram-link.ts';
import { TelegramMessenger } from './telegram-messenger.ts';
import { UpdateQueue } from './update-queue.ts';
import type { WebhookListener } from './webhook.ts';

interface TelegramBotOptions extends BotOptions {
  readonly link: TelegramLink;
  readonly setting: keyof typeof BOTS;
  readonly keyMessages: StoredKeyMessages;
  readonly adminIds: readonly string[];
  readonly channel: TelegramChannel | null;
  /** Null: this bot does not moderate the channel. */
  readonly leakGuard: LeakGuard | null;
  /** Null: updates are polled. */
  readonly webhook: { readonly url: string; readonly listener: WebhookListener } | null;
  readonly metrics: Pick<ChatMetrics, 'chatUpdateDropped'>;
  readonly limits?: PaceLimits;
}

const CLOSE_MS = 5_000;
const BOTS = { TELEGRAM_BOT_TOKEN: 'telegram', TELEGRAM_ADMIN_BOT_TOKEN: 'telegram_admin' } as const;

/** One bot for one token. Cannot be started again after `close`. */
export class TelegramBot implements ChatBot {
  readonly messenger: Messenger<Screen>;
  readonly #options: TelegramBotOptions;
  readonly #outageTracker: OutageTracker;
  readonly #keyMessages: KeyMessages;
  readonly #menus: CommandMenus;
  readonly #setupWatch: SetupWatch | null;
  readonly #bot: Bot;
  readonly #inbox = new Inbox();
  readonly #closing = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | null = null;

  constructor(options: TelegramBotOptions) {
    this.#options = options;
    const { link, setting, setup, channel, clock, logger } = options;
    const { api } = link;
    const pacer = new Pacer(options);
    this.messenger = new TelegramMessenger({ api, channel, pacer, logger });
    this.#outageTracker = new OutageTracker(options);
    const { keyMessages: store } = options;
    this.#keyMessages = new KeyMessages({ store, bot: BOTS[setting], api, clock, logger });
    this.#menus = new CommandMenus({ ...options, api });
    this.#setupWatch = setup === undefined ? null : new SetupWatch({ setup, clock, logger });
    const queue = new UpdateQueue({ ...options, signal: link.closing });
    this.#bot = new Bot(link.token, { client: link.client });
    this.#bot.api.config.use(link.attempt);
    this.#bot.on('callback_query', (ctx, next) => {
      void this.#acknowledge(ctx);
      return next();
    });
    this.#bot.use((ctx, next) => queue.run(ctx.chatId ?? ctx.from?.id ?? 0, next));
    this.#bot.use((ctx, next) => {
      ctx.api.config.use(pacedAnswers(link, pacer, clock));
      return next();
    });
    this.#bot.use(this.#menus.middleware);
    this.#bot.use(createPrivateChatHandler(options, this.#keyMessages));
    this.#bot.use(createGroupHandler({ ...options, api, pacer }));
  }

  async start(): Promise<void> {
    const { signal } = this.#closing;
    const running = this.#run(signal).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#options.logger.error(telegramFields(error), 'Telegram bot failed; it is stopped');
    });
    this.#running = Promise.all([running, this.#keyMessages.run(signal)]);
  }

  readonly status = (): BotStatus => ({
    ...this.#outageTracker.status,
    missing: this.#setupWatch?.missing ?? [],
    url: this.#bot.isInited() ? `https://t.me/${this.#bot.botInfo.username}` : null,
  });

  removeKeyMessages({ chat }: Pick<Visitor, 'chat'>): Promise<void> {
    return this.#keyMessages.removeInChat(chat);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { link, webhook, clock } = this.#options;
    const outageTracker = this.#outageTracker;
    const intake = { link, outageTracker, take: this.#take, signal, clock };
    this.#bot.botInfo = await outageTracker.retry(() => link.api.getMe(signal as ApiSignal), signal);
    void this.#menus.set();
    // The operator's bot is for people who know it.
    if (this.#options.setting === 'TELEGRAM_BOT_TOKEN') void describeBot(link.api, this.#options.logger);
    void this.#setupWatch?.run(signal);
    if (webhook !== null) return receive(intake, webhook);
    await outageTracker.retry(() => link.api.deleteWebhook({}, signal as ApiSignal), signal);
    await poll(intake);
  }

  /** Resolves when the update was handled, or dropped as a repetition. Never throws. */
  readonly #take = (update: Update): Promise<void> =>
    this.#inbox.take(String(update.update_id), () =>
      this.#bot.handleUpdate(update).catch(({ error }: BotError) => {
        // Counted in the log at the end.
        if (this.#options.link.closing.aborted) return;
        const fields = { update: update.update_id, ...telegramFields(error) };
        this.#options.logger.error(fields, 'Telegram update failed; not answered');
      }),
    );

  /** Ends the spinner of a tap, whose answer may have to wait. One attempt: the query may be too old, or answered before. */
  async #acknowledge(ctx: Context): Promise<void> {
    await ctx.answerCallbackQuery().catch((error: unknown) => {
      this.#options.logger.debug(telegramFields(error), 'acknowledgement of a tap failed');
    });
  }

  async #close(): Promise<void> {
    const { link, clock, logger } = this.#options;
    this.#outageTracker.end();
    this.#closing.abort();
    await this.#running;
    await endsWithin({ clock, timeoutMs: CLOSE_MS }, this.#inbox.drain());
    const updates = this.#inbox.running;
    if (updates > 0) logger.warn({ updates }, 'Telegram updates are not answered at the end');
    link.close();
  }
}
