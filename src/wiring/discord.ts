import type { REST } from 'discord.js';
import { DiscordBot } from '../../bots/discord/discord-bot.ts';
import { DiscordCommunity } from '../../bots/discord/discord-community.ts';
import { DiscordMessenger } from '../../bots/discord/discord-messenger.ts';
import { closeDiscordRest, createDiscordRest } from '../../bots/discord/discord-rest.ts';
import { DiscordSetup } from '../../bots/discord/discord-setup.ts';
import type { Config } from '../config.ts';
import { proxyFor } from '../infra/outgoing/proxy.ts';
import type { PlatformDriver } from './platform.ts';

export const discord: PlatformDriver = {
  open({ config, clock, logger }) {
    const { token, apiRoot, guildId, channelId } = config.chat.discord;
    const rest = openRest(config, token);
    const hasOperator = config.chat.adminIds.some(({ platform }) => platform.startsWith('discord'));
    return {
      community: new DiscordCommunity({ rest, guildId, channelId, clock, logger }),
      open: ({ conversation, console, leakGuard }) => ({
        discord: new DiscordBot({
          token: token ?? '',
          apiRoot,
          guildId,
          rest,
          conversation,
          leakGuard,
          clock,
          logger,
          console: hasOperator ? console : null,
          setup: new DiscordSetup({ rest, guildId, channelId }),
          messenger: new DiscordMessenger({ rest, channelId, clock }),
        }),
      }),
    };
  },

  openSetups(config) {
    const { token, guildId, channelId } = config.chat.discord;
    const rest = openRest(config, token);
    const setup = new DiscordSetup({ rest, guildId, channelId });
    return [{ setting: 'DISCORD_TOKEN', setup, close: () => closeDiscordRest(rest) }];
  },

  openSender({ config, clock }, token) {
    const rest = openRest(config, token);
    return {
      messenger: new DiscordMessenger({ rest, channelId: null, clock }),
      close: () => closeDiscordRest(rest),
    };
  },
};

function openRest({ chat, proxy }: Pick<Config, 'chat' | 'proxy'>, token: string | null): REST {
  const { apiRoot } = chat.discord;
  return createDiscordRest({ token: token ?? '', apiRoot, proxy: proxyFor(apiRoot, proxy)?.href ?? null });
}
