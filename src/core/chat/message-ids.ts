import { CHANNELS, type Channel } from './chat-message.ts';

/** The id of an alert's post in a channel, or of the edit of its thread's post. */
export function alertPostId(alertId: number, channel: Channel): string {
  return `alert:${alertId}@${channel}`;
}

/** The ids of an alert's posts in all channels. */
export function alertPostIds(alertId: number): readonly string[] {
  return CHANNELS.map((channel) => alertPostId(alertId, channel));
}
