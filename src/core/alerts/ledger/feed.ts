import { repeatUntil } from '../../base/async/repeat.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Alert } from '../alert.ts';
import type { AlertStore } from '../alert-store.ts';
import type { MarketSettlement } from '../settlement.ts';

const PAGE = 500;

type AlertHandler = (alerts: readonly Alert[]) => void | Promise<void>;
type ResolutionHandler = (resolution: MarketSettlement) => void;

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
 * Alerts and outcomes after they are in the store. A subscriber gets every alert after its cursor once and in order. What a slow
 * subscriber cannot take immediately, it reads from the store. A failed subscriber is retried until it unsubscribes.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #subscribers = new Set<Subscriber>();
  readonly #resolutionHandlers = new Set<ResolutionHandler>();
  #newest = 0;
  #newestSeq = 0;

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

  /** Calls the handler with outcomes from now on. Returns a function that unsubscribes. */
  onResolution(handler: ResolutionHandler): () => void {
    this.#resolutionHandlers.add(handler);
    return () => this.#resolutionHandlers.delete(handler);
  }

  /** Alerts up to this id are wanted by no subscriber; null without a subscriber, which wants none. */
  get wantsAfter(): number | null {
    const cursors = Array.from(this.#subscribers, ({ cursor }) => cursor);
    return cursors.length === 0 ? null : Math.min(...cursors);
  }

  get wantsResolutions(): boolean {
    return this.#resolutionHandlers.size > 0;
  }

  /** Called when the store has a new alert: by the ledger, or by the follower in another process. */
  announce(alert: Alert): void {
    this.#newest = Math.max(this.#newest, alert.id);
    for (const subscriber of this.#subscribers) {
      if (subscriber.isBusy || subscriber.cursor >= alert.id) continue;
      void this.#catchUp(subscriber, subscriber.cursor === alert.id - 1 ? [alert] : []);
    }
  }

  /** Called when the store has an outcome. Announcing it again has no effect. */
  announceResolution(resolution: MarketSettlement): void {
    if (resolution.seq <= this.#newestSeq) return;
    this.#newestSeq = resolution.seq;
    for (const handler of this.#resolutionHandlers) handler(resolution);
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
  /** Called with ascending alerts. */
  readonly onAlert: (alert: Alert) => void;
}

/** How late an alert may come. */
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

  /** The wall clock may be set while an alert waits: it is read again and again. */
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
