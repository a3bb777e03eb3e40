import { HOUR_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';
import {
  type Channel,
  type ChatMessage,
  type ChatState,
  isPost,
  type NewChatMessage,
  type PostMessage,
} from './chat-message.ts';
import { channelOf } from './chat-queue.ts';
import type { ChatStore } from './chat-store.ts';
import { alertPostId } from './message-ids.ts';

/** An edit of a post: its thread has a newer alert, or the content of its alert has changed. */
export type PostEdit = ChatMessage & { readonly kind: 'alert_update' | 'alert_result' };

/** The posts and updates of a thread in a channel, the oldest alert first. */
export type Thread = readonly PostMessage[];

const LIVE: ReadonlySet<ChatState> = new Set(['pending', 'sending', 'sent']);

/** The part of a thread that may be shown: it ends before a withdrawn message. */
export function untilWithdrawn(thread: Thread): Thread {
  const end = thread.findIndex(({ state }) => state === 'withdrawn');
  return end === -1 ? thread : thread.slice(0, end);
}

/** The post of a thread that is in the channel, or is being sent. */
export function standingPost(thread: Thread): PostMessage | undefined {
  return thread.findLast(({ kind, state }) => kind === 'alert' && (state === 'sent' || state === 'sending'));
}

/** The post that an edit changes: for an `alert_update` that of the thread, else that of its own alert. */
export function postToEdit(thread: Thread, edit: PostEdit): PostMessage | undefined {
  if (edit.kind === 'alert_update') return standingPost(thread);
  return thread.find(({ kind, facts }) => kind === 'alert' && facts.alertId === edit.facts.alertId);
}

/** Whether an earlier alert of the thread has a post (sent or pending), or is in a list, which names the newest alert. */
export function hasEarlierPost(thread: Thread, alertId: number): boolean {
  return thread.some(
    ({ kind, state, facts }) =>
      kind === 'alert' && (LIVE.has(state) || state === 'folded') && facts.alertId < alertId,
  );
}

/** Whether the post that an update edits is still pending. */
export function isAwaited(thread: Thread, { facts: { alertId } }: PostEdit): boolean {
  return (
    standingPost(thread) === undefined &&
    thread.some(
      ({ kind, state, facts }) => kind === 'alert' && state === 'pending' && facts.alertId < alertId,
    )
  );
}

/** Whether a newer alert of the thread, old enough to be shown, is queued or sent: it shows the newest content. */
export function isOvertaken(thread: Thread, { facts: { alertId } }: PostEdit, now: EpochMs): boolean {
  return thread.some(
    ({ state, facts, createdAt }) => LIVE.has(state) && facts.alertId > alertId && createdAt <= now,
  );
}

/** The pending posts of a thread that are old enough to be shown. */
export function pendingPosts(thread: Thread, now: EpochMs): Thread {
  return thread.filter(
    ({ kind, state, createdAt }) => kind === 'alert' && state === 'pending' && createdAt <= now,
  );
}

/** The edit with the newest alert of its thread that is old enough to be shown. */
export function withNewest<Edit extends PostEdit>(
  edit: Edit,
  { thread, post, now }: { readonly thread: Thread; readonly post: PostMessage; readonly now: EpochMs },
): Edit {
  const { facts } = newestOf(thread, now) ?? post;
  const isUpdated = facts.alertId !== post.facts.alertId;
  return { ...edit, facts: { ...edit.facts, alertId: facts.alertId, isUpdated } };
}

/** The newest alert of a thread that is old enough to be shown. */
function newestOf(thread: Thread, now: EpochMs): PostMessage | undefined {
  return thread.findLast(({ createdAt }) => createdAt <= now);
}

/**
 * The edit of a channel's post of an alert; null for other messages. `number`: that of the market's outcome, which grows with
 * a correction, or of the operator's statement. The same cause and number add no second edit.
 */
export function postEdit(
  post: ChatMessage,
  { cause, number }: { readonly cause: 'result' | 'redraw'; readonly number: number },
  now: EpochMs,
): NewChatMessage | null {
  const channel = channelOf(post);
  if (post.kind !== 'alert' || channel === undefined) return null;
  const { alertId, threadId } = post.facts;
  return {
    id: `${cause}:${alertId}:${number}@${channel}`,
    recipient: post.recipient,
    kind: 'alert_result',
    facts: { alertId, threadId },
    createdAt: now,
    dueAt: now,
  };
}

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
      id: `more:${hourStart}@${channel}`,
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
