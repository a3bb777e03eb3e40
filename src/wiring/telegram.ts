import type { Conversation } from '../../bots/shared/conversation.ts';
import { unknownCommand } from '../../bots/shared/screen.ts';
import { Pacer } from '../../bots/telegram/pacer.ts';
import { TelegramBot } from '../../bots/telegram/telegram-bot.ts';
import { TelegramChannel, TelegramCommunity } from '../../bots/telegram/telegram-community.ts';
import { TelegramLink } from '../../bots/telegram/telegram-link.ts';
import { TelegramMessenger } from '../../bots/telegram/telegram-messenger.ts';
import { TelegramSetup } from '../../bots/telegram/telegram-setup.ts';
import { WebhookListener } from '../../bots/telegram/webhook.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../core/base/logger.ts';
import { proxiedAgent } from '../infra/outgoing/proxy.ts';
import type { PlatformDriver } from './platform.ts';

/** The conversation of the operators' own bot: others get the same answer to everything. */
export const operatorOnlyConversation: Conversation = {
  commands: [],
  move: async () => unknownCommand(),
  shown: async () => {},
};

/** Telegram: the bot for people, that of the operator where it has a token of its own, or one of the two. */
export const telegram: PlatformDriver = {
  open({ config, database, clock, logger, metrics }) {
    const { webhookUrl, webhookPort } = config.chat.telegram;
    const { host } = config.server;
    const webhook =
      webhookUrl === null
        ? null
        : { url: webhookUrl, listener: new WebhookListener({ port: webhookPort, host, clock, logger }) };
    const bots = tokensOf(config, logger);
    const people = bots.find(({ isForPeople }) => isForPeople);
    return {
      community: people === undefined ? null : new TelegramCommunity({ ...people.place, logger }),
      open: ({ conversation, console, leakGuard }) =>
        Object.fromEntries(
          bots.map(({ name, setting, link, place, isForPeople, isForOperators, operatorIds }) => {
            const bot = new TelegramBot({
              link,
              setting,
              webhook,
              clock,
              logger,
              keyMessages: database.keyMessages,
              metrics: metrics.metrics,
              channel: place.channel,
              adminIds: operatorIds,
              conversation: isForPeople ? conversation : operatorOnlyConversation,
              leakGuard: isForPeople ? leakGuard : null,
              console: isForOperators ? console : null,
              setup: new TelegramSetup({ ...place, operatorIds }),
            });
            return [name, bot];
          }),
        ),
    };
  },

  openSetups: (config, logger) =>
    tokensOf(config, logger).map(({ setting, link, place, operatorIds }) => ({
      setting,
      setup: new TelegramSetup({ ...place, operatorIds }),
      close: () => link.close(),
    })),

  openSender({ config, clock, logger }, token) {
    const link = openLink(config, token);
    const pacer = new Pacer({ clock });
    return {
      messenger: new TelegramMessenger({ api: link.api, channel: null, pacer, logger }),
      close: () => link.close(),
    };
  },
};

function tokensOf(config: Config, logger: Logger) {
  const { telegram, adminIds } = config.chat;
  const { token, adminToken, channelId } = telegram;
  const ids = adminIds.filter(({ platform }) => platform === 'telegram').map(({ id }) => id);
  const bots = [
    { name: 'telegram', setting: 'TELEGRAM_BOT_TOKEN', token, isForPeople: true },
    { name: 'telegram_admin', setting: 'TELEGRAM_ADMIN_BOT_TOKEN', token: adminToken, isForPeople: false },
  ] as const;
  return bots.flatMap(({ token: given, ...bot }) => {
    if (given === null) return [];
    const link = openLink(config, given);
    const channel =
      channelId === null || !bot.isForPeople ? null : new TelegramChannel(channelId, { logger });
    const isForOperators = !bot.isForPeople || adminToken === null;
    const operatorIds = isForOperators ? ids : [];
    return [{ ...bot, link, place: { api: link.api, channel }, isForOperators, operatorIds }];
  });
}

const SOCKETS = 64;

function openLink({ chat, proxy }: Pick<Config, 'chat' | 'proxy'>, token: string): TelegramLink {
  const { apiRoot } = chat.telegram;
  const agent = proxiedAgent(apiRoot, proxy, { keepAlive: true, maxSockets: SOCKETS });
  return new TelegramLink({ token, apiRoot, agent });
}
