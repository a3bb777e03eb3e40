import type { EpochMs } from '../../base/time/duration.ts';
import type { AttemptResult, Delivery, DeliveryState, EndState } from './delivery.ts';

/** How one claimed delivery ended. */
export interface DeliveryResult {
  readonly id: string;
  readonly state: EndState;
  readonly finishedAt: EpochMs;
  readonly result: AttemptResult | null;
}

/** A delivery that is being sent, or was when its process died. */
export interface DeliveryClaim {
  readonly owner: string;
  readonly claimedAt: EpochMs;
  readonly delivery: Delivery;
}

/** A page of the delivery log. */
export interface DeliveryPage {
  /** From 1 to `DELIVERY_LIMITS.pageSize`, and one more to see whether more follow. */
  readonly limit: number;
  /** The id of the last row of the previous page. */
  readonly before?: string;
  readonly state?: DeliveryState;
}

/** Webhook ids from one on and below another; null has no bound. */
export interface WebhookRange {
  readonly from: string | null;
  readonly below: string | null;
}

/** The last row of a page of pending rows: the next page continues after it. */
export type DeliveryPageCursor = Pick<Delivery, 'id' | 'createdAt'>;

/** What deliveries are made of. */
export type DeliveredEvents = 'alerts' | 'outcomes';

/**
 * The outbox of webhooks, and their log: (alert, webhook) is unique, and a delivery is claimed once.
 *
 * `call` is the unique name of one change. A change returns what this call changed: it may be repeated when its answer was
 * lost, and of two processes that make the same change only one gets it as a result.
 */
export interface DeliveryStore {
  /** Adds rows; those whose id is there already are left as they are. Returns those that were new. */
  add(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** Those that exist, in any order. */
  byIds(ids: readonly string[]): Promise<readonly Delivery[]>;
  /** Of these, the ones that were pending or requested and are this owner's now; each has one owner ever. */
  claim(
    ids: readonly string[],
    by: { readonly owner: string; readonly at: EpochMs; readonly call: string },
  ): Promise<readonly string[]>;
  /** Pending ones made before the moment, of webhooks in the range, oldest first, ties by id, at most `limit`. */
  waiting(query: {
    createdBefore: EpochMs;
    limit: number;
    webhooks?: WebhookRange;
    after?: DeliveryPageCursor;
  }): Promise<readonly Delivery[]>;
  /** Requested ones, oldest first, ties by id, at most `limit`. */
  requested(limit: number): Promise<readonly Delivery[]>;
  /** Ends claimed ones of this owner. What is no longer its claim stays as it is. Returns the ids that ended. */
  finish(owner: string, outcomes: readonly DeliveryResult[], call: string): Promise<readonly string[]>;
  /** Ends pending and requested ones. Returns the ids that ended. */
  giveUp(outcomes: readonly DeliveryResult[], call: string): Promise<readonly string[]>;
  /** What was claimed before the moment and has not ended, oldest claim first, at most `limit`. */
  claims(query: { claimedBefore: EpochMs; limit: number }): Promise<readonly DeliveryClaim[]>;
  /**
   * The log of a webhook, newest first, ties by id descending. A `before` that is no id of this webhook's gives nothing.
   */
  list(webhookId: string, page: DeliveryPage): Promise<readonly Delivery[]>;
  /** Removes rows made before the moment, at most `limit` of them. Returns how many. */
  prune(query: { createdBefore: EpochMs; limit: number }): Promise<number>;
  /** Up to which alert, or which number of an outcome, every row is made; null before the first `advance`. Default: alerts. */
  cursor(events?: DeliveredEvents): Promise<number | null>;
  /** Never goes back. */
  advance(last: number, events?: DeliveredEvents): Promise<void>;
}
