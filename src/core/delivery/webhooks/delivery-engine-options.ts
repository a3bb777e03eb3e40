import type { Keys } from '../../accounts/keys/api-key.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { AlertStore } from '../../alerts/alert-store.ts';
import type { Exit } from '../../alerts/exits/exit.ts';
import type { Feed } from '../../alerts/ledger/feed.ts';
import type { NumberedEvents } from '../../alerts/numbered-events.ts';
import type { SettledAlerts, SettlementReader } from '../../alerts/settlements/settlement-reader.ts';
import { createRetryUntilAnswered, type RetryUntilAnswered } from '../../base/async/retry.ts';
import type { Logger } from '../../base/logger.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Deliveries } from './deliveries.ts';
import type { EndState } from './delivery.ts';
import type { DeliveryQueueLimits } from './delivery-queue.ts';
import type { SigningSecrets, WebhookSender } from './webhook.ts';
import type { EventBodies } from './webhook-format.ts';
import type { Webhooks } from './webhooks.ts';

/** The events of a kind, as webhooks are sent them. */
export interface DeliveredEvents<Event = unknown> extends EventBodies<Event> {
  readonly numbered: NumberedEvents<Event>;
  publishedAt(event: Event): EpochMs;
}

/** Stores, feed and functions that a `DeliveryEngine` uses; the bodies are those of alerts. */
export interface DeliveryEngineOptions extends EventBodies<Alert> {
  readonly deliveries: Deliveries;
  readonly webhooks: Pick<Webhooks, 'active' | 'byIds' | 'addCounts'>;
  readonly keys: Pick<Keys, 'byIds'>;
  readonly alerts: Pick<AlertStore, 'byId'>;
  /** Stores a notice for the owner of a failing webhook. Resolves to false if there is one with this id. */
  readonly notifyOwner: (notice: FailingNotice) => Promise<boolean>;
  readonly feed: Pick<Feed, 'subscribe'>;
  readonly settlements: Pick<SettlementReader, 'asPublished'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly signingSecrets: SigningSecrets;
  readonly events: {
    readonly outcome: DeliveredEvents<SettledAlerts>;
    readonly exit: DeliveredEvents<Exit>;
  };
  /** While true, nothing more is claimed; what waits longer than 10 minutes ends as expired. */
  readonly isPaused: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DeliveryMetrics;
  /** Unique id of this engine among all that ever ran. */
  readonly owner: string;
  /** Whether a write that failed with this error may have happened or may still happen. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  /** Resolves in the next turn of the event loop: a store that answers immediately would block it. */
  readonly yieldToLoop: () => Promise<void>;
  readonly limits?: DeliveryQueueLimits;
  /** Rows of one write. Default: `FAN_OUT_BATCH_SIZE`. */
  readonly fanOutBatchSize?: number;
}

/** What the owner of a webhook is told about a series of failed deliveries. */
export interface FailingNotice {
  readonly id: string;
  readonly keyId: string;
  readonly webhookId: string;
  /** Without its query, which may contain a secret, and without its path where the path is a secret. */
  readonly url: string;
  readonly failures: number;
  readonly at: EpochMs;
}

/** Metrics of webhook deliveries. */
export interface DeliveryMetrics {
  /** A webhook delivery ended, by an attempt or without one. */
  deliveryEnded(state: EndState): void;
  deliveryAttempted(durationMs: number): void;
  /** Deliveries that wait in the memory of this process. */
  deliveriesWaiting(count: number): void;
}

/** Bounds memory and time of a write when thousands of alerts were missed. */
export const FAN_OUT_BATCH_SIZE = 500;

/** Calls of this process to the stores. */
export class StoreCalls {
  readonly retryUntilAnswered: RetryUntilAnswered;
  readonly #owner: string;
  #count = 0;

  constructor({ owner, clock, logger }: Pick<DeliveryEngineOptions, 'owner' | 'clock' | 'logger'>) {
    this.#owner = owner;
    this.retryUntilAnswered = createRetryUntilAnswered(clock, logger);
  }

  /** A unique name for one change. */
  nextCall(): string {
    this.#count += 1;
    return `${this.#owner}#${this.#count}`;
  }
}
