import { DiscordBot } from '../../bots/discord/discord-bot.ts';
import { DiscordCommunity } from '../../bots/discord/discord-community.ts';
import { DiscordMessenger } from '../../bots/discord/discord-messenger.ts';
import { createDiscordRest } from '../../bots/discord/discord-rest.ts';
import { DiscordSetup } from '../../bots/discord/discord-setup.ts';
import type { ChatConfig } from '../config/chat-settings.ts';
import type { AppContext } from './app-context.ts';
import type { OpenedPlatform, OpenedSetup, OperatorSender } from './platform.ts';

/** Discord, for people and the operator alike. */
export function openDiscord({ config, clock, logger }: AppContext, token: string): OpenedPlatform {
  const { apiRoot, guildId, channelId } = config.chat.discord;
  const rest = createDiscordRest({ token, apiRoot });
  const messenger = new DiscordMessenger({ rest, channelId });
  const hasOperator = config.chat.adminIds.some(({ platform }) => platform !== 'telegram');
  return {
    community: new DiscordCommunity({ rest, guildId, channelId, clock, logger }),
    open({ conversation, console, leakGuard }) {
      const discord = new DiscordBot({
        token,
        apiRoot,
        guildId,
        rest,
        setup: new DiscordSetup({ rest, guildId, channelId }),
        messenger,
        conversation,
        clock,
        logger,
        console: hasOperator ? console : null,
        leakGuard,
      });
      return { discord };
    },
  };
}

/** The setup of the bot, with a connection of its own. */
export function openDiscordSetup({ discord }: ChatConfig, token: string): OpenedSetup {
  const { apiRoot, guildId, channelId } = discord;
  const rest = createDiscordRest({ token, apiRoot });
  const close = () => {
    rest.clearHandlerSweeper();
    rest.clearHashSweeper();
  };
  return { setting: 'DISCORD_TOKEN', setup: new DiscordSetup({ rest, guildId, channelId }), close };
}

/** Sends to operators without a bot that runs. */
export function openDiscordSender({ config }: Pick<AppContext, 'config'>, token: string): OperatorSender {
  const rest = createDiscordRest({ token, apiRoot: config.chat.discord.apiRoot });
  return {
    messenger: new DiscordMessenger({ rest, channelId: null }),
    close() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}
