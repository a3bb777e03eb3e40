import { type BroadcastDeps, broadcast, countBroadcast } from '../../src/core/chat/broadcast.ts';
import type { ChatStore, UnknownChange } from '../../src/core/chat/chat-store.ts';
import { type Redraw, type RedrawDeps, redrawPosts } from '../../src/core/chat/redraw-posts.ts';
import { messagesShowing, postsShowing, type WithdrawDeps, withdraw } from '../../src/core/chat/withdraw.ts';

/** The operations of the console on the outbox and the platforms. */
export type ConsolePosts = ReturnType<typeof createConsolePosts>;

/** `signal` aborts calls to a platform when the process stops. */
export function createConsolePosts(
  deps: BroadcastDeps &
    WithdrawDeps &
    RedrawDeps & { readonly store: ChatStore; readonly signal: AbortSignal },
) {
  const { store, signal } = deps;
  return {
    /** The posts that show the alert, or will: its own, or that of its thread. */
    postsShowing: (alertId: number) => postsShowing(store, alertId),
    /** These posts, and the other messages that show the alert. */
    messagesShowing: (alertId: number) => messagesShowing(store, alertId),
    /** Withdraws its posts; a sent post needs the platform's bot in this process. */
    withdraw: (alertId: number) => withdraw(deps, alertId, signal),
    /** Queues edits of the posts that show alerts of a wallet. Returns the number of new edits. */
    redraw: (redraw: Redraw) => redrawPosts(deps, redraw),
    counts: () => store.counts(),
    message: (id: string) => store.byId(id),
    /** Messages whose outcome is unknown, newest first. */
    unknown: (limit: number) => store.unknown(limit),
    /** Messages that ended as `failed` or `dropped`, newest first. */
    givenUp: (query: { readonly since: number; readonly limit: number }) => store.givenUp(query),
    /** Ends the `unknown` of a message. False when its state is another. */
    decide: (id: string, change: UnknownChange) => store.decide(id, change),
    /** Number of customers that a broadcast would reach, by platform. */
    audience: () => countBroadcast(deps),
    /** Adds a message for each customer to the outbox. Idempotent by `id`. Returns the number of new messages. */
    broadcast: (message: { readonly id: string; readonly text: string }) => broadcast(deps, message),
  };
}
