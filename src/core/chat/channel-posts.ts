import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { putInOf } from '../alerts/bet.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import type { MarketSettlement } from '../alerts/settlement.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { secondOf } from '../detection/order.ts';
import {
  alertPostId,
  type Channel,
  type ChatMessage,
  isTooOld,
  type NewChatMessage,
} from './chat-message.ts';
import { type ChatStore, MESSAGE_DROP_REASONS } from './chat-store.ts';
import { LedgerMessages, type LedgerMessagesOptions } from './ledger-messages.ts';
import { hasEarlierPost, postEdit } from './thread-post.ts';

/** How many alerts before a cluster's alert are searched for the alert of its order. */
const ORDER_LOOKBACK = 50;

/** Which alerts are posted in channels. */
export interface PostRules {
  readonly channels: readonly Channel[];
  /** 0 to 100: alerts of this score or above are posted. A post is edited for any newer alert of its thread. */
  readonly minScore: number;
  /** Alerts whose position is worth less in USDC (`putInOf`) are treated like those below `minScore`. */
  readonly minUsdc: number;
  /** Age at which an alert is posted. */
  readonly delayMs: number;
}

/** Dependencies of `createChannelPosts`. */
export interface ChannelPostsOptions extends LedgerMessagesOptions {
  readonly store: ChatStore;
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly rules: PostRules;
}

/** Puts alerts, and later their exits and outcomes, into the outbox for the channels. */
export function createChannelPosts(options: ChannelPostsOptions): LedgerMessages {
  const { exits, settlements, rules, clock } = options;
  return new LedgerMessages(options, {
    of: 'channel',
    async addAlerts(alerts) {
      let added = 0;
      for (const channel of rules.channels) added += await addTo(channel, alerts, options);
      return added;
    },
    // Once the channels may show them.
    async settlementsAfter(seq, limit) {
      const page = await settlements.after(seq, limit);
      const next = page.findIndex(({ at }) => at > clock.now() - rules.delayMs);
      return next === -1 ? page : page.slice(0, next);
    },
    ofSettlement: (settlement) => resultEdits(settlement, options),
    exitsAfter: (number, limit) => exits.after(number, limit, { until: clock.now() - rules.delayMs }),
    ofExit: (exit) => exitEdits(exit, options),
  });
}

/** Returns how many messages are new. An alert that does not merit a post may still edit the post of its thread. */
async function addTo(
  channel: Channel,
  alerts: readonly Alert[],
  options: ChannelPostsOptions,
): Promise<number> {
  const { store, rules, clock } = options;
  const now = clock.now();
  const isPosted = (alert: Alert) =>
    isWorthPost(alert, rules) && !isTooOld(postOf(alert, channel, rules), now);
  const posted = alerts.filter(isPosted);
  const added = await store.add(posted.map((alert) => postOf(alert, channel, rules)));
  for (const alert of posted) await dropOrderOf(alert, channel, options);
  // After the posts: an alert of this page may belong to one of them.
  const updates: NewChatMessage[] = [];
  for (const alert of alerts) {
    if (isPosted(alert) || isFirst(alert)) continue;
    const update = { ...postOf(alert, channel, rules), kind: 'alert_update' } as const;
    const thread = await store.postsOfThread({ channel, threadId: update.facts.threadId });
    if (hasEarlierPost(thread, alert.id) && !isTooOld(update, now)) updates.push(update);
  }
  return added.length + (await store.add(updates)).length;
}

/** A cluster's post covers its own order's alert, unless that was sent already or has a thread. */
async function dropOrderOf(
  cluster: Alert,
  channel: Channel,
  { alerts, store, clock }: ChannelPostsOptions,
): Promise<void> {
  if (cluster.type !== 'cluster' || !isFirst(cluster)) return;
  // Alerts of other orders may lie in between.
  const page = await alerts.after(Math.max(0, cluster.id - 1 - ORDER_LOOKBACK), ORDER_LOOKBACK);
  const order = page.find((alert) => alert.id < cluster.id && isFirst(alert) && isSameOrder(alert, cluster));
  if (order === undefined) return;
  const change = { state: 'dropped', error: MESSAGE_DROP_REASONS.shownByCluster, at: clock.now() } as const;
  await store.giveUp(alertPostId(order.id, channel), change);
}

function isWorthPost(alert: Alert, { minScore, minUsdc }: PostRules): boolean {
  return alert.score >= minScore && putInOf(alert) >= minUsdc;
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

type NewPost = NewChatMessage & { readonly kind: 'alert' };

/** Its age counts from when it may be shown. */
function postOf(
  { id, threadId, marketId, score, createdAt }: Alert,
  channel: Channel,
  { delayMs }: PostRules,
): NewPost {
  const dueAt = createdAt + delayMs;
  return {
    id: alertPostId(id, channel),
    recipient: `channel:${channel}`,
    kind: 'alert',
    facts: { alertId: id, marketId, threadId, score },
    createdAt: dueAt,
    dueAt,
  };
}

/** The edits of the posts about a market that was settled. */
async function resultEdits(
  { marketId, log }: MarketSettlement,
  { store, clock }: ChannelPostsOptions,
): Promise<readonly NewChatMessage[]> {
  return editsOf(await store.postsOfMarket(marketId), { cause: 'result', number: log.seq }, clock.now());
}

/** The edits of the posts whose positions were sold. */
async function exitEdits(
  { number, threadId, isHistory }: Exit,
  { store, rules, clock }: ChannelPostsOptions,
): Promise<readonly NewChatMessage[]> {
  if (isHistory) return [];
  const ofChannel = (channel: Channel) => store.postsOfThread({ channel, threadId });
  const posts = await Promise.all(rules.channels.map(ofChannel));
  return editsOf(posts.flat(), { cause: 'exit', number }, clock.now());
}

function editsOf(posts: readonly ChatMessage[], edit: Parameters<typeof postEdit>[1], now: EpochMs) {
  return posts.flatMap((post) => postEdit(post, edit, now) ?? []);
}
