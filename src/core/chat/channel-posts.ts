import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Exit, ExitStore } from '../alerts/exits/exit.ts';
import type { Feed } from '../alerts/ledger/feed.ts';
import type { MarketSettlement, SettlementStore } from '../alerts/settlement.ts';
import { FailureLog } from '../base/async/failure-log.ts';
import { allPages } from '../base/async/paged.ts';
import { Notifier, repeat } from '../base/async/repeat.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import { secondOf } from '../detection/order.ts';
import {
  alertPostId,
  type Channel,
  type ChatMessage,
  isTooOld,
  type NewChatMessage,
} from './chat-message.ts';
import { type ChatCursor, type ChatStore, MESSAGE_DROP_REASONS } from './chat-store.ts';
import { hasEarlierPost, postEdit, standingPost } from './thread-post.ts';

/** How far before a cluster's alert the alert of its order is searched, in alerts. */
const ORDER_LOOKBACK = 50;

/** Which alerts are posted in channels. */
export interface PostRules {
  readonly channels: readonly Channel[];
  /** 0 to 100: alerts of this score or above are posted. A post is edited for any newer alert of its thread. */
  readonly minScore: number;
  /** Alerts whose position is worth less in USDC (`positionUsdcOf`) are treated like those below `minScore`. */
  readonly minUsdc: number;
  /** Age at which an alert is posted. */
  readonly delayMs: number;
}

/** Outcomes are also looked for without an announcement, exits only so. */
const SWEEP_EVERY_MS = 10 * MINUTE_MS;
const EXITS_EVERY_MS = 5 * SECOND_MS;

/** Dependencies of `ChannelPosts`. */
export interface ChannelPostsOptions extends SweepDeps {
  readonly store: ChatStore;
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly exits: Pick<ExitStore, 'after' | 'byNumber' | 'last'>;
  readonly feed: Pick<Feed, 'subscribe' | 'onSettlement'>;
  readonly rules: PostRules;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called when due messages were added. */
  readonly wake: () => void;
}

/** Puts alerts, and later their exits and outcomes, into the outbox for the channels. Idempotent; what was missed is added later. */
export class ChannelPosts {
  readonly #options: ChannelPostsOptions;
  readonly #stop = new AbortController();
  #posting: Promise<void> = Promise.resolve();
  #sweeping: Promise<unknown> = Promise.resolve();

  constructor(options: ChannelPostsOptions) {
    this.#options = options;
  }

  /** Subscribes to the feed after the last posted alert; the first time after `position`, the end of the ledger. */
  async start(position: number): Promise<void> {
    const { store, feed, settlements, exits, wake, clock, logger } = this.#options;
    const { signal } = this.#stop;
    const cursor = await store.cursor('channel_posts');
    if (cursor === null) await store.advance('channel_posts', position);
    const seq = await store.cursor('channel_results');
    if (seq === null) await store.advance('channel_results', await settlements.lastSeq());
    const exit = await store.cursor('channel_exits');
    if (exit === null) await store.advance('channel_exits', (await exits.last())?.number ?? 0);
    const settled = new Notifier();
    const stops = [
      feed.subscribe(cursor ?? position, (alerts) => {
        this.#posting = this.#post(alerts);
        return this.#posting;
      }),
      feed.onSettlement(settled.notify),
    ];
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
    });
    const sweepBy = (sweep: typeof sweepResults | typeof sweepExits) => async () => {
      if ((await sweep(this.#options, signal)) > 0) wake();
    };
    const failures = (what: string) =>
      new FailureLog(logger, `${what} of posts failed; retrying with the next sweep`);
    this.#sweeping = Promise.all([
      repeat(sweepBy(sweepResults), {
        ...{ clock, signal, intervalMs: SWEEP_EVERY_MS, wake: settled.nextNotification },
        failures: failures('results'),
      }),
      repeat(sweepBy(sweepExits), { clock, signal, intervalMs: EXITS_EVERY_MS, failures: failures('exits') }),
    ]);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#posting, this.#sweeping]);
  }

  async #post(alerts: readonly Alert[]): Promise<void> {
    const { store, rules, wake } = this.#options;
    const found = alerts.filter(isFoundInTime);
    let added = 0;
    for (const channel of rules.channels) added += await this.#addTo(channel, found);
    if (added > 0) wake();
    const last = alerts.at(-1);
    if (last !== undefined) await store.advance('channel_posts', last.id);
  }

  /** Returns how many messages are new. An alert that is worth no post may still edit the post of its thread. */
  async #addTo(channel: Channel, alerts: readonly Alert[]): Promise<number> {
    const { store, rules, clock } = this.#options;
    const now = clock.now();
    const isPosted = (alert: Alert) =>
      isWorthPost(alert, rules) && !isTooOld(postOf(alert, channel, rules), now);
    const posted = alerts.filter(isPosted);
    const added = await store.add(posted.map((alert) => postOf(alert, channel, rules)));
    for (const alert of posted) await this.#dropOrderOf(alert, channel);
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
  async #dropOrderOf(cluster: Alert, channel: Channel): Promise<void> {
    if (cluster.type !== 'cluster' || !isFirst(cluster)) return;
    const { alerts, store, clock } = this.#options;
    // Alerts of other orders may lie in between.
    const page = await alerts.after(Math.max(0, cluster.id - 1 - ORDER_LOOKBACK), ORDER_LOOKBACK);
    const order = page.find(
      (alert) => alert.id < cluster.id && isFirst(alert) && isSameOrder(alert, cluster),
    );
    if (order === undefined) return;
    const change = { state: 'dropped', error: MESSAGE_DROP_REASONS.shownByCluster, at: clock.now() } as const;
    await store.giveUp(alertPostId(order.id, channel), change);
  }
}

