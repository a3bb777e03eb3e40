import { type BroadcastDeps, broadcast, countBroadcast } from '../../src/core/chat/broadcast.ts';
import type { ChatStore } from '../../src/core/chat/chat-store.ts';
import { type RedrawDeps, redrawPosts } from '../../src/core/chat/redraw-posts.ts';
import { postsShowing, type WithdrawDeps, withdraw } from '../../src/core/chat/withdraw.ts';
import type { ConsolePosts } from './console-deps.ts';

/** Dependencies of `createConsolePosts`. */
export interface ConsolePostsDeps
  extends Omit<BroadcastDeps, 'store'>,
    Omit<WithdrawDeps, 'store'>,
    Omit<RedrawDeps, 'store'> {
  readonly store: ChatStore;
  /** Aborts calls to a platform when the process stops. */
  readonly signal: AbortSignal;
}

/** The operations of the console on the outbox and the platforms. */
export function createConsolePosts(deps: ConsolePostsDeps): ConsolePosts {
  const { store, signal } = deps;
  return {
    postsShowing: (alertId) => postsShowing(store, alertId),
    withdraw: (alertId) => withdraw(deps, alertId, signal),
    redraw: (redraw) => redrawPosts(deps, redraw),
    counts: () => store.counts(),
    audience: () => countBroadcast(deps),
    broadcast: (message) => broadcast(deps, message),
  };
}
