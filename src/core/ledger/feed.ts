import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { MarketResolution } from '../alerts/resolution-store.ts';
import type { Logger } from '../logger.ts';

const PAGE = 500;

type AlertHandler = (alerts: readonly Alert[]) => void | Promise<void>;
type ResolutionHandler = (resolution: MarketResolution) => void;

/**
 * Where everything after the ledger hears of alerts. A subscriber names the id it has, and gets every later alert
 * once, in order, however slow it is: what it cannot take at once it reads from the store.
 */
export interface Feed {
  /** Calls the handler with ascending alerts, one call at a time. Returns what ends the subscription. */
  subscribe(afterId: number, handler: AlertHandler): () => void;
  /** Outcomes as they are booked, from now on. Returns what ends the subscription. */
  onResolution(handler: ResolutionHandler): () => void;
  /** A new alert is in the store. For the ledger, or whoever follows it from another process. */
  announce(alert: Alert): void;
  /** An outcome is booked. Told once, however often it is announced. */
  announceResolution(resolution: MarketResolution): void;
}

interface FeedDeps {
  readonly alerts: Pick<AlertStore, 'after'>;
  readonly logger: Logger;
  /** Waits before a subscriber that failed is tried again. */
  readonly retry: () => Promise<void>;
}

interface Subscriber {
  cursor: number;
  isBusy: boolean;
  isClosed: boolean;
  readonly handler: AlertHandler;
}

/** A feed without subscribers. A subscriber that fails is tried again after `retry`, for as long as it stays. */
export function createFeed({ alerts, logger, retry }: FeedDeps): Feed {
  const subscribers = new Set<Subscriber>();
  const resolutionHandlers = new Set<ResolutionHandler>();
  let newest = 0;
  let newestSeq = 0;

  async function deliver(subscriber: Subscriber, batch: readonly Alert[]): Promise<void> {
    await subscriber.handler(batch);
    subscriber.cursor = batch.at(-1)?.id ?? subscriber.cursor;
  }

  async function catchUp(subscriber: Subscriber, first: readonly Alert[]): Promise<void> {
    subscriber.isBusy = true;
    let batch = first;
    while (!subscriber.isClosed) {
      try {
        if (batch.length === 0) batch = await alerts.after(subscriber.cursor, PAGE);
        if (batch.length === 0) break;
        await deliver(subscriber, batch);
        // A full page says that the store may hold more than was announced here.
        if (subscriber.cursor >= newest && batch.length < PAGE) break;
      } catch (error) {
        logger.error({ err: error, after: subscriber.cursor }, 'a feed subscriber failed and is tried again');
        await retry();
      }
      batch = [];
    }
    subscriber.isBusy = false;
    if (!subscriber.isClosed && subscriber.cursor < newest) void catchUp(subscriber, []);
  }

  return {
    subscribe(afterId, handler) {
      const subscriber = { cursor: afterId, isBusy: false, isClosed: false, handler };
      subscribers.add(subscriber);
      void catchUp(subscriber, []);
      return () => {
        subscriber.isClosed = true;
        subscribers.delete(subscriber);
      };
    },
    onResolution(handler) {
      resolutionHandlers.add(handler);
      return () => resolutionHandlers.delete(handler);
    },
    announce(alert) {
      newest = Math.max(newest, alert.id);
      for (const subscriber of subscribers) {
        if (subscriber.isBusy || subscriber.cursor >= alert.id) continue;
        void catchUp(subscriber, subscriber.cursor === alert.id - 1 ? [alert] : []);
      }
    },
    announceResolution(resolution) {
      if (resolution.seq <= newestSeq) return;
      newestSeq = resolution.seq;
      for (const handler of resolutionHandlers) handler(resolution);
    },
  };
}
