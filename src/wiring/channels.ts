import type { ChatConfig } from '../config/chat-settings.ts';
import { CHANNELS, type Channel } from '../core/chat/chat-message.ts';

/** The platforms whose bot for people has a token. */
export function platformsOf(chat: ChatConfig): readonly Channel[] {
  return CHANNELS.filter((channel) => chat[channel].token !== null);
}

/** The channels that somebody posts to. */
export function channelsOf(chat: ChatConfig): readonly Channel[] {
  return platformsOf(chat).filter((channel) => chat[channel].channelId !== null);
}
