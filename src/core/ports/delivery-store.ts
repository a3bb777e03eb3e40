import type { EpochMs } from '../trade.ts';
import type { AttemptResult, Delivery, DeliveryState } from '../webhooks/delivery.ts';

/** How one claimed delivery ended. */
export interface DeliveryOutcome {
  readonly id: string;
  readonly state: Exclude<DeliveryState, 'pending' | 'claimed'>;
  readonly finishedAt: EpochMs;
  readonly result: AttemptResult | null;
}

/** The outbox of webhooks, and their log: (alert, webhook) is unique, and a delivery is claimed once. */
export interface DeliveryStore {
  /** Adds rows; those whose id is there already are left as they are. Returns those that were new. */
  add(deliveries: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** Of these, the ones that were pending and are this owner's now; each has one owner ever. */
  claim(ids: readonly string[], owner: string, at: EpochMs): Promise<readonly string[]>;
  /** Pending ones made before the moment, oldest first, at most `limit`. */
  waiting(query: { createdBefore: EpochMs; limit: number }): Promise<readonly Delivery[]>;
  /** Ends claimed ones of this owner. What is no longer its claim stays as it is. Returns the ids that ended. */
  finish(owner: string, outcomes: readonly DeliveryOutcome[]): Promise<readonly string[]>;
  /** Ends pending ones. Returns the ids that ended. */
  giveUp(outcomes: readonly DeliveryOutcome[]): Promise<readonly string[]>;
  /** Owners of claims made before the moment, each with its claims; at most `limit` claims in all. */
  claims(query: {
    claimedBefore: EpochMs;
    limit: number;
  }): Promise<readonly { readonly owner: string; readonly delivery: Delivery }[]>;
  /** The log of a webhook, newest first, at most `limit`; `before` is the id of the last one of the page before. */
  list(
    webhookId: string,
    page: { limit: number; before?: string; state?: DeliveryState },
  ): Promise<readonly Delivery[]>;
  /** Removes rows made before the moment, at most `limit` of them. Returns how many. */
  prune(query: { createdBefore: EpochMs; limit: number }): Promise<number>;
  /** Up to which alert every row is made; null before the first `advance`. */
  cursor(): Promise<number | null>;
  /** Never goes back. */
  advance(alertId: number): Promise<void>;
}
