import type { Clock } from '../clock.ts';
import { HOUR_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import { type Channel, type ChatMessage, isPost } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { alertPostId, moreAlertsId } from './message-ids.ts';
import { newestOf, untilWithdrawn } from './thread-post.ts';

/** A list never names more; the channel's limits would cut it anyway. */
const LISTED_MAX = 500;

/** What folding stands on. */
export interface RollupDeps {
  readonly store: Pick<ChatStore, 'countPosts' | 'add' | 'giveUp' | 'rolledUp' | 'byId' | 'postsOfThread'>;
  /** Alerts a channel gets one by one in a UTC hour. */
  readonly postsPerHour: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Whether a channel got all the alerts of this hour that it is to get one by one. */
export async function isHourFull(
  { store, postsPerHour, clock }: RollupDeps,
  channel: Channel,
): Promise<boolean> {
  return (await store.countPosts(channel, hourOf(clock.now()))) >= postsPerHour;
}

/** Puts a post into the list that comes at the hour's end. */
export async function addToRollup(
  { store, clock }: RollupDeps,
  channel: Channel,
  { id }: Pick<ChatMessage, 'id'>,
): Promise<void> {
  const now = clock.now();
  const hourStart = hourOf(now);
  const dueAt = hourStart + HOUR_MS;
  // The list first: a crash in between leaves a list that finds the post later, never a post without a list.
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

/** The list of the threads that were folded in its hour, each by its newest alert. */
export async function withRolledUp(
  { store, clock }: Pick<RollupDeps, 'store' | 'clock'>,
  channel: Channel,
  message: ChatMessage & { readonly kind: 'more_alerts' },
): Promise<ChatMessage> {
  const { hourStart } = message.facts;
  const hour = { channel, from: hourStart, until: hourStart + HOUR_MS, limit: LISTED_MAX };
  const alertIds = new Set<number>();
  for (const alertId of await store.rolledUp(hour)) {
    const post = await store.byId(alertPostId(alertId, channel));
    if (post === null || !isPost(post)) continue;
    const thread = await store.postsOfThread({ channel, threadId: post.facts.threadId });
    alertIds.add((newestOf(untilWithdrawn(thread), clock.now()) ?? post).facts.alertId);
  }
  return { ...message, facts: { hourStart, alertIds: [...alertIds].toSorted((a, b) => a - b) } };
}

function hourOf(now: EpochMs): EpochMs {
  return now - (now % HOUR_MS);
}
