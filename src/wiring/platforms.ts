import type { ChatConfig } from '../config/chat-settings.ts';
import type { Config } from '../config.ts';
import type { PostRules } from '../core/chat/channel-posts.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';
import { proxyDiscordSockets } from '../infra/outgoing/discord-sockets.ts';
import type { PlatformDriver } from './platform.ts';
import { siteUrlOf } from './public-url.ts';

/** The libraries of a platform take a second to load: only the configured ones are loaded. */
const DRIVERS: Readonly<Record<Channel, (config: Config) => Promise<PlatformDriver>>> = {
  telegram: async () => (await import('./telegram.ts')).telegram,
  discord: async ({ proxy }) => {
    proxyDiscordSockets(proxy);
    return (await import('./discord.ts')).discord;
  },
};

/** What `open` makes of each platform that has a bot with a token: that of the operators where they have one of their own. */
export async function openPlatforms<Opened>(
  config: Config,
  open: (driver: PlatformDriver, token: string) => Opened,
): Promise<Partial<Record<Channel, Opened>>> {
  const opened: Partial<Record<Channel, Opened>> = {};
  for (const channel of CHANNELS) {
    const token = operatorTokenOf(config.chat, channel);
    if (token !== null) opened[channel] = open(await DRIVERS[channel](config), token);
  }
  return opened;
}

function operatorTokenOf(chat: ChatConfig, channel: Channel): string | null {
  const settings: { readonly token: string | null; readonly adminToken?: string | null } = chat[channel];
  return settings.adminToken ?? settings.token;
}

export function hasBots(chat: ChatConfig): boolean {
  return CHANNELS.some((channel) => operatorTokenOf(chat, channel) !== null);
}

export function platformsOf(chat: ChatConfig): readonly Channel[] {
  return CHANNELS.filter((channel) => chat[channel].token !== null);
}

/** Who in `ADMIN_IDS` can be written to: not a role, and only where a bot has a token. */
export function operatorsOf(chat: ChatConfig): readonly `operator:${Channel}:${string}`[] {
  const platforms = CHANNELS.filter((channel) => operatorTokenOf(chat, channel) !== null);
  return platforms.flatMap((platform) =>
    chat.adminIds
      .filter((admin) => admin.platform === platform)
      .map(({ id }) => `operator:${platform}:${id}` as const),
  );
}

export function channelsOf(chat: ChatConfig): readonly Channel[] {
  return platformsOf(chat).filter((channel) => chat[channel].channelId !== null);
}

/** Where the channels' readers find the pages of alerts; null if a channel gets alerts before they have pages. */
export function channelSiteUrl(config: Config): string | null {
  return postRulesOf(config).delayMs < config.freeDelayMs ? null : siteUrlOf(config.server);
}

export function postRulesOf({ chat, freeDelayMs }: Config): PostRules & { readonly postsPerDay: number } {
  const { minScore, minUsdc, delayMs, postsPerDay } = chat.channel;
  return { minScore, minUsdc, delayMs: delayMs ?? freeDelayMs, postsPerDay, channels: channelsOf(chat) };
}
