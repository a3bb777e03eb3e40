import { operatorOnlyConversation } from '../../bots/telegram/operator-only-conversation.ts';
import { Pacer } from '../../bots/telegram/pacer.ts';
import { TelegramBot } from '../../bots/telegram/telegram-bot.ts';
import { TelegramChannel } from '../../bots/telegram/telegram-channel.ts';
import { TelegramCommunity } from '../../bots/telegram/telegram-community.ts';
import { TelegramLink } from '../../bots/telegram/telegram-link.ts';
import { TelegramMessenger } from '../../bots/telegram/telegram-messenger.ts';
import { TelegramSetup } from '../../bots/telegram/telegram-setup.ts';
import { WebhookListener } from '../../bots/telegram/webhook.ts';
import type { ChatConfig } from '../config/chat-settings.ts';
import type { Logger } from '../core/base/logger.ts';
import type { AppContext } from './app-context.ts';
import type { OpenedPlatform, OpenedSetup, OperatorSender } from './platform.ts';

/** Telegram: the bot for people, that of the operator where it has a token of its own, or one of the two. */
export function openTelegram({ config, database, clock, logger, metrics }: AppContext): OpenedPlatform {
  const { token, adminToken, apiRoot, channelId, webhookUrl, webhookPort } = config.chat.telegram;
  const channel = channelId === null ? null : new TelegramChannel(channelId, { logger });
  const { host } = config.server;
  const webhook =
    webhookUrl === null
      ? null
      : { url: webhookUrl, listener: new WebhookListener({ port: webhookPort, host, clock, logger }) };
  const linkOf = (secret: string | null) =>
    secret === null ? null : new TelegramLink({ token: secret, apiRoot });
  const [link, adminLink] = [linkOf(token), linkOf(adminToken)];
  const adminIds = telegramIds(config.chat);
  return {
    community: link === null ? null : new TelegramCommunity({ api: link.api, channel, logger }),
    open({ conversation, console, leakGuard }) {
      const shared = {
        ...{ adminIds, webhook, clock, logger, keyMessages: database.keyMessages },
        ...{ metrics: metrics.metrics, random: Math.random },
      };
      return {
        ...(link !== null && {
          telegram: new TelegramBot({
            ...{ ...shared, link, conversation, leakGuard, channel, setting: 'TELEGRAM_BOT_TOKEN' },
            console: adminLink === null ? console : null,
            setup: new TelegramSetup({
              ...{ api: link.api, channel },
              operatorIds: adminLink === null ? adminIds : [],
            }),
          }),
        }),
        ...(adminLink !== null && {
          telegram_admin: new TelegramBot({
            ...{ ...shared, link: adminLink, console, leakGuard: null, channel: null },
            conversation: operatorOnlyConversation,
            setup: new TelegramSetup({ api: adminLink.api, channel: null, operatorIds: adminIds }),
            setting: 'TELEGRAM_ADMIN_BOT_TOKEN',
          }),
        }),
      };
    },
  };
}

/** The setups of the bots with a token, with links of their own. */
export function openTelegramSetups(chat: ChatConfig, logger: Logger): readonly OpenedSetup[] {
  const { token, adminToken, apiRoot, channelId } = chat.telegram;
  const channel = channelId === null ? null : new TelegramChannel(channelId, { logger });
  const bots = [
    ...(token === null ? [] : [{ setting: 'TELEGRAM_BOT_TOKEN', secret: token, channel } as const]),
    ...(adminToken === null
      ? []
      : [{ setting: 'TELEGRAM_ADMIN_BOT_TOKEN', secret: adminToken, channel: null } as const]),
  ];
  return bots.map((bot, index) => {
    const link = new TelegramLink({ token: bot.secret, apiRoot });
    // The last one is the bot of the operators.
    const operatorIds = index === bots.length - 1 ? telegramIds(chat) : [];
    const setup = new TelegramSetup({ api: link.api, channel: bot.channel, operatorIds });
    return { setting: bot.setting, setup, close: () => link.close() };
  });
}

function telegramIds({ adminIds }: ChatConfig): readonly string[] {
  return adminIds.filter(({ platform }) => platform === 'telegram').map(({ id }) => id);
}

/** Sends to operators without a bot that runs. */
export function openTelegramSender(
  { config, clock, logger }: Pick<AppContext, 'config' | 'clock' | 'logger'>,
  token: string,
): OperatorSender {
  const link = new TelegramLink({ token, apiRoot: config.chat.telegram.apiRoot });
  const { api } = link;
  return {
    messenger: new TelegramMessenger({
      api,
      channel: null,
      pacer: new Pacer({ clock, random: Math.random }),
      logger,
    }),
    close: () => link.close(),
  };
}
