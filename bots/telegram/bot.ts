import { createHmac } from 'node:crypto';
import { sequentialize } from '@grammyjs/runner';
import { Bot } from 'grammy';
import type { BotCommand, Update } from 'grammy/types';
import { untilAborted } from '../../src/core/async/until-aborted.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { AdminConsole } from '../shared/admin-console.ts';
import type { ChatBot } from '../shared/chat-bot.ts';
import type { ChatCommand, Conversation } from '../shared/conversation.ts';
import type { LeakGuard } from '../shared/leak-guard.ts';
import type { TelegramChannel } from './channel.ts';
import { logged } from './errors.ts';
import { createExpiringMessages } from './expiring-messages.ts';
import { createGroupHandler } from './group-handler.ts';
import { createInbox } from './inbox.ts';
import type { TelegramLink } from './link.ts';
import { createTelegramMessenger } from './messenger.ts';
import { createMoveHandler } from './move-handler.ts';
import { createOutageTracker, type OutageTracker } from './outage-tracker.ts';
import { createPacer } from './pacer.ts';
import { poll, UPDATES } from './polling.ts';
import type { WebhookListener } from './webhook.ts';

export interface TelegramBotDeps {
  readonly link: TelegramLink;
  /** The setting the token is from, for the log. */
  readonly setting: 'TELEGRAM_BOT_TOKEN' | 'TELEGRAM_ADMIN_BOT_TOKEN';
  readonly conversation: Conversation;
  /** Null: this bot takes no commands of the operator. */
  readonly console: AdminConsole | null;
  /** People of Telegram who get the operator's commands in their menu. */
  readonly adminIds: readonly string[];
  readonly channel: TelegramChannel | null;
  /** Null: nothing is removed from the channel by this bot. */
  readonly leakGuard: LeakGuard | null;
  /** Null: Telegram is polled. */
  readonly webhook: { readonly url: string; readonly listener: WebhookListener } | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

type ApiSignal = Parameters<TelegramLink['api']['getMe']>[0];

/** One bot on one token. Who has two bots makes two. Closed for good. */
export function createTelegramBot(deps: TelegramBotDeps): ChatBot {
  const { link, channel, clock, logger } = deps;
  const pacer = createPacer(clock);
  const outageTracker = createOutageTracker({ clock, logger, setting: deps.setting });
  const bot = new Bot(link.token, { client: link.client });
  bot.api.config.use(...link.retryLimits);
  const expiring = createExpiringMessages({
    clock,
    logger,
    remove: (chat, message) => bot.api.deleteMessage(chat, message),
  });
  bot.use(sequentialize((ctx) => String(ctx.chat?.id ?? ctx.from?.id ?? '')));
  bot.use(createMoveHandler({ ...deps, expiring, acknowledge: (id) => link.api.answerCallbackQuery(id) }));
  bot.use(
    createGroupHandler({
      ...deps,
      commands: new Set(deps.conversation.commands.map(({ name }) => name)),
      pacer,
    }),
  );
  const inbox = createInbox(async (update) => {
    await bot.handleUpdate(update).catch(({ error }: { readonly error: unknown }) => {
      logger.error({ update: update.update_id, ...logged(error) }, 'an update of Telegram was not answered');
    });
  });
  const closing = new AbortController();
  let life: Promise<void> = Promise.resolve();
  let closed: Promise<void> | null = null;

  async function live(signal: AbortSignal): Promise<void> {
    bot.botInfo = await outageTracker.retry(() => link.api.getMe(signal as ApiSignal), signal);
    void setMenus(deps);
    if (deps.webhook === null) {
      await outageTracker.retry(() => link.api.deleteWebhook({}, signal as ApiSignal), signal);
      await poll({ link, outageTracker, take: inbox.take, signal });
    } else {
      await receive(deps, { outages: outageTracker, take: inbox.take, signal });
    }
  }

  async function end(): Promise<void> {
    outageTracker.end();
    closing.abort();
    await life;
    const timer = new AbortController();
    await Promise.race([inbox.drain(), clock.sleep(link.times.closeMs, timer.signal)]);
    timer.abort();
    expiring.close();
    link.close();
  }

  return {
    messenger: createTelegramMessenger({ link, channel, pacer, logger }),
    async start() {
      life = live(closing.signal).catch((error: unknown) => {
        if (closing.signal.aborted) return;
        logger.error(logged(error), 'the Telegram bot has ended');
      });
    },
    status: () => outageTracker.status(),
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/** Takes what Telegram brings, until the signal aborts. */
async function receive(
  { link, webhook }: TelegramBotDeps,
  to: {
    readonly outages: OutageTracker;
    readonly take: (update: Update) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  if (webhook === null) return;
  const { outages: outageTracker, take, signal } = to;
  const path = `/telegram/${link.token.split(':')[0]}`;
  const secret = createHmac('sha256', link.token).update('tipoff webhook').digest('hex');
  try {
    await outageTracker.retry(() => webhook.listener.add(path, { secret, take }), signal);
    const setting = { secret_token: secret, allowed_updates: UPDATES };
    await outageTracker.retry(
      () => link.api.setWebhook(webhook.url + path, setting, signal as ApiSignal),
      signal,
    );
    await untilAborted(signal);
  } finally {
    await webhook.listener.remove(path);
  }
}

/** What people see when they type `/`. Only a convenience: a failure is logged and nothing more. */
async function setMenus({ link, conversation, console, adminIds, logger }: TelegramBotDeps): Promise<void> {
  const forAll = conversation.commands.map(toBotCommand);
  // Of two with one name the console answers.
  const operators = (console?.commands ?? []).map(toBotCommand);
  const names = new Set(operators.map(({ command }) => command));
  const forAdmins = [...forAll.filter(({ command }) => !names.has(command)), ...operators];
  const noMenu = (error: unknown) => logger.warn(logged(error), 'Telegram did not take the menu of commands');
  await link.api.setMyCommands(forAll, { scope: { type: 'all_private_chats' } }).catch(noMenu);
  if (console === null) return;
  for (const id of adminIds) {
    await link.api.setMyCommands(forAdmins, { scope: { type: 'chat', chat_id: Number(id) } }).catch(noMenu);
  }
}

function toBotCommand({ name, description }: ChatCommand): BotCommand {
  return { command: name, description };
}
