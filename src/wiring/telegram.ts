import { operatorOnlyConversation } from '../../bots/telegram/operator-only-conversation.ts';
import { TelegramBot } from '../../bots/telegram/telegram-bot.ts';
import { TelegramChannel } from '../../bots/telegram/telegram-channel.ts';
import { TelegramCommunity } from '../../bots/telegram/telegram-community.ts';
import { TelegramLink } from '../../bots/telegram/telegram-link.ts';
import { WebhookListener } from '../../bots/telegram/webhook.ts';
import type { AppContext } from './app-context.ts';
import type { OpenedPlatform } from './platform.ts';

/** Telegram: the bot for people, that of the operator where it has a token of its own, or one of the two. */
export function openTelegram({ config, clock, logger }: AppContext): OpenedPlatform {
  const { token, adminToken, apiRoot, channelId, webhookUrl, webhookPort } = config.chat.telegram;
  const channel = channelId === null ? null : new TelegramChannel(channelId, { logger });
  const webhook =
    webhookUrl === null
      ? null
      : { url: webhookUrl, listener: new WebhookListener({ port: webhookPort, clock, logger }) };
  const linkOf = (secret: string | null) =>
    secret === null ? null : new TelegramLink({ token: secret, apiRoot });
  const [link, adminLink] = [linkOf(token), linkOf(adminToken)];
  const adminIds = config.chat.adminIds.filter(({ platform }) => platform === 'telegram').map(({ id }) => id);
  return {
    community: link === null ? null : new TelegramCommunity({ api: link.api, channel, logger }),
    open({ conversation, console, leakGuard }) {
      const shared = { adminIds, webhook, clock, logger };
      return {
        ...(link !== null && {
          telegram: new TelegramBot({
            ...{ ...shared, link, conversation, leakGuard, channel, setting: 'TELEGRAM_BOT_TOKEN' },
            console: adminLink === null ? console : null,
          }),
        }),
        ...(adminLink !== null && {
          telegram_admin: new TelegramBot({
            ...{ ...shared, link: adminLink, console, leakGuard: null, channel: null },
            conversation: operatorOnlyConversation,
            setting: 'TELEGRAM_ADMIN_BOT_TOKEN',
          }),
        }),
      };
    },
  };
}
