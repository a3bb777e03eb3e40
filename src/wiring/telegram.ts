import { createTelegramBot } from '../../bots/telegram/bot.ts';
import { createTelegramChannel } from '../../bots/telegram/channel.ts';
import { createTelegramCommunity } from '../../bots/telegram/community.ts';
import { createTelegramLink } from '../../bots/telegram/link.ts';
import { operatorOnlyConversation } from '../../bots/telegram/operator-only-conversation.ts';
import { createWebhookListener } from '../../bots/telegram/webhook.ts';
import type { AppContext } from './app-context.ts';
import type { OpenedPlatform } from './platform.ts';

/** Telegram: the bot for people, that of the operator where it has a token of its own, or one of the two. */
export function openTelegram({ config, clock, logger }: AppContext): OpenedPlatform {
  const { token, adminToken, apiRoot, channelId, webhookUrl, webhookPort } = config.chat.telegram;
  const channel = channelId === null ? null : createTelegramChannel(channelId, { logger });
  const webhook =
    webhookUrl === null
      ? null
      : { url: webhookUrl, listener: createWebhookListener({ port: webhookPort, logger }) };
  const linkOf = (secret: string | null) =>
    secret === null ? null : createTelegramLink({ token: secret, apiRoot });
  const [link, adminLink] = [linkOf(token), linkOf(adminToken)];
  const adminIds = config.chat.adminIds.filter(({ platform }) => platform === 'telegram').map(({ id }) => id);
  return {
    community: link === null ? null : createTelegramCommunity({ link, channel, logger }),
    open({ conversation, console, leakGuard }) {
      const shared = { adminIds, webhook, clock, logger };
      const bots = {
        ...(link !== null && {
          telegram: createTelegramBot({
            ...{ ...shared, link, conversation, leakGuard, channel, setting: 'TELEGRAM_BOT_TOKEN' },
            console: adminLink === null ? console : null,
          }),
        }),
        ...(adminLink !== null && {
          telegram_admin: createTelegramBot({
            ...{
              ...shared,
              link: adminLink,
              conversation: operatorOnlyConversation,
              console,
              leakGuard: null,
              channel: null,
            },
            setting: 'TELEGRAM_ADMIN_BOT_TOKEN',
          }),
        }),
      };
      return {
        bots,
        messenger: bots.telegram?.messenger ?? null,
        operatorMessenger: bots.telegram_admin?.messenger ?? null,
      };
    },
  };
}
