import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { ResolutionStore } from '../alerts/resolution-store.ts';
import type { Clock } from '../clock.ts';
import { secondOf } from '../detection/order.ts';
import { HOUR_MS } from '../duration.ts';
import type { Feed } from '../ledger/feed.ts';
import type { Logger } from '../logger.ts';
import { createChannelResults } from './channel-results.ts';
import type { Channel, NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';
import { isTooOld } from './chat-times.ts';
import { alertPostId } from './message-ids.ts';
import { hasEarlierPost } from './thread-post.ts';

/** So many alerts before a cluster's its order's is looked for. */
const LOOKED_BACK = 50;

/** Which alerts go to channels. */
export interface PostRules {
  /** Those that are posted to. */
  readonly channels: readonly Channel[];
  /** From 0 to 100; alerts of this score or above are posted. A post is edited for any newer alert of its thread. */
  readonly minScore: number;
  /** How old an alert is before it is posted. */
  readonly delayMs: number;
}

/** What the posts stand on. */
export interface ChannelPostsDeps {
  readonly store: Pick<
    ChatStore,
    'add' | 'giveUp' | 'cursor' | 'advance' | 'postsOfMarket' | 'postsOfThread'
  >;
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly feed: Pick<Feed, 'subscribe' | 'onResolution'>;
  readonly resolutions: Pick<ResolutionStore, 'after' | 'lastSeq'>;
  readonly rules: PostRules;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Messages were added that are due. */
  readonly wake: () => void;
}

/**
 * Puts alerts, and later their outcomes, into the outbox for the channels. Whatever is done twice, by this process or
 * another, adds nothing; whatever was missed is made up for, as long as it is worth posting.
 */
export interface ChannelPosts {
  /** Goes on behind the last alert whose posts are made; the first time behind `position`, the ledger's end now. */
  start(position: number): Promise<void>;
  /** Makes up for outcomes that were missed. Returns how many posts are to be changed. */
  sweepResults(): Promise<number>;
  close(): Promise<void>;
}

/** Listens to nothing before `start`. */
export function createChannelPosts(deps: ChannelPostsDeps): ChannelPosts {
  const { store, feed, resolutions } = deps;
  const results = createChannelResults(deps);
  const stops: (() => void)[] = [];
  let posting: Promise<void> = Promise.resolve();

  return {
    async start(position) {
      const cursor = await store.cursor('channel_posts');
      if (cursor === null) await store.advance('channel_posts', position);
      const seq = await store.cursor('channel_results');
      if (seq === null) await store.advance('channel_results', await resolutions.lastSeq());
      stops.push(
        feed.subscribe(cursor ?? position, (alerts) => {
          posting = post(deps, alerts);
          return posting;
        }),
        feed.onResolution(() => results.wake()),
      );
      results.wake();
    },
    sweepResults: () => results.sweep(),
    async close() {
      for (const stop of stops.splice(0)) stop();
      await Promise.allSettled([posting, results.close()]);
    },
  };
}

async function post(deps: ChannelPostsDeps, alerts: readonly Alert[]): Promise<void> {
  const { store, rules, wake } = deps;
  const found = alerts.filter(isFoundInTime);
  let added = 0;
  for (const channel of rules.channels) added += await addTo(channel, found, deps);
  if (added > 0) wake();
  const last = alerts.at(-1);
  if (last !== undefined) await store.advance('channel_posts', last.id);
}

/** Returns how many messages are new. An alert that is not worth a post may be worth an edit of its thread's. */
async function addTo(channel: Channel, alerts: readonly Alert[], deps: ChannelPostsDeps): Promise<number> {
  const { store, rules, clock } = deps;
  const now = clock.now();
  const isWorthPosting = (alert: Alert) =>
    alert.score >= rules.minScore && !isTooOld(postOf(alert, channel, rules), now);
  const worth = alerts.filter(isWorthPosting);
  const added = await store.add(worth.map((alert) => postOf(alert, channel, rules)));
  for (const alert of worth) await dropOrderOf(alert, channel, deps);
  // After the posts: an alert of this page may belong to one of them.
  const updates: NewChatMessage[] = [];
  for (const alert of alerts) {
    if (isWorthPosting(alert) || isFirst(alert)) continue;
    const update = { ...postOf(alert, channel, rules), kind: 'alert_update' } as const;
    const thread = await store.postsOfThread({ channel, threadId: update.facts.threadId });
    if (hasEarlierPost(thread, alert.id) && !isTooOld(update, now)) updates.push(update);
  }
  return added.length + (await store.add(updates)).length;
}

/**
 * The order that began a cluster is told by the cluster's post: its wallet's alert, of the same second, gets none unless
 * it was sent already or belongs to a thread.
 */
async function dropOrderOf(
  cluster: Alert,
  channel: Channel,
  { alerts, store, clock }: ChannelPostsDeps,
): Promise<void> {
  if (cluster.type !== 'cluster' || !isFirst(cluster)) return;
  const order = await orderOf(cluster, alerts);
  if (order === undefined) return;
  const change = { state: 'dropped', error: 'the post of its cluster tells it', at: clock.now() } as const;
  await store.giveUp(alertPostId(order.id, channel), change);
}

/** Between an order's alert and its cluster's may lie those of other orders. */
async function orderOf(cluster: Alert, alerts: ChannelPostsDeps['alerts']): Promise<Alert | undefined> {
  const page = await alerts.after(Math.max(0, cluster.id - 1 - LOOKED_BACK), LOOKED_BACK);
  return page.find((alert) => alert.id < cluster.id && isFirst(alert) && isSameOrder(alert, cluster));
}

function isFirst({ id, threadId }: Alert): boolean {
  return threadId === id;
}

/** All fills of one wallet, outcome and side in one second are one order. */
function isSameOrder(one: Alert, other: Alert): boolean {
  const isSameSecond = secondOf(one.tradedAt) === secondOf(other.tradedAt);
  const isSameAsset = one.marketId === other.marketId && one.outcome === other.outcome;
  return one.wallet === other.wallet && isSameAsset && one.side === other.side && isSameSecond;
}

/** Design: no history, and no trade that was found more than an hour late. */
function isFoundInTime({ isHistory, createdAt, tradedAt }: Alert): boolean {
  return !isHistory && createdAt - tradedAt <= HOUR_MS;
}

type NewPost = NewChatMessage & { readonly kind: 'alert' };

/** It counts its age from when it may be shown. */
function postOf(
  { id, threadId, marketId, createdAt }: Alert,
  channel: Channel,
  { delayMs }: PostRules,
): NewPost {
  const dueAt = createdAt + delayMs;
  return {
    id: alertPostId(id, channel),
    recipient: `channel:${channel}`,
    kind: 'alert',
    facts: { alertId: id, marketId, threadId },
    createdAt: dueAt,
    dueAt,
  };
}
