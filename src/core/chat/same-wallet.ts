import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { DAY_MS } from '../base/time/duration.ts';
import type { Channel } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { standingPost, untilWithdrawn } from './thread-post.ts';

/** Alerts of a wallet that are looked at, and those that are named. */
const LOOKED_AT = 20;
const NAMED_MAX = 3;

/** Dependencies of `postedOfWallet`. */
export interface PostedOfWalletDeps {
  readonly alerts: Pick<AlertStore, 'search'>;
  readonly messages: Pick<ChatStore, 'postsOfThread'>;
}

/**
 * Alerts of the wallet of an alert, of other threads, made in the day before it, whose posts are in the channel: newest first, at
 * most 3, one of each thread.
 */
export async function postedOfWallet(
  { alerts, messages }: PostedOfWalletDeps,
  { id, wallet, threadId, createdAt }: Alert,
  channel: Channel,
): Promise<readonly number[]> {
  const filter = { search: wallet, since: createdAt - DAY_MS, beforeId: id };
  const found = (await alerts.search(filter, { page: 1, pageSize: LOOKED_AT })).alerts;
  const named = new Map<number, number>();
  for (const other of found) {
    if (other.threadId === threadId || named.has(other.threadId) || named.size === NAMED_MAX) continue;
    const thread = await messages.postsOfThread({ channel, threadId: other.threadId });
    if (standingPost(untilWithdrawn(thread))?.state === 'sent') named.set(other.threadId, other.id);
  }
  return [...named.values()];
}
