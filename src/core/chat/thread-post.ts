import type { EpochMs } from '../base/time/duration.ts';
import {
  type ChatMessage,
  type ChatState,
  channelOf,
  type NewChatMessage,
  type PostMessage,
} from './chat-message.ts';
import { MESSAGE_DROP_REASONS } from './chat-store.ts';

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

/** The post that an edit changes: the thread's post for an `alert_update`, otherwise its own alert's post. */
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

/** Whether it is still undecided whether this post is among those of its day. */
function isUndecided({ kind, state, attempts }: ChatMessage): boolean {
  return kind === 'alert' && state === 'pending' && attempts === 0;
}

/** Whether this post is among those of its day, and its outcome is not known yet. */
export function isInFlight({ kind, state, attempts }: ChatMessage): boolean {
  return kind === 'alert' && (state === 'sending' || (state === 'pending' && attempts > 0));
}

/** The newer alerts of a thread that its post shows: those that are due too, and those that it showed when it was tried. */
export function newerPosts(thread: Thread, post: PostMessage, now: EpochMs): Thread {
  const { alertId } = post.facts;
  const isDue = (other: PostMessage) => isUndecided(other) && other.createdAt <= now;
  const shown = new Set(shownWith(thread, post));
  return thread.filter((other) => other.facts.alertId > alertId && (isDue(other) || shown.has(other)));
}

/** The newer alerts of a thread that its post showed when it was tried. */
export function shownWith(thread: Thread, { facts: { alertId } }: PostMessage): Thread {
  return thread.filter(
    ({ facts, error }) => facts.alertId > alertId && error === MESSAGE_DROP_REASONS.shownByPost,
  );
}

/** The edit with the newest alert of its thread that is old enough to be shown. */
export function withNewest<Edit extends PostEdit>(
  edit: Edit,
  { thread, post, now }: { readonly thread: Thread; readonly post: PostMessage; readonly now: EpochMs },
): Edit {
  const { facts, error } = newestOf(thread, now) ?? post;
  const isUpdated = facts.alertId !== post.facts.alertId && error !== MESSAGE_DROP_REASONS.shownByPost;
  return { ...edit, facts: { ...edit.facts, alertId: facts.alertId, isUpdated } };
}

/** The newest alert of a thread that is old enough to be shown. */
export function newestOf(thread: Thread, now: EpochMs): PostMessage | undefined {
  return thread.findLast(({ createdAt }) => createdAt <= now);
}

/**
 * The edit of a channel's post of an alert; null for other messages. `number`: the number of the market's outcome (which grows
 * with a correction), of the exit, or of a change of a wallet's visibility. `answer`: the place of an answer to the post, which is edited
 * instead. The same cause, number and answer do not add a second edit.
 */
export function postEdit(
  post: ChatMessage,
  edit: {
    readonly cause: 'result' | 'exit' | 'redraw';
    readonly number: number;
    readonly answer?: string;
  },
  now: EpochMs,
): NewChatMessage | null {
  const channel = channelOf(post);
  if (post.kind !== 'alert' || channel === undefined) return null;
  const { alertId, threadId } = post.facts;
  const { cause, number, answer } = edit;
  const of = answer === undefined ? '' : `:${answer}`;
  return {
    id: `${cause}:${alertId}:${number}${of}@${channel}`,
    recipient: post.recipient,
    kind: 'alert_result',
    facts: { alertId, threadId, ...(answer !== undefined && { answer }) },
    createdAt: now,
    dueAt: now,
  };
}
