import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  type Channel,
  type ChatMessage,
  channelOf,
  type NewChatMessage,
  type PostMessage,
} from './chat-message.ts';
import type { ThreadMessage } from './chat-reads.ts';
import { CHAT_KEPT_MS, type ChatStore } from './chat-store.ts';
import type { Messenger } from './messenger.ts';
import { postEdit } from './thread-post.ts';

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
  readonly store: Pick<ChatStore, 'postsOf' | 'postsOfThread' | 'messagesOfThread' | 'withdraw'>;
  readonly messengers: Partial<Readonly<Record<Channel, Pick<Messenger<never>, 'remove'>>>>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Withdraws every message of `messagesShowing`. What a platform refuses stays `sent`, to be repeated. */
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
  store: Pick<ChatStore, 'postsOf' | 'postsOfThread' | 'messagesOfThread'>,
  alertId: number,
): Promise<readonly ChatMessage[]> {
  const posts = await postsShowing(store, alertId);
  const found = await Promise.all(posts.map(async (post) => [post, ...(await othersOf(store, post))]));
  return found.flat();
}

/** The post that shows an alert, or will, in each channel: its own, or that of its thread, which is edited for it. */
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

/** The other messages of a post's thread: answers instead of edits, and what may have been sent. */
async function othersOf(
  store: Pick<ChatStore, 'messagesOfThread'>,
  post: PostMessage,
): Promise<readonly ChatMessage[]> {
  const channel = channelOf(post);
  if (channel === undefined) return [];
  const thread = await store.messagesOfThread({ channel, threadId: post.facts.threadId });
  const posts = new Set(thread.flatMap(({ kind, place }) => (kind === 'alert' ? [place] : [])));
  const isShown = ({ kind, state, facts, place }: ThreadMessage) => {
    if (kind === 'alert_result' && facts.alertId !== post.facts.alertId) return false;
    if (state === 'unknown') return post.state !== 'pending';
    if (state !== 'sent') return false;
    // A later post of the thread, made because this one was not known to be there, shows the same position.
    return kind === 'alert' ? facts.alertId > post.facts.alertId : !posts.has(place);
  };
  return thread.filter((message) => message.id !== post.id && isShown(message));
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

const PAGE_SIZE = 500;

interface RedrawDeps {
  readonly store: Pick<ChatStore, 'add' | 'postsOf' | 'postsOfThread' | 'messagesOfThread'>;
  readonly alerts: Pick<AlertStore, 'search'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Queues edits of the posts that show alerts of a wallet, whose visibility has changed, and of the answers to posts that could
 * not be edited. Pending posts need none: they are rendered when they are sent. `occasion`: the time of
 * the change; the same one adds no second edit of a post. Returns the number of new edits.
 */
export async function redrawPosts(
  { store, alerts, clock }: RedrawDeps,
  { wallet, occasion }: { readonly wallet: string; readonly occasion: number },
): Promise<number> {
  const now = clock.now();
  const filter = { search: wallet, since: now - CHAT_KEPT_MS.posts };
  const edits = new Map<string, NewChatMessage>();
  for (let page = 1; ; page += 1) {
    const found = await alerts.search(filter, { page, pageSize: PAGE_SIZE });
    for (const { id } of found.alerts) {
      for (const post of await postsShowing(store, id)) {
        const cause = { cause: 'redraw', number: occasion } as const;
        const edit = postEdit(post, cause, now);
        if (edit === null) continue;
        // A post in `sending` may have been rendered before the change, so its edit waits for it.
        if (post.state === 'sent' || post.state === 'sending') edits.set(edit.id, edit);
        for (const place of await answersTo(store, post)) {
          const ofAnswer = postEdit(post, { ...cause, answer: place }, now);
          if (ofAnswer !== null) edits.set(ofAnswer.id, ofAnswer);
        }
      }
    }
    if (found.alerts.length < PAGE_SIZE) break;
  }
  return (await store.add([...edits.values()])).length;
}

/** The places of the answers that were sent because a post could not be edited. */
async function answersTo(store: RedrawDeps['store'], post: PostMessage): Promise<ReadonlySet<string>> {
  const others = await othersOf(store, post);
  const answers = others.filter(({ kind, state }) => kind !== 'alert' && state === 'sent');
  return new Set(answers.flatMap(({ place }) => place ?? []));
}