function isWorthPost(alert: Alert, { minScore, minUsdc }: PostRules): boolean {
  return alert.score >= minScore && positionUsdcOf(alert) >= minUsdc;
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

/** Design: neither history nor trades found more than an hour late are posted. */
function isFoundInTime({ isHistory, createdAt, tradedAt }: Alert): boolean {
  return !isHistory && createdAt - tradedAt <= HOUR_MS;
}

type NewPost = NewChatMessage & { readonly kind: 'alert' };

/** Its age counts from the moment from which it may be shown. */
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

/** USDC of everything that an alert is about: its order, all buys of the position so far, or those of the cluster. */
function positionUsdcOf({
  type,
  side,
  usdc,
  details,
}: Pick<Alert, 'type' | 'side' | 'usdc' | 'details'>): number {
  if (side === 'SELL') return usdc;
  if (type === 'cluster') return Math.max(usdc, details.clusterTotal ?? 0);
  return Math.max(usdc, details.marketTotalBought);
}

const CHANGES_PER_PAGE = 100;
const POSTS_PER_PAGE = 500;

interface SweepDeps {
  readonly store: Pick<ChatStore, 'add' | 'cursor' | 'advance' | 'postsOfMarket'>;
  readonly settlements: Pick<SettlementStore, 'after' | 'lastSeq'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Queues edits for markets settled since the last sweep; returns how many. Idempotent. */
export function sweepResults(deps: SweepDeps, signal: AbortSignal): Promise<number> {
  const { store, settlements } = deps;
  const sweep = {
    cursor: 'channel_results',
    cause: 'result',
    after: (seq: number) => settlements.after(seq, CHANGES_PER_PAGE),
    numberOf: ({ seq }: MarketSettlement) => seq,
    postsOf: ({ marketId }: MarketSettlement) =>
      allPages<ChatMessage>(
        (last) => store.postsOfMarket({ marketId, limit: POSTS_PER_PAGE, ...(last && { after: last.id }) }),
        POSTS_PER_PAGE,
      ),
  } as const;
  return sweepChanges(deps, sweep, signal);
}

/** Queues the edits of the posts whose positions were sold, once the channels may show it, as `sweepResults` does. */
export function sweepExits(
  deps: Pick<ChannelPostsOptions, 'store' | 'exits' | 'rules' | 'clock'>,
  signal: AbortSignal,
): Promise<number> {
  const { store, exits, rules, clock } = deps;
  async function postsOf(exit: Exit): Promise<readonly ChatMessage[]> {
    if (exit.isHistory) return [];
    const same = exit.sameSaleAs === null ? null : await exits.byNumber(exit.sameSaleAs);
    const ofChannel = async (channel: Channel) => {
      // Readers hear of one sale once: in the wallet's own post, where it has one.
      const isShown =
        same !== null &&
        standingPost(await store.postsOfThread({ channel, threadId: same.threadId })) !== undefined;
      return isShown ? [] : store.postsOfThread({ channel, threadId: exit.threadId });
    };
    return (await Promise.all(rules.channels.map(ofChannel))).flat();
  }
  const sweep = {
    cursor: 'channel_exits',
    cause: 'exit',
    after: (number: number) => exits.after(number, CHANGES_PER_PAGE, { until: clock.now() - rules.delayMs }),
    numberOf: ({ number }: Exit) => number,
    postsOf,
  } as const;
  return sweepChanges(deps, sweep, signal);
}

/** Changes with ascending numbers, up to `CHANGES_PER_PAGE` at a time, and the posts that show them. */
interface Sweep<Change> {
  readonly cursor: ChatCursor;
  readonly cause: 'result' | 'exit';
  readonly after: (number: number) => Promise<readonly Change[]>;
  readonly numberOf: (change: Change) => number;
  readonly postsOf: (change: Change) => Promise<readonly ChatMessage[]>;
}

async function sweepChanges<Change>(
  {
    store,
    clock,
  }: Pick<SweepDeps, 'clock'> & { readonly store: Pick<ChatStore, 'add' | 'cursor' | 'advance'> },
  { cursor, cause, after, numberOf, postsOf }: Sweep<Change>,
  signal: AbortSignal,
): Promise<number> {
  let done = (await store.cursor(cursor)) ?? 0;
  let added = 0;
  while (!signal.aborted) {
    const page = await after(done);
    for (const change of page) {
      const edit = { cause, number: numberOf(change) };
      const edits = (await postsOf(change)).flatMap((post) => postEdit(post, edit, clock.now()) ?? []);
      added += (await store.add(edits)).length;
      done = edit.number;
    }
    if (page.length > 0) await store.advance(cursor, done);
    if (page.length < CHANGES_PER_PAGE) break;
  }
  return added;
}
