import type { ChatConfig } from '../config/chat-settings.ts';
import type { Config } from '../config.ts';
import type { PostRules } from '../core/chat/channel-posts.ts';
import type { Channel } from '../core/chat/chat-message.ts';
import { platformsOf } from './platforms.ts';
import { siteUrlOf } from './public-url.ts';

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
