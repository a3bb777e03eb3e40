import { FailureLog } from '../../base/async/failure-log.ts';
import { repeat, repeatUntil } from '../../base/async/repeat.ts';
import { endsWithin } from '../../base/async/with-timeout.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Alert } from '../alert.ts';
import type { AlertIndex } from '../alert-index/alert-index.ts';
import type { AlertStore } from '../alert-store.ts';
import type { MarketSettlement } from '../settlement.ts';
import type { Settlements } from '../settlements/settlements.ts';

const PAGE = 500;

type AlertHandler = (alerts: readonly Alert[]) => void | Promise<void>;
type SettlementHandler = (settlement: MarketSettlement) => void;

interface FeedOptions {
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly logger: Logger;
  /** Waits before a failed subscriber is called again. */
  readonly retry: () => Promise<void>;
}

interface Subscriber {
  cursor: number;
  isBusy: boolean;
  isClosed: boolean;
  readonly handler: AlertHandler;
}

/**
 * Alerts and settlements after they are in the store. A subscriber gets every alert after its cursor once and in order. A slow
 * subscriber reads what it could not take at once from the store. A failed subscriber is retried until it unsubscribes.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #subscribers = new Set<Subscriber>();
  readonly #settlementHandlers = new Set<SettlementHandler>();
  #newest = 0;
  #newestSettlement = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Calls the handler with ascending alerts, one call at a time. Returns a function that unsubscribes. */
  subscribe(afterId: number, handler: AlertHandler): () => void {
    const subscriber = { cursor: afterId, isBusy: false, isClosed: false, handler };
    this.#subscribers.add(subscriber);
    void this.#catchUp(subscriber, []);
    return () => {
      subscriber.isClosed = true;
      this.#subscribers.delete(subscriber);
    };
  }

  /** Calls the handler with settlements from now on. Returns a function that unsubscribes. */
  onSettlement(handler: SettlementHandler): () => void {
    this.#settlementHandlers.add(handler);
    return () => this.#settlementHandlers.delete(handler);
  }

  /** The id of the newest alert that was announced; 0 before the first. */
  get newest(): number {
    return this.#newest;
  }

  /** Called when the store has new alerts, which ascend: by the ledger, or by the follower in another process. */
  announce(...alerts: readonly Alert[]): void {
    const first = alerts[0]?.id ?? 0;
    const last = alerts.at(-1)?.id ?? 0;
    this.#newest = Math.max(this.#newest, last);
    for (const subscriber of this.#subscribers) {
      if (subscriber.isBusy || subscriber.cursor >= last) continue;
      void this.#catchUp(subscriber, subscriber.cursor === first - 1 ? alerts : []);
    }
  }

  /** Called when the store has a settlement. Announcing it again has no effect. */
  announceSettlement(settlement: MarketSettlement): void {
    const { seq } = settlement.log;
    if (seq <= this.#newestSettlement) return;
    this.#newestSettlement = seq;
    for (const handler of this.#settlementHandlers) handler(settlement);
  }

  async #catchUp(subscriber: Subscriber, first: readonly Alert[]): Promise<void> {
    const { alerts, logger, retry } = this.#options;
    subscriber.isBusy = true;
    let batch = first;
    while (!subscriber.isClosed) {
      try {
        if (batch.length === 0) batch = await alerts.after(subscriber.cursor, PAGE);
        if (batch.length === 0) break;
        await subscriber.handler(batch);
        subscriber.cursor = batch.at(-1)?.id ?? subscriber.cursor;
        // After a full page the store may hold more than was announced here.
        if (subscriber.cursor >= this.#newest && batch.length < PAGE) break;
      } catch (error) {
        logger.error({ err: error, after: subscriber.cursor }, 'a feed subscriber failed; retrying');
        await retry();
      }
      batch = [];
    }
    subscriber.isBusy = false;
    if (!subscriber.isClosed && subscriber.cursor < this.#newest) void this.#catchUp(subscriber, []);
  }
}

interface DelayedFeedOptions {
  readonly alerts: Pick<AlertStore, 'latest'>;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly clock: Clock;
  readonly delayMs: number;
  readonly onAlert: (alert: Alert) => void;
}

/** How late an alert may arrive. */
const LOOK_EVERY_MS = 250;

/** The feed at the free delay: an alert comes when callers without a key may see it. */
export class DelayedFeed {
  readonly #options: DelayedFeedOptions;
  readonly #stop = new AbortController();
  #newestId = 0;

  constructor(options: DelayedFeedOptions) {
    this.#options = options;
  }

  /** The newest alert that callers without a key may see; 0 without one. */
  get newestId(): number {
    return this.#newestId;
  }

  /** Begins after the newest visible alert. */
  async open(): Promise<void> {
    const { alerts, feed, clock, delayMs } = this.#options;
    const [newest] = await alerts.latest({ limit: 1, until: clock.now() - delayMs });
    this.#newestId = newest?.id ?? 0;
    const unsubscribe = feed.subscribe(this.#newestId, (batch) => this.#publish(batch));
    this.#stop.signal.addEventListener('abort', unsubscribe);
  }

  close(): void {
    this.#stop.abort();
  }

  /** The wall clock may be set while an alert waits, so it is read repeatedly. */
  async #publish(batch: readonly Alert[]): Promise<void> {
    const { clock, delayMs, onAlert } = this.#options;
    const { signal } = this.#stop;
    for (const alert of batch) {
      const isVisible = () => clock.now() - delayMs >= alert.createdAt;
      await repeatUntil(isVisible, { clock, signal, intervalMs: LOOK_EVERY_MS });
      if (signal.aborted) return;
      this.#newestId = alert.id;
      onAlert(alert);
    }
  }
}

const POLL_MS = 250;
const POLL_AFTER_FAULT_MS = 1_000;
/** Other reads wait for a read of the log that takes longer, and fail with it. */
const POLL_LATE_MS = 1_000;

/** The last alert and settlement that a process knows. */
export interface LedgerEnd {
  readonly id: number;
  readonly seq: number;
}

interface LedgerStores {
  readonly alerts: Pick<AlertStore, 'after' | 'last'>;
  readonly settlements: Pick<Settlements, 'after' | 'last'>;
}

interface FollowerDeps extends LedgerStores {
  readonly index: Pick<AlertIndex, 'follow' | 'unfollow'>;
  readonly feed: Pick<Feed, 'newest' | 'announce' | 'announceSettlement'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The current end of the ledger. Call it before anything else reads the ledger, so that nothing is missed in between. */
export async function ledgerEnd({ alerts, settlements }: LedgerStores): Promise<LedgerEnd> {
  const [last, seq] = await Promise.all([alerts.last(), settlements.last()]);
  return { id: last?.id ?? 0, seq };
}

/**
 * Follows the log for all parts of the process, every 250 ms, and announces the alerts and settlements after `from` that another process
 * writes. Ends when the signal aborts; faults of the store are logged and retried.
 */
export async function followLedger(
  { index, alerts, settlements, feed, clock, logger }: FollowerDeps,
  from: LedgerEnd,
  signal: AbortSignal,
): Promise<void> {
  let { id, seq } = from;
  const failures = new FailureLog(logger, 'ledger unavailable; retrying every second');
  const follow = async () => {
    const read = index.follow();
    if (!(await endsWithin({ clock, timeoutMs: POLL_LATE_MS }, read))) index.unfollow();
    await read;
    // A subscriber that lacks an alert before the newest reads it.
    id = Math.max(id, feed.newest);
    const found = await alerts.after(id, PAGE);
    feed.announce(...found);
    id = found.at(-1)?.id ?? id;
    for (const settlement of await settlements.after(seq, PAGE)) {
      feed.announceSettlement(settlement);
      seq = settlement.log.seq;
    }
  };
  await repeat(follow, { clock, signal, intervalMs: POLL_MS, retryMs: POLL_AFTER_FAULT_MS, failures });
  index.unfollow();
}
