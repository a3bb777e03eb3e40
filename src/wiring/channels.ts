import type { Operator } from '../../bots/shared/token-watch.ts';
import type { ChatConfig } from '../config/chat-settings.ts';
import type { Config } from '../config.ts';
import type { PostRules } from '../core/chat/channel-posts.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { siteUrlOf } from './public-url.ts';

/** The platforms whose bot for people has a token. */
export function platformsOf(chat: ChatConfig): readonly Channel[] {
  return CHANNELS.filter((channel) => chat[channel].token !== null);
}

/** Who in `ADMIN_IDS` can be written to: not a role, and only where a bot has a token. */
export function operatorsOf(chat: ChatConfig): readonly Operator[] {
  return CHANNELS.flatMap((platform) => {
    const hasBot =
      chat[platform].token !== null || (platform === 'telegram' && chat.telegram.adminToken !== null);
    return hasBot
      ? chat.adminIds.filter((admin) => admin.platform === platform).map(({ id }) => ({ platform, id }))
      : [];
  });
}

/** The channels with a bot that can post. */
export function channelsOf(chat: ChatConfig): readonly Channel[] {
  return platformsOf(chat).filter((channel) => chat[channel].channelId !== null);
}

/** Where the channels' readers find the pages of alerts; null if a channel gets alerts before they have pages. */
export function channelSiteUrl(config: Config): string | null {
  return postRulesOf(config).delayMs < config.freeDelayMs ? null : siteUrlOf(config.server);
}

/** Which alerts are posted, when, and where. */
export function postRulesOf({ chat, freeDelayMs }: Config): PostRules & { readonly postsPerDay: number } {
  const { minScore, minUsdc, delayMs, postsPerDay } = chat.channel;
  return { minScore, minUsdc, delayMs: delayMs ?? freeDelayMs, postsPerDay, channels: channelsOf(chat) };
}
