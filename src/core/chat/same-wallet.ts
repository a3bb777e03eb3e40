import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Clock } from '../base/time/clock.ts';
import { DAY_MS } from '../base/time/duration.ts';
import type { Channel } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { standingPost, untilWithdrawn } from './thread-post.ts';

/** How many alerts of a wallet are looked at, and how many are named. */
const LOOKED_AT = 20;
const NAMED_MAX = 3;

/** Dependencies of `postedOfWallet`. */
export interface PostedOfWalletDeps {
  readonly alerts: Pick<AlertStore, 'search'>;
  readonly messages: Pick<ChatStore, 'postsOfThread'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Other alerts of the same wallet, from other threads, that are in the channel and were posted in the day before this alert's
 * post (or before now, if it has none yet): newest first, at most 3, one per thread.
 */
export async function postedOfWallet(
  { alerts, messages, clock }: PostedOfWalletDeps,
  { wallet, threadId }: Pick<Alert, 'wallet' | 'threadId'>,
  channel: Channel,
): Promise<readonly number[]> {
  const sentAt = async (id: number) =>
    standingPost(untilWithdrawn(await messages.postsOfThread({ channel, threadId: id })))?.sentAt ?? null;
  const postedAt = (await sentAt(threadId)) ?? clock.now();
  // An alert may be a day older than its post is at most: the delay of a channel, and the hour of its row.
  const filter = { search: wallet, since: postedAt - 2 * DAY_MS, until: postedAt };
  const named = new Map([[threadId, 0]]);
  for (const other of (await alerts.search(filter, { page: 1, pageSize: LOOKED_AT })).alerts) {
    if (named.size > NAMED_MAX || named.has(other.threadId)) continue;
    const at = await sentAt(other.threadId);
    if (at !== null && at < postedAt && at >= postedAt - DAY_MS) named.set(other.threadId, other.id);
  }
  return [...named.values()].slice(1);
}
