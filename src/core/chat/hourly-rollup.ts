import { HOUR_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import { type Channel, type ChatMessage, isPost } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { alertPostId, moreAlertsId } from './message-ids.ts';
import { newestOf, untilWithdrawn } from './thread-post.ts';

/** Most alerts of a list; the platforms' message length cuts it further. */
const LISTED_MAX = 500;

/** A channel, and the moment that names the UTC hour. */
export interface ChannelHour {
  readonly channel: Channel;
  readonly now: EpochMs;
}

/** Whether a channel already got `postsPerHour` alerts as single posts in this UTC hour. */
export async function isHourFull(
  store: Pick<ChatStore, 'countPosts'>,
  { channel, now }: ChannelHour,
  postsPerHour: number,
): Promise<boolean> {
  return (await store.countPosts(channel, hourOf(now))) >= postsPerHour;
}

/** Moves a post to the list that is sent at the end of the hour. */
export async function addToRollup(
  store: Pick<ChatStore, 'add' | 'giveUp'>,
  { channel, now }: ChannelHour,
  { id }: Pick<ChatMessage, 'id'>,
): Promise<void> {
  const hourStart = hourOf(now);
  const dueAt = hourStart + HOUR_MS;
  // The list first: after a crash in between, the list still finds the post later.
  await store.add([
    {
      id: moreAlertsId(hourStart, channel),
      recipient: `channel:${channel}`,
      kind: 'more_alerts',
      facts: { alertIds: [], hourStart },
      createdAt: dueAt,
      dueAt,
    },
  ]);
  await store.giveUp(id, { state: 'folded', error: null, at: now });
}

/** The list with the threads of its hour, each by its newest alert. */
export async function withRolledUp(
  store: Pick<ChatStore, 'rolledUp' | 'byId' | 'postsOfThread'>,
  { channel, now }: ChannelHour,
  message: ChatMessage & { readonly kind: 'more_alerts' },
): Promise<ChatMessage> {
  const { hourStart } = message.facts;
  const hour = { channel, from: hourStart, until: hourStart + HOUR_MS, limit: LISTED_MAX };
  const alertIds = new Set<number>();
  for (const alertId of await store.rolledUp(hour)) {
    const post = await store.byId(alertPostId(alertId, channel));
    if (post === null || !isPost(post)) continue;
    const thread = await store.postsOfThread({ channel, threadId: post.facts.threadId });
    alertIds.add((newestOf(untilWithdrawn(thread), now) ?? post).facts.alertId);
  }
  return { ...message, facts: { hourStart, alertIds: [...alertIds].toSorted((a, b) => a - b) } };
}

function hourOf(now: EpochMs): EpochMs {
  return now - (now % HOUR_MS);
}
