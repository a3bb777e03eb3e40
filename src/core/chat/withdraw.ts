import type { Clock } from '../base/time/clock.ts';
import type { Channel, ChatMessage, PostMessage } from './chat-message.ts';
import { channelOf } from './chat-queue.ts';
import type { ChatStore } from './chat-store.ts';
import type { Messenger } from './messenger.ts';

/**
 * Outcome of withdrawing one message. `busy`: it is being sent. `not_there`: there is nothing to withdraw. `unknown`: it may
 * be in the channel, where only a person can find it.
 */
export interface Withdrawal {
  readonly id: string;
  readonly result: 'withdrawn' | 'unknown' | 'busy' | 'not_there' | 'failed';
  /** The platform's reason, for `failed`. */
  readonly detail: string | null;
}

/** Dependencies of `withdraw`. */
export interface WithdrawDeps {
  readonly store: Pick<ChatStore, 'postsOf' | 'postsOfThread' | 'editsOf' | 'withdraw'>;
  readonly messengers: Partial<Readonly<Record<Channel, Pick<Messenger<never>, 'remove'>>>>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Withdraws every message of `messagesShowing`. What the platform refuses to remove stays `sent`, so that a repetition
 * tries it again. Empty without a post.
 */
export async function withdraw(
  deps: WithdrawDeps,
  alertId: number,
  signal: AbortSignal,
): Promise<readonly Withdrawal[]> {
  const done: Withdrawal[] = [];
  for (const message of await messagesShowing(deps.store, alertId))
    done.push(await takeBack(deps, message, signal));
  return done;
}

/** The posts that show an alert, or will, each with the messages of its thread that are in its channel, or may be. */
export async function messagesShowing(
  store: Pick<ChatStore, 'postsOf' | 'postsOfThread' | 'editsOf'>,
  alertId: number,
): Promise<readonly ChatMessage[]> {
  const posts = await postsShowing(store, alertId);
  const found = await Promise.all(posts.map(async (post) => [post, ...(await othersOf(store, post))]));
  return found.flat();
}

/** The post that shows an alert, or will, in each channel: its own, or that of its thread which is edited for it. */
export async function postsShowing(
  store: Pick<ChatStore, 'postsOf' | 'postsOfThread'>,
  alertId: number,
): Promise<readonly PostMessage[]> {
  const own = await store.postsOf(alertId);
  return Promise.all(
    own.map(async (message) => {
      const channel = channelOf(message);
      if (message.kind === 'alert' || channel === undefined) return message;
      const thread = await store.postsOfThread({ channel, threadId: message.facts.threadId });
      return thread.findLast(({ kind, place }) => kind === 'alert' && place !== null) ?? message;
    }),
  );
}

/**
 * The other messages of a post's thread: an answer that was sent because the post could not be edited, with a newer alert
 * or a result, and what may have been sent.
 */
export async function othersOf(
  store: Pick<ChatStore, 'postsOfThread' | 'editsOf'>,
  post: PostMessage,
): Promise<readonly ChatMessage[]> {
  const channel = channelOf(post);
  if (channel === undefined) return [];
  const thread = await store.postsOfThread({ channel, threadId: post.facts.threadId });
  const edits = await store.editsOf(post.facts.alertId);
  const posts = new Set(thread.flatMap(({ kind, place }) => (kind === 'alert' ? [place] : [])));
  const isShown = ({ kind, state, facts, place }: ChatMessage) => {
    if (state === 'unknown') return post.state !== 'pending';
    if (state !== 'sent') return false;
    // A later post of the thread, made because this one was not known to be there, shows the same position.
    return kind === 'alert' ? facts.alertId > post.facts.alertId : !posts.has(place);
  };
  return [...thread, ...edits].filter(
    (message) => message.id !== post.id && message.recipient === post.recipient && isShown(message),
  );
}

async function takeBack(
  { store, messengers, clock }: WithdrawDeps,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<Withdrawal> {
  const { id, state, place } = message;
  const end = (result: Withdrawal['result'], detail: string | null = null) => ({ id, result, detail });
  const channel = channelOf(message);
  if (channel === undefined) return end('not_there');
  if (state === 'sending') return end('busy');
  if (state !== 'sent' && state !== 'pending' && state !== 'unknown') return end('not_there');
  if (state === 'sent') {
    const messenger = messengers[channel];
    if (messenger === undefined || place === null) return end('failed', 'no bot for this channel');
    const removed = await messenger.remove(place, signal);
    if (!removed.ok && removed.reason !== 'gone') return end('failed', removed.detail);
  }
  if (!(await store.withdraw(id, clock.now()))) return end('busy');
  return end(state === 'unknown' ? 'unknown' : 'withdrawn');
}
