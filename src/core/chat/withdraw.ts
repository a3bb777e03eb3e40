import type { Clock } from '../clock.ts';
import type { Channel, PostMessage } from './chat-message.ts';
import { channelOf } from './chat-queue.ts';
import type { ChatStore } from './chat-store.ts';
import type { Messenger } from './messenger.ts';

/** Outcome of withdrawing one message. `busy`: it is being sent. `not_there`: there is nothing to withdraw. */
export interface Withdrawal {
  readonly id: string;
  readonly result: 'withdrawn' | 'busy' | 'not_there' | 'failed';
  /** The platform's reason, for `failed`. */
  readonly detail: string | null;
}

/** Dependencies of `withdraw`. */
export interface WithdrawDeps {
  readonly store: Pick<ChatStore, 'postsOf' | 'postsOfThread' | 'withdraw'>;
  readonly messengers: Partial<Readonly<Record<Channel, Pick<Messenger<never>, 'remove'>>>>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Withdraws the sent and pending posts that show an alert, with the replies to them. Empty without such a post. */
export async function withdraw(
  deps: WithdrawDeps,
  alertId: number,
  signal: AbortSignal,
): Promise<readonly Withdrawal[]> {
  const done: Withdrawal[] = [];
  for (const post of await postsShowing(deps.store, alertId)) {
    done.push(await takeBack(deps, post, signal));
    for (const reply of await repliesTo(deps.store, post)) done.push(await takeBack(deps, reply, signal));
  }
  return done;
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

/** Newer alerts of a post's thread that were sent as replies because the post could not be edited. */
async function repliesTo(
  store: WithdrawDeps['store'],
  message: PostMessage,
): Promise<readonly PostMessage[]> {
  const channel = channelOf(message);
  if (message.kind !== 'alert' || channel === undefined) return [];
  const thread = await store.postsOfThread({ channel, threadId: message.facts.threadId });
  const posts = new Set(thread.flatMap(({ kind, place }) => (kind === 'alert' ? [place] : [])));
  return thread.filter(
    ({ kind, state, place }) => kind === 'alert_update' && state === 'sent' && !posts.has(place),
  );
}

async function takeBack(
  { store, messengers, clock }: WithdrawDeps,
  message: PostMessage,
  signal: AbortSignal,
): Promise<Withdrawal> {
  const { id, state, place } = message;
  const end = (result: Withdrawal['result'], detail: string | null = null) => ({ id, result, detail });
  const channel = channelOf(message);
  if (channel === undefined) return end('not_there');
  if (state === 'sending') return end('busy');
  if (state !== 'sent' && state !== 'pending') return end('not_there');
  if (state === 'sent') {
    const messenger = messengers[channel];
    if (messenger === undefined || place === null) return end('failed', 'no bot for this channel');
    const removed = await messenger.remove(place, signal);
    if (!removed.ok && removed.reason !== 'gone') return end('failed', removed.detail);
  }
  return end((await store.withdraw(id, clock.now())) ? 'withdrawn' : 'busy');
}
